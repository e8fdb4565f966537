/** The sign-in page and its form. A client may have requested the sign-in, or the user may have opened the page. */
import { type FormExchange, formHandler, hostedPage, type PageExchange } from '#app/_ui/hosted-route.ts'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import { readLatestWay } from '#lib/http/cookies.ts'
import { pageFrame, pageReply, type Query } from '#lib/http/page-frame.ts'
import { type FormFields, readPasswordForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { loginAgain, respondSignIn } from '#lib/http/respond-sign-in.ts'
import {
  backPath,
  longestUsername,
  readAttempt,
  readCreatedAccount,
  type SignInAttempt,
} from '#lib/http/step-cookies.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { accountNames } from '#lib/identity/account.ts'
import { type UnknownPasskey, unknownPasskeySignal } from '#lib/identity/passkeys/passkey-names.ts'
import { signIn } from '#lib/identity/sign-in.ts'
import { enteredFields, withoutPasswords } from '#lib/identity/sign-in-fields.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { pendingHandle } from '../pending-page.ts'
import { AlreadySignedIn } from './already-signed-in.tsx'
import { LoginPage } from './login-page.tsx'
import { problemOf } from './sign-in-parts.tsx'
import { openSignInStep } from './sign-in-step.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/login',
  showSignIn,
  formHandler(signInByPassword, readPasswordForm),
)

async function showSignIn(page: PageExchange): Promise<Reply> {
  const opened = await openSignInStep(page)
  if ('elsewhere' in opened) return opened.elsewhere
  const { step, user } = opened.shown
  const frame = pageFrame(page, opened.frame)
  const { session } = user
  const { request, query, services } = page
  const { issuer } = services.config
  const cookieHeader = request.headers.get('cookie')
  const pending = pendingHandle(query)
  // Without a pending request, only a page that reports a failure shows the earlier attempt
  const isAttempted = pending !== null || query.error !== undefined || query.done !== undefined
  const attempt = isAttempted ? readAttempt(services.sealing, cookieHeader, { pending, issuer }) : null
  const problem = problemOf(query, attempt?.message ?? null)
  const isVisit = step.client === null && problem === null && step.carried.account === null
  if (isVisit && session !== null) {
    const next = step.carried.back ?? '/account'
    const hasOthers = page.cookies.sessions.length > 1
    return pageReply(frame, <AlreadySignedIn {...session} {...{ frame, next, hasOthers }} />)
  }
  const again = step.isAgain ? session : null
  const known = again === null ? null : (await accountNames(services.ports, again, user.account)).username
  const isFirstOfAdmin = step.client?.clientId === adminClientId && again === null && problem === null
  const created = isFirstOfAdmin ? readCreatedAccount(services.sealing, cookieHeader, issuer) : null
  const document = (
    <LoginPage
      frame={frame}
      step={step}
      problem={problem}
      unknownPasskey={problem?.kind === 'passkey' ? unknownPasskeyOf(services.ports, attempt) : null}
      fields={services.ports.signInFields}
      entered={attempt?.fields ?? {}}
      username={attempt?.username ?? step.loginHint ?? known ?? created ?? ''}
      news={newsIn(query, { attempt, created })}
      isAgain={again !== null}
      usual={again?.idp ?? null}
      latest={readLatestWay(cookieHeader, issuer)}
    />
  )
  return pageReply(frame, document, pageStatusOf(problem))
}

/** Returns the passkey that credential managers should no longer offer; `null`: none. */
function unknownPasskeyOf(
  { settings }: PageExchange['services']['ports'],
  attempt: SignInAttempt | null,
): UnknownPasskey | null {
  const id = attempt?.unknownPasskey
  return id === undefined ? null : unknownPasskeySignal(settings, id)
}

const doneTexts = new Map<string | undefined, MessageKey>([
  ['password', 'recovery.done'],
  ['password_elsewhere', 'recovery.doneElsewhere'],
  ['account_exists', 'registration.exists'],
])

type Kept = { readonly attempt: SignInAttempt | null; readonly created: string | null }

/** Returns the notice about a change, only if this browser has the cookie that was set with it. */
function newsIn(query: Query, { attempt, created }: Kept): MessageKey | null {
  if (created !== null) return 'login.accountCreated'
  return attempt === null ? null : (doneTexts.get(query.done) ?? null)
}

async function signInByPassword(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const { username = '', password = '', remember } = form
  const pending = parseHandle('pending', form.pending)
  const back = backPath(form.back)
  const { signInFields } = services.ports
  const fields = enteredFields(signInFields, form)
  const again = (why: 'missing' | 'credentials') =>
    seeOther(loginAgain({ pending, back }, { why, retryAfterSeconds: 0 }))
  if (username.trim() === '' || password === '') return again('missing')
  if (username.length > longestUsername) return again('credentials')
  const { browser, sessions: previous, knownBrowser, trustedBrowsers } = cookies
  const entered = { username, password, fields, remember: remember !== undefined }
  const answer = await signIn(
    services.pendingPorts(),
    {
      ...entered,
      ...{ pending, browser, previous, knownBrowser, trustedBrowsers },
      canCreatePasskeys: form.passkeys === 'yes',
    },
    context,
  )
  const kept = withoutPasswords(signInFields, fields)
  return respondSignIn(answer, posted, { pending, username, fields: kept, back })
}

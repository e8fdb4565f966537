/** The page where a signed-in user confirms the identity before a sensitive change (MF-04). */

import { PasswordField, TextField } from '#app/_ui/fields.tsx'
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Notice, pageStatusOf } from '#app/_ui/notice.tsx'
import { PasskeyForm } from '#app/_ui/passkey-form.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { ownSession } from '#app/account/own-session.ts'
import { encodeForm, type FormFields, readPasswordForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { loginAgain, respondSignIn } from '#lib/http/respond-sign-in.ts'
import { backPath, longestUsername, readAttempt } from '#lib/http/step-cookies.ts'
import { type Confirmation, confirmationOf, hasFreshSignIn } from '#lib/identity/fresh-sign-in.ts'
import { canLosePasskeys, hasTwoRecentFactors } from '#lib/identity/passkeys/lost-passkeys.ts'
import { signIn } from '#lib/identity/sign-in.ts'
import {
  type EnteredFields,
  enteredFields,
  type SignInField,
  withoutPasswords,
} from '#lib/identity/sign-in-fields.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { confirmPath, lostPasskeysPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { ExtraFields } from '../extra-fields.tsx'
import { type Problem, ProblemNotice, problemOf } from '../sign-in-parts.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  confirmPath,
  pendingPage(readConfirmation, ConfirmPage),
  formHandler(confirmByPassword, readPasswordForm),
)

const account = '/account'

async function readConfirmation(page: PageExchange): Promise<PageContent<ShownConfirmation>> {
  const { request, query, services } = page
  const { ports, sealing, config } = services
  const back = backPath(query.back) ?? account
  const found = await ownSession(page, { back })
  if ('elsewhere' in found) return found
  const { session } = found
  // Users who lost their passkeys confirm with the password and a code
  const isLosing = back === lostPasskeysPath && (await canLosePasskeys(ports, session))
  const isDone = isLosing ? hasTwoRecentFactors(ports, session) : await hasFreshSignIn(ports, session)
  if (isDone) return { elsewhere: seeOther(back) }
  const place = { pending: null, issuer: config.issuer }
  const attempt =
    query.error === undefined ? null : readAttempt(sealing, request.headers.get('cookie'), place)
  const problem = problemOf(query, attempt?.message ?? null)
  return {
    shown: {
      back,
      problem,
      confirmation: { ...(await confirmationOf(ports, session)), ...(isLosing ? byPassword : {}) },
      canLose: !isLosing && (await canLosePasskeys(ports, session)),
      username: attempt?.username ?? '',
      fields: ports.signInFields,
      entered: attempt?.fields ?? {},
    },
    frame: { query: { back }, offersSignOut: true },
    status: pageStatusOf(problem),
  }
}

const byPassword = { way: { kind: 'password' } } as const

type ShownConfirmation = {
  readonly back: string
  readonly confirmation: Confirmation
  /** Whether the user can report the passkeys as lost. */
  readonly canLose: boolean
  readonly problem: Problem | null
  /** The user name that was entered before, if this server does not know the name of the user. */
  readonly username: string
  readonly fields: readonly SignInField[]
  readonly entered: EnteredFields
}

function ConfirmPage(props: ShownConfirmation & { readonly frame: Frame }) {
  const { frame, confirmation, problem } = props
  const { t, siteName } = frame
  const { name, username } = confirmation
  return (
    <Screen
      frame={frame}
      title={t('confirm.title', { name: siteName })}
      isProblem={problem !== null}
      usesPasskeys={confirmation.way.kind === 'passkey'}
    >
      <PageHead app={null} heading={t('login.headingAgain')}>
        <p className="small muted">{t('confirm.lead', { name: displayName(name, username ?? '') })}</p>
      </PageHead>
      <ProblemNotice t={t} problem={problem} provider={providerOf(confirmation)} />
      <Way {...props} />
      <p className="small muted center">
        <a href={browserAddress(account)}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

function providerOf({ way }: Confirmation): string | null {
  return way.kind === 'provider' ? way.name : null
}

function Way(props: ShownConfirmation & { readonly frame: Frame }) {
  const { frame, back, confirmation, canLose } = props
  const { t, siteName } = frame
  const { way } = confirmation
  switch (way.kind) {
    case 'passkey':
      return (
        <>
          <PasskeyForm
            kind="get"
            action={`${confirmPath}/passkey`}
            label={t('login.passkey')}
            busy={t('login.busy')}
            failed={t('login.passkeyFailed')}
            canceled={t('passkeyFactor.canceled')}
            look="primary"
          >
            <input type="hidden" name="back" value={back} />
          </PasskeyForm>
          <p className="small muted" data-no-passkeys>
            {t('confirm.needsScript')}
          </p>
          {canLose ? (
            <p className="small center">
              <a href={browserAddress(lostPasskeysPath)}>{t('lostPasskeys.link')}</a>
            </p>
          ) : (
            <p className="small muted">{t('confirm.lost', { site: siteName })}</p>
          )}
        </>
      )
    case 'password':
      return <PasswordForm {...props} />
    case 'provider': {
      const query = encodeForm([['back', back] as const, ['confirm', 'true'] as const])
      const start = `/login/external/${encodeURIComponent(way.scheme)}/start?${query}`
      return (
        <a className="btn primary wide" href={browserAddress(start)}>
          {t('login.continueWith', { provider: way.name })}
        </a>
      )
    }
    case 'none':
      return <Notice kind="warn">{t('confirm.noWay', { site: siteName })}</Notice>
  }
}

function PasswordForm({ frame, ...shown }: ShownConfirmation & { readonly frame: Frame }) {
  const { t } = frame
  const { back, confirmation, problem, fields, entered, username } = shown
  const isWrong = problem?.kind === 'credentials' || problem?.kind === 'missing'
  const known = confirmation.username
  return (
    <form className="form" method="post" action={browserAddress(confirmPath)}>
      <input type="hidden" name="back" value={back} />
      <TextField
        id="username"
        label={t('login.username')}
        isWrong={isWrong}
        isStart={known === null}
        input={{
          type: 'text',
          dir: 'auto',
          maxLength: longestUsername,
          defaultValue: known ?? username,
          readOnly: known !== null,
          autoComplete: 'username',
          enterKeyHint: 'next',
        }}
      />
      <PasswordField
        t={t}
        id="password"
        label={t('login.password')}
        autoComplete="current-password"
        isLast={fields.length === 0}
        isWrong={isWrong}
      />
      <ExtraFields frame={frame} fields={fields} entered={entered} problem={problem} />
      <SubmitButton label={t('confirm.submit')} busy={t('login.busy')} />
    </form>
  )
}

async function confirmByPassword(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const { ports } = services
  const back = backPath(form.back) ?? account
  const found = await ownSession(posted, { back })
  if ('elsewhere' in found) return found.elsewhere
  const { session } = found
  const known = (await confirmationOf(ports, session)).username
  const { password = '' } = form
  const username = known ?? form.username?.trim() ?? ''
  const place = { pending: null, back, isConfirmation: true }
  const again = (why: 'missing' | 'credentials') => seeOther(loginAgain(place, { why, retryAfterSeconds: 0 }))
  if (username === '' || password === '') return again('missing')
  if (username.length > longestUsername) return again('credentials')
  const fields = enteredFields(ports.signInFields, form)
  const { browser, sessions: previous, knownBrowser } = cookies
  const entered = { username, password, fields, remember: session.isPersistent, confirms: session.subject }
  const answer = await signIn(
    services.pendingPorts(),
    { ...entered, pending: null, browser, previous, knownBrowser },
    context,
  )
  const kept = withoutPasswords(ports.signInFields, fields)
  return respondSignIn(answer, posted, { ...place, username: known === null ? username : null, fields: kept })
}

/** The page where a user creates an account, and its form. */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { choiceProblemOf } from '#app/_ui/new-password.tsx'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { browserCookie } from '#lib/http/cookies.ts'
import { localeOf } from '#lib/http/page-frame.ts'
import { type FormFields, readPasswordForm, withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { attemptCookie, backPath, longestUsername, readAttempt } from '#lib/http/step-cookies.ts'
import { shortestPassword } from '#lib/identity/password-choice.ts'
import { readInteraction } from '#lib/identity/pending-user.ts'
import {
  askedFields,
  type EnteredRegistration,
  readFaults,
  writeFaults,
} from '#lib/identity/registration/entered-registration.ts'
import { findRegistration, type InvitationHandle } from '#lib/identity/registration/new-account.ts'
import {
  type RegistrationOutcome,
  requestRegistration,
} from '#lib/identity/registration/request-registration.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { registrationFields } from '#lib/protocol/registration/policies.ts'
import { pendingHandle, resumeReply } from '../../pending-page.ts'
import { carriedFields } from '../sign-in-step.ts'
import { RegisterPage, type ShownRegistration } from './register-page.tsx'

const path = '/login/register'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readRegistration, RegisterPage),
  formHandler(register, readPasswordForm),
)

async function readRegistration(page: PageExchange): Promise<PageContent<ShownRegistration>> {
  const { query, cookies, services, request } = page
  const pending = pendingHandle(query)
  const ports = services.pendingPorts()
  const { interaction } = await readInteraction(ports, { ...cookies, pending })
  if (interaction === null && query.pending !== undefined) return { elsewhere: resumeReply(query) }
  const { issuer } = services.config
  const attempt = readAttempt(services.sealing, request.headers.get('cookie'), { pending, issuer })
  const invitation = parseHandle('userInvitation', query.invitation)
  const carried = { pending, back: pending === null ? backPath(query.back) : null }
  const open = await findRegistration(ports, { interaction, invitation })
  const problem = choiceProblemOf(query)
  const invited = open?.invitation ?? null
  return {
    shown: {
      client: interaction?.client ?? null,
      carried,
      invitation,
      open: open && { ...open, fields: askedFields(open.policies) },
      isByInvitation: (await ports.policies.current()).registration === 'invited',
      entered: {
        ...(typeof invited?.claims.name === 'string' ? { name: invited.claims.name } : {}),
        ...attempt?.fields,
        email: invited?.email ?? attempt?.fields?.email ?? mailIn(interaction?.loginHint),
        username: attempt?.username ?? '',
      },
      faults: readFaults(query.faults),
      minimum: await shortestPassword(ports, { claims: invited?.claims ?? {} }),
      problem,
    },
    frame: {
      query: Object.fromEntries([...carriedFields(carried), ...invitationField(invitation)]),
      uiLocales: interaction?.uiLocales ?? [],
    },
    status: pageStatusOf(problem),
  }
}

/** Returns the hint of the client if it can be an address. */
function mailIn(loginHint: string | null | undefined): string {
  return loginHint?.includes('@') === true ? loginHint : ''
}

function invitationField(invitation: InvitationHandle | null): ReadonlyArray<readonly [string, string]> {
  return invitation === null ? [] : [['invitation', invitation]]
}

async function register(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const pending = parseHandle('pending', form.pending)
  const back = pending === null ? backPath(form.back) : null
  const invitation = parseHandle('userInvitation', form.invitation)
  const { password = '', again = '' } = form
  const { browser, sessions: previous, knownBrowser } = cookies
  const entered = enteredIn(form)
  const outcome = await requestRegistration(
    services.pendingPorts(),
    {
      ...{ ...entered, password, again, invitation, pending, back },
      ...{ browser, previous, knownBrowser, canCreatePasskeys: form.passkeys === 'yes' },
      locale: localeOf(posted, [form.locale ?? '']),
    },
    context,
  )
  if (outcome.kind === 'registered') {
    const { signIn } = outcome
    return respondSignIn(signIn, posted, { pending, username: signIn.username, back })
  }
  const { issuer } = services.config
  if (outcome.kind === 'requested')
    return seeOther(`${path}/sent?page=${outcome.page}`, [browserCookie(outcome.browser, issuer)])
  const { username, email, fields } = entered
  const attempt = { username: username || email, message: null, fields: { ...fields, email } }
  const kept = [attemptCookie(services.sealing, attempt, { pending, issuer })]
  const carried = { pending, back }
  if (outcome.kind === 'exists')
    return seeOther(withQuery('/login', [...carriedFields(carried), ['done', 'account_exists']]), kept)
  return seeOther(
    withQuery(path, [...carriedFields(carried), ...invitationField(invitation), ...problemFields(outcome)]),
    kept,
  )
}

/** Reads the typed values without surrounding spaces. A longer text than any field allows is cut, and then refused. */
function enteredIn(form: FormFields): EnteredRegistration {
  const typed = (name: string) => form[name]?.trim().slice(0, longestUsername + 1) ?? ''
  const fields = registrationFields.flatMap(name => {
    const text = typed(name)
    return text === '' ? [] : [[name, text] as const]
  })
  return {
    email: typed('email'),
    username: typed('username'),
    fields: Object.fromEntries(fields),
    acceptedTerms: form.terms === undefined ? '' : (form.terms_version ?? ''),
  }
}

function problemFields(
  outcome: Extract<RegistrationOutcome, { kind: 'closed' | 'unfit' | 'limited' }>,
): ReadonlyArray<readonly [string, string | null]> {
  switch (outcome.kind) {
    case 'closed':
      return []
    case 'limited':
      return [
        ['error', 'limited'],
        ['wait', String(Math.ceil(outcome.retryAfterSeconds))],
      ]
    case 'unfit':
      return [
        ['faults', writeFaults(outcome.faults) || null],
        ['error', outcome.password.join(' ') || null],
      ]
  }
}

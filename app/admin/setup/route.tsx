/** The page of an invitation, which creates an account or uses the signed-in one. Opening it does not use the invitation. */

import { type FormExchange, formHandler, hostedPage, type PageExchange } from '#app/_ui/hosted-route.ts'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { acceptInvitation, type SetUpAnswer, type SetUpOutcome } from '#lib/admin/access/accept-invitation.ts'
import { findInvitation } from '#lib/admin/access/invitations.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import {
  createdAccountCookie,
  endedSetUpAttemptCookie,
  readSetUpAttempt,
  type SetUpAttempt,
  setUpAttemptCookie,
} from '#lib/http/step-cookies.ts'
import { translate } from '#lib/i18n/translate.ts'
import { shortestPassword } from '#lib/identity/password-choice.ts'
import { currentSession } from '#lib/identity/session.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { Services } from '#lib/server/services.ts'
import { roleNames } from '../role-names.ts'
import { newcomerSignInPath } from '../sign-in/sign-in-path.ts'
import { SetUpForm, SetUpProblem } from './set-up-form.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/admin/setup',
  showInvitation,
  formHandler(answerInvitation, readForm),
)

async function showInvitation(page: PageExchange): Promise<Reply> {
  const { request, query, cookies, services } = page
  const { token = '' } = query
  const frame = inEnglish(pageFrame(page))
  const invitation = await findInvitation(services.admin, token)
  if (invitation === null) return pageReply(frame, <UsedUp frame={frame} />, { status: 410 })
  const { issuer, localLogin } = services.config
  const session = await currentSession(services.ports, cookies.session)
  const cookieHeader = request.headers.get('cookie')
  const attempt = readSetUpAttempt(services.sealing, { token, issuer, cookieHeader })
  const minimum = await shortestPassword(services.ports, { claims: {} })
  return pageReply(
    frame,
    <SetUpPage {...{ frame, token, invitation, session, attempt, localLogin, minimum }} />,
  )
}

/** Accepts the invitation, or leads back to the page. */
async function answerInvitation(posted: FormExchange<FormFields>): Promise<Reply> {
  const { cookies, context, services } = posted
  const { token = '', username = '', name = '', password = '', as } = posted.form
  const form = { token, username, name }
  const session = as === 'current' ? await currentSession(services.ports, cookies.session) : null
  if (as === 'current' && session === null) return again(posted, form, 'You are no longer signed in.')
  if (session === null && !services.config.localLogin) return again(posted, form, withoutPasswords)
  const answer: SetUpAnswer =
    session === null
      ? { kind: 'new', account: { username, name, password } }
      : { kind: 'existing', subject: session.subject }
  const outcome = await acceptInvitation(services.admin, { token, answer }, context)
  return respond(outcome, posted, { form, answer })
}

type Form = { readonly token: string; readonly username: string; readonly name: string }
type Posted = { readonly form: Form; readonly answer: SetUpAnswer }

function respond(outcome: SetUpOutcome, exchange: Exchange<Services>, { form, answer }: Posted): Reply {
  const { sealing, config } = exchange.services
  const { issuer } = config
  switch (outcome.kind) {
    case 'accepted': {
      // A new administrator signs in with the new account, even if another user is signed in
      if (answer.kind === 'existing') return seeOther('/admin/sign-in', [endedSetUpAttemptCookie(issuer)])
      const { username } = answer.account
      return seeOther(newcomerSignInPath, [createdAccountCookie(sealing, username.trim(), issuer)])
    }
    case 'gone':
      return seeOther(pageOf(form), [endedSetUpAttemptCookie(issuer)])
    case 'limited': {
      const minutes = Math.ceil(outcome.retryAfterSeconds / 60)
      return again(
        exchange,
        form,
        `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
      )
    }
    case 'invalid':
      return withErrors(exchange, form, outcome.errors)
  }
}

function again(exchange: Exchange<Services>, form: Form, message: string): Reply {
  return withErrors(exchange, form, [{ path: '', message }])
}

type Errors = Extract<SetUpOutcome, { kind: 'invalid' }>['errors']

function withErrors(exchange: Exchange<Services>, { token, username, name }: Form, errors: Errors): Reply {
  const { config, sealing } = exchange.services
  const attempt = { username, name, errors }
  return seeOther(pageOf({ token }), [setUpAttemptCookie(sealing, { token, issuer: config.issuer, attempt })])
}

function pageOf({ token }: Pick<Form, 'token'>): string {
  return `/admin/setup?${new URLSearchParams({ token })}`
}

type SetUpPageProps = {
  readonly frame: Frame
  readonly token: string
  readonly invitation: { readonly role: AdminRole; readonly createdBy: string | null }
  /** The signed-in user; `null` without a session. */
  readonly session: { readonly name: string; readonly subject: string } | null
  readonly attempt: SetUpAttempt | null
  readonly localLogin: boolean
  /** The number of characters that a password must have. */
  readonly minimum: number
}

/** The text for a server without passwords, on which a new account could not sign in. */
const withoutPasswords =
  'This server accepts no passwords. Sign in with an identity provider, then open this link again.'

function SetUpPage(props: SetUpPageProps) {
  const { frame, token, invitation, session, attempt, localLogin, minimum } = props
  const isFirst = invitation.createdBy === null && invitation.role === 'owner'
  const title = isFirst ? `Set up ${frame.siteName}` : `Join ${frame.siteName}’s administrators`
  return (
    <Screen frame={frame} title={title} isProblem={attempt !== null}>
      <PageHead app={null} heading={title}>
        <p className="small muted">
          {isFirst
            ? `${localLogin ? 'Create the owner account, which' : 'The owner'} has every permission in the dashboard.`
            : `You are invited to the dashboard, as ${roleNames[invitation.role].asPhrase}.`}
        </p>
      </PageHead>
      {attempt !== null && <SetUpProblem errors={attempt.errors} />}
      {session !== null && <ContinueAs token={token} name={session.name} subject={session.subject} />}
      {localLogin && (
        <SetUpForm
          t={frame.t}
          token={token}
          attempt={attempt}
          minimum={minimum}
          isSecondChoice={session !== null}
        />
      )}
      {!localLogin && session === null && (
        <div className="stack">
          <p>{withoutPasswords}</p>
          <a className="btn primary wide" href={browserAddress('/account')}>
            Sign in
          </a>
        </div>
      )}
    </Screen>
  )
}

/** Makes the frame English, which is the only language of the dashboard. */
function inEnglish(frame: Frame): Frame {
  return { ...frame, locale: 'en', t: translate('en'), isMonolingual: true }
}

type ContinueAsProps = { readonly token: string; readonly name: string; readonly subject: string }

function ContinueAs({ token, name, subject }: ContinueAsProps) {
  return (
    <form className="form" method="post" action={browserAddress('/admin/setup')}>
      <input type="hidden" name="token" value={token} />
      <SubmitButton
        name="as"
        value="current"
        label={`Continue as ${displayName(name, subject)}`}
        busy="Setting up…"
      />
    </form>
  )
}

function UsedUp({ frame }: { readonly frame: Frame }) {
  return (
    <Screen frame={frame} title="This link is no longer valid" isProblem>
      <PageHead app={null} heading="This link is no longer valid">
        <p className="small muted">It was used, has expired, or was replaced by a newer one.</p>
      </PageHead>
      <ul className="list stack">
        <li>
          <strong>Did you use it?</strong> Then your account is ready.
        </li>
        <li>
          <strong>Were you invited?</strong> Ask for a new link.
        </li>
        <li>
          <strong>Do you run this server?</strong> Run <code className="mono">npm run admin -- create</code>{' '}
          on it.
        </li>
      </ul>
      <a className="btn primary wide" href={browserAddress('/admin')}>
        Go to the dashboard
      </a>
    </Screen>
  )
}

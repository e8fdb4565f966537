/** The page of an invitation: a new account, or the one that is signed in. Opening it does not use the invitation. */
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { findInvitation } from '#lib/admin/access/invitations.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageQuery, pageReply } from '#lib/http/page-frame.ts'
import { readSetUpAttempt, type SetUpAttempt } from '#lib/http/step-cookies.ts'
import { translate } from '#lib/i18n/translate.ts'
import { currentSession } from '#lib/identity/session.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { openServices } from '#lib/server/services.ts'
import { roleNames } from '../role-names.ts'
import { SetUpForm, SetUpProblem } from './set-up-form.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/admin/setup',
  writeRefusal: refuseWithPage,
  GET: async exchange => {
    const { request, cookies, services } = exchange
    const { token = '' } = pageQuery(request)
    const frame = inEnglish(pageFrame(exchange))
    const invitation = await findInvitation(services.admin, token)
    if (invitation === null) return pageReply(frame, <UsedUp frame={frame} />, { status: 410 })
    const { issuer } = services.config
    const [session, attempt] = [
      await currentSession(services.ports, cookies.session),
      readSetUpAttempt(services.sealing, { token, issuer, cookieHeader: request.headers.get('cookie') }),
    ]
    return pageReply(frame, <SetUpPage {...{ frame, token, invitation, session, attempt }} />)
  },
})

type SetUpPageProps = {
  readonly frame: Frame
  readonly token: string
  readonly invitation: { readonly role: AdminRole; readonly createdBy: string | null }
  /** The signed-in user. */
  readonly session: { readonly name: string; readonly subject: string } | null
  readonly attempt: SetUpAttempt | null
}

function SetUpPage({ frame, token, invitation, session, attempt }: SetUpPageProps) {
  const isFirst = invitation.createdBy === null && invitation.role === 'owner'
  const title = isFirst ? `Set up ${frame.siteName}` : `Join ${frame.siteName}’s administrators`
  return (
    <Screen frame={frame} title={title} isProblem={attempt !== null}>
      <PageHead app={null} heading={title}>
        <p className="small muted">
          {isFirst
            ? 'Create the owner account, which has every permission in the dashboard.'
            : `You are invited to the dashboard, as ${roleNames[invitation.role].asPhrase}.`}
        </p>
      </PageHead>
      {attempt !== null && <SetUpProblem errors={attempt.errors} />}
      {session !== null && <ContinueAs token={token} name={session.name} subject={session.subject} />}
      <SetUpForm t={frame.t} token={token} attempt={attempt} isSecondChoice={session !== null} />
    </Screen>
  )
}

/** The dashboard is only in English. */
function inEnglish(frame: Frame): Frame {
  return { ...frame, locale: 'en', t: translate('en'), isMonolingual: true }
}

type ContinueAsProps = { readonly token: string; readonly name: string; readonly subject: string }

export function ContinueAs({ token, name, subject }: ContinueAsProps) {
  return (
    <form className="form" method="post" action="/admin/setup/submit">
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

export function UsedUp({ frame }: { readonly frame: Frame }) {
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
      <a className="btn primary wide" href="/admin">
        Go to the dashboard
      </a>
    </Screen>
  )
}

/** Where an invitation leads: a new account, or the one that is signed in. Opening the page does not use it up. */
import { findInvitation } from '#lib/admin/access/invitations.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageQuery, pageReply } from '#lib/http/page-frame.ts'
import { readSetUpAttempt, type SetUpAttempt } from '#lib/http/step-cookies.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { services } from '#lib/server/services.ts'
import { roleNames } from '../role-names.ts'
import { ContinueAs } from './continue-as.tsx'
import { SetUpForm } from './set-up-form.tsx'
import { SetUpProblem } from './set-up-problem.tsx'
import { UsedUp } from './used-up.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/admin/setup',
  refuse: refuseWithPage,
  GET: async exchange => {
    const { request, cookies, services: s } = exchange
    const { token = '' } = pageQuery(request)
    const frame = inEnglish(pageFrame(exchange))
    const invitation = await findInvitation(s.admin, token)
    if (invitation === null) return pageReply(frame, <UsedUp frame={frame} />, { status: 410 })
    const { issuer } = s.config
    const [session, attempt] = [
      await s.currentSession(cookies.session),
      readSetUpAttempt(s.sealing, { token, issuer, cookieHeader: request.headers.get('cookie') }),
    ]
    return pageReply(frame, <SetUpPage {...{ frame, token, invitation, session, attempt }} />)
  },
})

type SetUpPageProps = {
  readonly frame: Frame
  readonly token: string
  readonly invitation: { readonly role: AdminRole; readonly createdBy: string | null }
  /** Who is signed in, if anyone. */
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
      <SetUpForm token={token} attempt={attempt} isSecondChoice={session !== null} />
    </Screen>
  )
}

/** The dashboard speaks English, and so does its door. */
function inEnglish(frame: Frame): Frame {
  return { ...frame, locale: 'en', t: translate('en'), isMonolingual: true }
}

/** Where an invitation leads: an account of one's own, or on as who is signed in here. Looking uses nothing up. */
import type { Frame } from '#app/_ui/frame.ts'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { frameOf, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import { findInvitation } from '#lib/admin/access/invitations.ts'
import { readSetUpAttempt } from '#lib/http/set-up-attempt.ts'
import { translate } from '#lib/i18n/translate.ts'
import { roleNames } from '../role-names.ts'
import { ContinueAs } from './continue-as.tsx'
import { SetUpForm } from './set-up-form.tsx'
import { SetUpProblem } from './set-up-problem.tsx'
import { UsedUp } from './used-up.tsx'

export default async function SetUpPage(input: PageInput) {
  const [query, visit] = await Promise.all([readQuery(input), readVisit()])
  const { services, cookies, cookieHeader } = visit
  const { token = '' } = query
  const frame = inEnglish(frameOf(visit, { path: '/admin/setup', query: {} }))
  const invitation = await findInvitation(services.admin, token)
  if (invitation === null) return <UsedUp frame={frame} />

  const { issuer } = services.config
  const [session, attempt] = [
    await services.currentSession(cookies.session),
    readSetUpAttempt(services.sealing, { token, issuer, cookieHeader }),
  ]
  const isFirst = invitation.createdBy === null && invitation.role === 'owner'
  const title = isFirst ? `Set up ${frame.siteName}` : `Help to run ${frame.siteName}`
  return (
    <Screen frame={frame} title={title} isProblem={attempt !== null}>
      <PageHead app={null} heading={title}>
        <p className="small muted">
          {isFirst
            ? 'Make the account that may do everything in the dashboard.'
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

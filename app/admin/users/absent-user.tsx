/** The page of a subject that is not in this server's database: a user of a custom user service or of a custom grant. */
import type { ReactNode } from 'react'
import type { Usage } from '#lib/admin/admin-ports.ts'
import { endedText } from '#lib/admin/grants/ended-text.ts'
import { factorsOf, hasFactors } from '#lib/admin/users/factors.ts'
import { limitsNow } from '#lib/admin/users/user-limits.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { AdminShell } from '../_ui/page-parts.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { RecentEvents } from '../events/recent-events.tsx'
import { restrictUserToOwners } from '../resource/resource-pages.tsx'
import { AccessSections } from '../sessions/access-lists.tsx'
import { PlannedChanges } from './planned-changes.tsx'
import { UserLimits } from './user-limits.tsx'
import { UserMails } from './user-mails.tsx'
import { WaysIn } from './ways-in.tsx'

/** Returns `null` if the user is in the database, or if this server has nothing of the subject. */
export async function absentUser(unrestrictedPage: AdminPage, id: string): Promise<ReactNode | null> {
  const { ports, now } = unrestrictedPage
  const subject = subjectIdSchema.safeParse(id).data
  if (subject === undefined || (await ports.users.findBySubject(subject)) !== null) return null
  const [factors, usage, limits] = await Promise.all([
    factorsOf(ports, subject, now),
    ports.adminLists.usage({ subject, clientId: null }, now),
    limitsNow(ports, subject),
  ])
  if (!hasFactors(factors) && !isUsed(usage)) return null
  const page = await restrictUserToOwners(unrestrictedPage, subject)
  return (
    <AdminShell
      page={page}
      title={subject}
      back={{ name: 'Users', href: '/admin/users' }}
      description="The account of this subject is not in this server’s database. A custom user service has its password and profile."
    >
      <UserLimits page={page} subject={subject} limits={limits} />
      <PlannedChanges page={page} subject={subject} />
      <WaysIn page={page} factors={factors} user={null} ends={endedText(usage, ['sessions', 'grants'])} />
      <AccessSections page={page} subject={subject} clientId={null} />
      <UserMails page={page} subject={subject} />
      <RecentEvents page={page} filter={{ subject }} />
    </AdminShell>
  )
}

function isUsed({ sessions, grants, consents }: Usage): boolean {
  return sessions.count + grants.count + consents.count > 0
}

/** The changes of an account that wait, each with a button that cancels it until it has started. */
import {
  cancelPlannedChange,
  listPlannedChanges,
  type PlannedView,
} from '#lib/admin/users/planned-changes.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Section } from '../_ui/page-parts.tsx'
import { Moment, TimeAgo } from '../_ui/times.tsx'
import { type AdminPage, callUseCase } from '../admin-page.tsx'

const texts: Readonly<Record<PlannedView['kind'], string>> = {
  delete_account: 'The user deletes the account',
  remove_passkeys: 'The user has lost the passkeys, and removes them',
}

/** The section is left out while nothing is planned. */
export async function PlannedChanges({
  page,
  subject: sub,
}: {
  readonly page: AdminPage
  readonly subject: string
}) {
  const { items } = await callUseCase(page, listPlannedChanges, { sub })
  if (items.length === 0) return null
  return (
    <Section title="Planned changes" description="Asked for by the user, who can also cancel them.">
      {items.map(({ kind, created_at: createdAt, due_at: dueAt, started_at: startedAt }) => (
        <div key={kind} className="stack">
          <p>
            {texts[kind]}: <Moment at={new Date(dueAt)} /> · asked for{' '}
            <TimeAgo at={createdAt} now={page.now} />
          </p>
          {startedAt === null ? (
            <ConfirmedForm
              page={page}
              useCase={cancelPlannedChange}
              hidden={{ sub, kind }}
              label="Cancel this change"
              thing={texts[kind]}
              consequence="The account stays as it is. The user is informed by mail."
              verb="Cancel the change"
              isBrief
              isHarmless
            />
          ) : (
            <p>
              It has started, and can no longer be canceled. The user service was last asked to delete the
              account <TimeAgo at={startedAt} now={page.now} />, and is asked again until it succeeds.
            </p>
          )}
        </div>
      ))}
    </Section>
  )
}

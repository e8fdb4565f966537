/** The notice about the planned deletion of the account, with the button that keeps it until the deletion is final. */
import { Notice } from '#app/_ui/notice.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import type { PlannedDeletion as Planned } from '#lib/identity/account-deletion/own-deletion.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { TimeText } from '#lib/pages/time-text.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

type PlannedDeletionProps = {
  readonly frame: Frame
  readonly subject: string
  readonly planned: Pick<Planned, 'dueAt' | 'isFinal'>
}

export function PlannedDeletion({ frame: { t, locale }, subject, planned }: PlannedDeletionProps) {
  const { dueAt, isFinal } = planned
  if (isFinal) return <Notice kind="warn">{t('deletion.isFinal')}</Notice>
  return (
    <div className="notice warn">
      <div className="stack">
        <p>
          <Sentence t={t} text="deletion.plannedFor" placeholder="date">
            <TimeText at={dueAt} locale={locale} isDayOnly />
          </Sentence>
        </p>
        <form method="post" action={browserAddress('/account/delete/keep')}>
          <input type="hidden" name="user" value={subject} />
          <button type="submit" className="btn small">
            {t('deletion.keep')}
          </button>
        </form>
      </div>
    </div>
  )
}

/** Activities of an account: one row for each kind and day. */
import { Parts } from '#app/_ui/sentence.tsx'
import type { AccountActivity, ActivityOccurrence } from '#lib/identity/activity.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { TimeText } from '#lib/pages/time-text.tsx'
import { deviceName } from './parts.tsx'

type ActivityListProps = {
  readonly frame: Frame
  readonly activities: readonly AccountActivity[]
  /** The element of the headings: one level below that of the page or the panel. */
  readonly heading?: 'h2' | 'h3'
}

export function ActivityList({ frame, activities, heading = 'h3' }: ActivityListProps) {
  return (
    <ul className="list rows">
      {activities.map(activity => (
        <ActivityRow key={activity.occurrences[0].id} {...{ frame, activity, heading }} />
      ))}
    </ul>
  )
}

type ActivityRowProps = Required<Pick<ActivityListProps, 'frame' | 'heading'>> & {
  readonly activity: AccountActivity
}

function ActivityRow({ frame, activity: { kind, app, occurrences }, heading: Heading }: ActivityRowProps) {
  const { t } = frame
  const [latest, ...earlier] = occurrences
  const name = t(`account.activities.${kind}`, { app: app ?? '' })
  return (
    <li className="item">
      <div className="grow">
        <Heading>
          {name}
          {earlier.length > 0 && (
            <>
              {' '}
              <span className="tag">{t('account.activityCount', { count: occurrences.length })}</span>
            </>
          )}
        </Heading>
        <Occurrence {...{ frame }} occurrence={latest} />
      </div>
      {earlier.length > 0 && (
        <details className="confirmed">
          <summary
            className="btn small"
            aria-label={`${t('account.showEarlier', { count: earlier.length })}: ${name}`}
          >
            {t('account.showEarlier', { count: earlier.length })}
          </summary>
          <ul className="list rows">
            {earlier.map(occurrence => (
              <li className="item" key={occurrence.id}>
                <Occurrence {...{ frame, occurrence }} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

type OccurrenceProps = { readonly frame: Frame; readonly occurrence: ActivityOccurrence }

function Occurrence({ frame: { t, locale }, occurrence: { time, userAgent, address } }: OccurrenceProps) {
  return (
    <Parts look="small muted">
      <TimeText at={time} locale={locale} />
      {deviceName(t, userAgent)}
      {address !== null && <bdi dir="ltr">{address}</bdi>}
    </Parts>
  )
}

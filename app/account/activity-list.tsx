/** Activities of an account: one row for each kind and day. */
import { Parts } from '#app/_ui/sentence.tsx'
import type { AccountActivity, ActivityOccurrence } from '#lib/identity/activity.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { TimeText } from '#lib/pages/time-text.tsx'
import { deviceName } from './parts.tsx'

type ActivityListProps = { readonly frame: Frame; readonly activities: readonly AccountActivity[] }

export function ActivityList({ frame, activities }: ActivityListProps) {
  return (
    <ul className="list rows">
      {activities.map(activity => (
        <ActivityRow key={activity.occurrences[0].id} {...{ frame, activity }} />
      ))}
    </ul>
  )
}

type ActivityRowProps = { readonly frame: Frame; readonly activity: AccountActivity }

function ActivityRow({ frame, activity: { kind, app, occurrences } }: ActivityRowProps) {
  const { t } = frame
  const [latest, ...earlier] = occurrences
  const name = t(`account.activities.${kind}`, { app: app ?? '' })
  return (
    <li className="item">
      <div className="grow">
        <h3>
          {name}
          {earlier.length > 0 && (
            <>
              {' '}
              <span className="tag">{t('account.activityCount', { count: occurrences.length })}</span>
            </>
          )}
        </h3>
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

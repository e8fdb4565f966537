/** The panel with the browsers in which the user is signed in. Several sessions of one kind of device fold into one row. */
import { Panel } from '#app/_ui/panel.tsx'
import { Parts } from '#app/_ui/sentence.tsx'
import type { OwnSession } from '#lib/identity/account.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { Confirmed, deviceName, When } from './parts.tsx'

type OwnSessionsProps = {
  readonly frame: Frame
  readonly subject: string
  readonly sessions: readonly OwnSession[]
}

/** Each session except the current one can be signed out. */
export function OwnSessions({ frame, subject, sessions }: OwnSessionsProps) {
  const { t } = frame
  const current = sessions.filter(session => session.isCurrent)
  const others = sessions.filter(session => !session.isCurrent)
  const devices = Map.groupBy(others, ({ userAgent }) => deviceName(t, userAgent))
  return (
    <Panel
      frame={frame}
      id="sessions"
      title="account.sessions"
      hint={others.length > 0 ? 'account.sessionsLead' : null}
    >
      <ul className="list rows">
        {current.map(session => (
          <SessionRow key={session.sessionId} {...{ frame, subject, session }} />
        ))}
        {[...devices].map(([device, folded]) => (
          <DeviceRow key={device} {...{ frame, subject, device }} sessions={folded} />
        ))}
      </ul>
      {others.length > 0 && (
        <Confirmed label={t('account.endOthers')} text={t('account.confirmEndOthers')}>
          <form method="post" action={browserAddress('/account/sessions/end')}>
            <input type="hidden" name="user" value={subject} />
            <button type="submit" className="btn small" name="all" value="others">
              {t('account.endOthers')}
            </button>
          </form>
        </Confirmed>
      )}
    </Panel>
  )
}

type DeviceRowProps = OwnSessionsProps & { readonly device: string }

/** The sessions of one kind of device, the last used first; one session has its own row. */
function DeviceRow({ frame, subject, device, sessions }: DeviceRowProps) {
  const { t } = frame
  const [first, ...more] = sessions
  if (first === undefined) return null
  if (more.length === 0) return <SessionRow {...{ frame, subject }} session={first} />
  return (
    <li className="item">
      <div className="grow">
        <h3>{device}</h3>
        <Parts look="small muted">
          {t('account.sessionCount', { count: sessions.length })}
          <When frame={frame} text="account.active" at={first.lastSeenAt} />
        </Parts>
      </div>
      <details className="confirmed">
        <summary className="btn small" aria-label={t('account.showNamed', { device })}>
          {t('account.showSessions')}
        </summary>
        <ul className="list rows">
          {sessions.map(session => (
            <SessionRow key={session.sessionId} {...{ frame, subject, session }} isFolded />
          ))}
        </ul>
        <EndForm {...{ subject, sessions }} label={t('account.endCount', { count: sessions.length })} />
      </details>
    </li>
  )
}

type SessionRowProps = Omit<OwnSessionsProps, 'sessions'> & {
  readonly session: OwnSession
  /** Whether the row above names the device. */
  readonly isFolded?: boolean
}

function SessionRow({ frame, subject, session, isFolded = false }: SessionRowProps) {
  const { t } = frame
  const device = deviceName(t, session.userAgent)
  return (
    <li className="item">
      <div className="grow">
        {!isFolded && (
          <h3>
            {device} {session.isCurrent && <span className="tag good">{t('account.current')}</span>}
          </h3>
        )}
        <Parts look="small muted">
          <When frame={frame} text="account.active" at={session.lastSeenAt} />
          {session.address !== null && <bdi dir="ltr">{session.address}</bdi>}
        </Parts>
      </div>
      {!session.isCurrent && (
        <EndForm
          subject={subject}
          sessions={[session]}
          label={t('account.endSession')}
          fullLabel={t('account.endNamed', { device })}
        />
      )}
    </li>
  )
}

type EndFormProps = {
  readonly subject: string
  readonly sessions: readonly OwnSession[]
  readonly label: string
  readonly fullLabel?: string
}

function EndForm({ subject, sessions, label, fullLabel }: EndFormProps) {
  return (
    <form method="post" action={browserAddress('/account/sessions/end')}>
      <input type="hidden" name="user" value={subject} />
      {sessions.map(({ sessionId }) => (
        <input type="hidden" key={sessionId} name="session_id" value={sessionId} />
      ))}
      <button type="submit" className="btn small" aria-label={fullLabel}>
        {label}
      </button>
    </form>
  )
}

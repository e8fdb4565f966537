/** The browsers a person is signed in with; every one but this can be ended here. */
import { Parts } from '#app/_ui/parts.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import type { Locale } from '#lib/i18n/locales.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { OwnSession } from '#lib/identity/account.ts'
import { TimeText } from '#lib/pages/time-text.tsx'
import { Confirmed } from './confirmed.tsx'
import { deviceOf } from './device-name.ts'

type Words = { readonly t: Translate; readonly locale: Locale }
type OwnSessionsProps = Words & { readonly sessions: readonly OwnSession[] }

export function OwnSessions({ t, locale, sessions }: OwnSessionsProps) {
  const hasOthers = sessions.some(session => !session.isCurrent)
  return (
    <section className="panel" aria-labelledby="sessions">
      <header>
        <h2 id="sessions">{t('account.sessions')}</h2>
        {hasOthers && <p className="small muted">{t('account.sessionsLead')}</p>}
      </header>
      <ul className="list rows">
        {sessions.map(session => (
          <SessionRow key={session.sessionId} t={t} locale={locale} session={session} />
        ))}
      </ul>
      {hasOthers && (
        <Confirmed label={t('account.endOthers')} text={t('account.confirmEndOthers')}>
          <form method="post" action="/account/sessions/end">
            <input type="hidden" name="all" value="others" />
            <button type="submit" className="btn small">
              {t('account.endOthers')}
            </button>
          </form>
        </Confirmed>
      )}
    </section>
  )
}

function SessionRow({ t, locale, session }: Words & { readonly session: OwnSession }) {
  const device = deviceName(t, session.userAgent)
  return (
    <li className="item">
      <div className="grow">
        <h3>
          {device} {session.isCurrent && <span className="tag good">{t('account.current')}</span>}
        </h3>
        <Parts look="small muted">
          <Sentence t={t} text="account.active" placeholder="date">
            <TimeText at={session.lastSeenAt} locale={locale} />
          </Sentence>
          {session.address !== null && <bdi dir="ltr">{session.address}</bdi>}
        </Parts>
      </div>
      {!session.isCurrent && <EndButton t={t} device={device} sessionId={session.sessionId} />}
    </li>
  )
}

type EndButtonProps = { readonly t: Translate; readonly device: string; readonly sessionId: string }

function EndButton({ t, device, sessionId }: EndButtonProps) {
  return (
    <form method="post" action="/account/sessions/end">
      <input type="hidden" name="session_id" value={sessionId} />
      <button type="submit" className="btn small" aria-label={t('account.endNamed', { device })}>
        {t('account.endSession')}
      </button>
    </form>
  )
}

function deviceName(t: Translate, userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent)
  if (browser !== null && system !== null) return t('account.device', { browser, system })
  return browser ?? system ?? t('account.unknownDevice')
}

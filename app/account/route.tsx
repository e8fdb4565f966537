/** The account: connected apps, sessions, the password, and sign-out. */
import { Notice } from '#app/_ui/notice.tsx'
import { withCarried } from '#app/(interaction)/login/addresses.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageQuery, pageReply, type Query } from '#lib/http/page-frame.ts'
import { seeOther } from '#lib/http/reply.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { AccountNames, AccountView } from '#lib/identity/account.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { services } from '#lib/server/services.ts'
import { ConnectedApps } from './connected-apps.tsx'
import { OwnPassword } from './own-password.tsx'
import { OwnSessions } from './own-sessions.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/account',
  refuse: refuseWithPage,
  GET: async exchange => {
    const { request, cookies, services: s } = exchange
    const query = pageQuery(request)
    const session = await s.currentSession(cookies.session)
    if (session === null) return seeOther(withCarried('/login', { pending: null, back: addressOf(query) }))
    const [account, names, owner] = await Promise.all([
      s.accountView(session),
      s.accountNames(session),
      s.passwordOwner(session),
    ])
    const frame = pageFrame(exchange)
    const page = {
      frame,
      account,
      names,
      subject: session.subject,
      hasPassword: owner !== null,
      done: query.done,
    }
    return pageReply(frame, <AccountPage {...page} />)
  },
})

/** The page with its query; `null` when there is nothing to keep. */
function addressOf(query: Query): string | null {
  const search = new URLSearchParams(query).toString()
  return search === '' ? null : `/account?${search}`
}

type AccountPageProps = {
  readonly frame: Frame
  readonly account: AccountView
  readonly names: AccountNames
  readonly subject: string
  readonly hasPassword: boolean
  readonly done: string | undefined
}

function AccountPage({ frame, account, names, subject, hasPassword, done }: AccountPageProps) {
  const { t, locale, siteName, issuer } = frame
  return (
    <Screen frame={frame} title={t('account.title', { name: siteName })} layout="column">
      <div className="top beside">
        <PageHead app={null} heading={t('account.heading')}>
          <p className="small muted">
            {t('account.signedInAs', { name: displayName(account.name, subject) })}
          </p>
          <Names t={t} names={names} />
        </PageHead>
        <form method="post" action="/logout/submit">
          <button type="submit" className="btn">
            {t('account.signOut')}
          </button>
        </form>
      </div>
      <Done t={t} what={done} />
      <ConnectedApps t={t} locale={locale} issuer={issuer} apps={account.apps} />
      <OwnSessions t={t} locale={locale} sessions={account.sessions} />
      {hasPassword && <OwnPassword t={t} />}
    </Screen>
  )
}

/** The user name and email address of the account. */
function Names({ t, names }: { readonly t: Translate; readonly names: AccountNames }) {
  const rows = [
    [t('account.username'), names.username],
    [t('account.email'), names.email],
  ] as const
  if (rows.every(([, value]) => value === null)) return null
  return (
    <dl className="facts">
      {rows.map(([label, value]) =>
        value === null ? null : (
          <div className="fact" key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi>{displayText(value, 80)}</bdi>
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

function Done({ t, what }: { readonly t: Translate; readonly what: string | undefined }) {
  if (what === 'revoked') return <Notice kind="good">{t('account.revokedOne')}</Notice>
  if (what === 'password') return <Notice kind="good">{t('account.passwordChanged')}</Notice>
  return what === 'ended' ? <Notice kind="good">{t('account.ended')}</Notice> : null
}

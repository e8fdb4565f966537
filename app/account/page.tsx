/** The account: which apps were let in, where the person is signed in, and the way out. */
import { redirect } from 'next/navigation'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { frameOf, type PageInput, type Query, readQuery, readVisit } from '#app/_ui/visit.ts'
import { withCarried } from '#app/(interaction)/login/addresses.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { displayName } from '#lib/protocol/display-text.ts'
import { ConnectedApps } from './connected-apps.tsx'
import { OwnPassword } from './own-password.tsx'
import { OwnSessions } from './own-sessions.tsx'

export default async function AccountPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const session = await visit.services.currentSession(visit.cookies.session)
  if (session === null) redirect(withCarried('/login', { pending: null, back: addressOf(query) }))

  const [account, owner] = await Promise.all([
    visit.services.accountView(session),
    visit.services.passwordOwner(session),
  ])
  const frame = frameOf(visit, { path: '/account', query: {} })
  const { t, locale, siteName, issuer } = frame
  return (
    <Screen frame={frame} title={t('account.title', { name: siteName })} layout="column">
      <div className="top beside">
        <PageHead app={null} heading={t('account.heading')}>
          <p className="small muted">
            {t('account.signedInAs', { name: displayName(account.name, session.subject) })}
          </p>
        </PageHead>
        <form method="post" action="/logout/submit">
          <button type="submit" className="btn">
            {t('account.signOut')}
          </button>
        </form>
      </div>
      <Done t={t} what={query.done} />
      <ConnectedApps t={t} locale={locale} issuer={issuer} apps={account.apps} />
      <OwnSessions t={t} locale={locale} sessions={account.sessions} />
      {owner !== null && <OwnPassword t={t} />}
    </Screen>
  )
}

/** The page again, with its query; `null` when there is nothing to keep. */
function addressOf(query: Query): string | null {
  const search = new URLSearchParams(query).toString()
  return search === '' ? null : `/account?${search}`
}

function Done({ t, what }: { readonly t: Translate; readonly what: string | undefined }) {
  if (what === 'revoked') return <Notice kind="good">{t('account.revokedOne')}</Notice>
  if (what === 'password') return <Notice kind="good">{t('account.passwordChanged')}</Notice>
  return what === 'ended' ? <Notice kind="good">{t('account.ended')}</Notice> : null
}

/** The apps a person let in, each with what it may do and a button that takes it back. */

import { Parts } from '#app/_ui/parts.tsx'
import { scopeWording } from '#app/_ui/scope-wording.ts'
import { Sentence } from '#app/_ui/sentence.tsx'
import type { Locale } from '#lib/i18n/locales.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { ConnectedApp } from '#lib/identity/account.ts'
import { AppLogo } from '#lib/pages/app-logo.tsx'
import { shownApp } from '#lib/pages/shown-app.ts'
import { TimeText } from '#lib/pages/time-text.tsx'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { Confirmed } from './confirmed.tsx'

type Words = { readonly t: Translate; readonly locale: Locale; readonly issuer: string }
type ConnectedAppsProps = Words & { readonly apps: readonly ConnectedApp[] }

export function ConnectedApps({ t, locale, issuer, apps }: ConnectedAppsProps) {
  return (
    <section className="panel" aria-labelledby="apps">
      <header>
        <h2 id="apps">{t('account.apps')}</h2>
        <p className="small muted">{t(apps.length === 0 ? 'account.noApps' : 'account.appsLead')}</p>
      </header>
      <ul className="list rows">
        {apps.map(app => (
          <AppRow key={app.clientId} t={t} locale={locale} issuer={issuer} app={app} />
        ))}
      </ul>
    </section>
  )
}

function AppRow({ t, locale, issuer, app }: Words & { readonly app: ConnectedApp }) {
  const shown = shownApp(app, issuer)
  // Offline access is told above, in words of its own
  const told = app.scopes.filter(({ name }) => !(app.isOffline && name === offlineScope))
  const permissions = told.map(scope => scopeWording(t, locale, scope).title)
  return (
    <li className="item">
      <AppLogo {...shown} />
      <div className="grow">
        <h3>{shown.name}</h3>
        <Parts look="small muted">
          <Sentence t={t} text="account.appSince" placeholder="date">
            <TimeText at={app.since} locale={locale} isDayOnly />
          </Sentence>
          {app.isOffline && t('account.appOffline')}
        </Parts>
        <Parts look="small">{permissions}</Parts>
      </div>
      <Confirmed label={t('account.revoke')} text={t('account.confirmRevoke')}>
        <form method="post" action="/account/apps/revoke">
          <input type="hidden" name="client_id" value={app.clientId} />
          <button type="submit" className="btn small">
            {t('account.revokeNamed', { app: shown.name })}
          </button>
        </form>
      </Confirmed>
    </li>
  )
}

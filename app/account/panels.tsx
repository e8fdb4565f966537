import { Panel } from '#app/_ui/panel.tsx'
import { scopeWording } from '#app/_ui/scope-wording.ts'
import { Parts } from '#app/_ui/sentence.tsx'
import type { AccountActivity } from '#lib/identity/account.ts'
import type { ConnectedApp } from '#lib/identity/connected-apps.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { AppLogo, shownApp } from '#lib/pages/page-head.tsx'
import { TimeText } from '#lib/pages/time-text.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { Confirmed, deviceName, When } from './parts.tsx'

type ConnectedAppsProps = {
  readonly frame: Frame
  readonly subject: string
  readonly apps: readonly ConnectedApp[]
}

/** The apps with access to the account, and forms that remove all or part of it. */
export function ConnectedApps({ frame, subject, apps }: ConnectedAppsProps) {
  return (
    <Panel
      frame={frame}
      id="apps"
      title="account.apps"
      hint={apps.length === 0 ? 'account.noApps' : 'account.appsLead'}
    >
      <ul className="list rows">
        {apps.map(app => (
          <AppRow key={app.clientId} {...{ frame, subject, app }} />
        ))}
      </ul>
    </Panel>
  )
}

type AppRowProps = Omit<ConnectedAppsProps, 'apps'> & { readonly app: ConnectedApp }

function AppRow({ frame, subject, app }: AppRowProps) {
  const { t, locale, issuer } = frame
  const shown = shownApp(app, issuer)
  // Offline access has its own sentence above the permissions
  const listed = app.scopes.filter(({ name }) => !(app.isOffline && name === offlineScope))
  return (
    <li className="item">
      <AppLogo {...shown} />
      <div className="grow">
        <h3>{shown.name}</h3>
        <Parts look="small muted">
          <When frame={frame} text="account.appSince" at={app.since} isDayOnly />
          {app.lastUsedAt !== null && (
            <When frame={frame} text="account.lastUsed" at={app.lastUsedAt} isDayOnly />
          )}
          {app.isOffline && t('account.appOffline')}
        </Parts>
        <Parts look="small">{listed.map(scope => scopeWording(t, locale, scope).title)}</Parts>
      </div>
      <Confirmed label={t('account.revoke')} text={t('account.confirmRevoke')}>
        <form method="post" action={browserAddress('/account/apps/revoke')}>
          <input type="hidden" name="user" value={subject} />
          <input type="hidden" name="client_id" value={app.clientId} />
          <button type="submit" className="btn small">
            {t('account.revokeNamed', { app: shown.name })}
          </button>
        </form>
      </Confirmed>
      <NarrowApp {...{ frame, subject, app }} name={shown.name} />
    </li>
  )
}

type NarrowAppProps = AppRowProps & { readonly name: string }

/** A form that removes some permissions of an app. */
function NarrowApp({ frame: { t, locale }, subject, app, name }: NarrowAppProps) {
  const removable = app.scopes.filter(({ isRemovable }) => isRemovable)
  if (removable.length === 0) return null
  return (
    <Confirmed label={t('account.narrow')} text={t('account.confirmNarrow')}>
      <form className="form" method="post" action={browserAddress('/account/apps/narrow')}>
        <input type="hidden" name="user" value={subject} />
        <input type="hidden" name="client_id" value={app.clientId} />
        <fieldset className="perms">
          <legend>{t('account.narrowQuestion', { app: name })}</legend>
          {removable.map(scope => (
            <label className="perm" key={scope.name}>
              <input type="checkbox" name="scope" value={scope.name} />
              {scopeWording(t, locale, scope).title}
            </label>
          ))}
        </fieldset>
        <div>
          <button type="submit" className="btn small">
            {t('account.narrowSelected')}
          </button>
        </div>
      </form>
    </Confirmed>
  )
}

type ActivityProps = { readonly frame: Frame; readonly activity: readonly AccountActivity[] }

export function Activity({ frame, activity }: ActivityProps) {
  const { t, locale } = frame
  if (activity.length === 0) return null
  return (
    <Panel frame={frame} id="activity" title="account.activity" hint="account.activityLead">
      <ul className="list rows">
        {activity.map(({ id, kind, time, userAgent, address }) => (
          <li className="item" key={id}>
            <div className="grow">
              <h3>{t(`account.activities.${kind}`)}</h3>
              <Parts look="small muted">
                <TimeText at={time} locale={locale} />
                {deviceName(t, userAgent)}
                {address !== null && <bdi dir="ltr">{address}</bdi>}
              </Parts>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** A link to the form that changes the password, for users whose password is stored here. */
export function OwnPassword({ frame }: { readonly frame: Frame }) {
  return (
    <Panel frame={frame} id="password" title="account.password" hint="account.passwordLead">
      <div>
        <a className="btn small" href={browserAddress('/account/password')}>
          {frame.t('account.passwordChange')}
        </a>
      </div>
    </Panel>
  )
}

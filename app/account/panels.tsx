import { Panel } from '#app/_ui/panel.tsx'
import { scopeWording } from '#app/_ui/scope-wording.ts'
import { Parts } from '#app/_ui/sentence.tsx'
import type { ActivityPage } from '#lib/identity/activity.ts'
import type { ConnectedApp, ConnectedScope } from '#lib/identity/connected-apps.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { AppLogo, shownApp } from '#lib/pages/page-head.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { ActivityList } from './activity-list.tsx'
import { Confirmed, When } from './parts.tsx'

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

/** A form with the permissions of an app, worded as on the consent page. Those that the user deselects are removed. */
function NarrowApp({ frame, subject, app, name }: NarrowAppProps) {
  const { t } = frame
  const removable = app.scopes.filter(({ isRemovable }) => isRemovable)
  if (removable.length === 0) return null
  const needed = app.scopes.filter(({ isRemovable }) => !isRemovable)
  return (
    <Confirmed label={t('account.narrow')}>
      <form className="form" method="post" action={browserAddress('/account/apps/narrow')}>
        <input type="hidden" name="user" value={subject} />
        <input type="hidden" name="client_id" value={app.clientId} />
        <input type="hidden" name="shown" value={removable.map(scope => scope.name).join(' ')} />
        <fieldset className="perms">
          <legend>{t('account.narrowQuestion', { app: name })}</legend>
          {needed.map(scope => (
            <div className="perm" key={scope.name}>
              <span className="locked" aria-hidden="true">
                ✓
              </span>
              <PermissionWords {...{ frame, scope }} />
              <span className="tag">{t('consent.needed')}</span>
            </div>
          ))}
          {removable.map(scope => (
            <label className="perm" key={scope.name}>
              <input type="checkbox" name="scope" value={scope.name} defaultChecked />
              <PermissionWords {...{ frame, scope }} />
            </label>
          ))}
        </fieldset>
        <p className="small muted">{t('account.confirmNarrow')}</p>
        <div>
          <button type="submit" className="btn small">
            {t('account.narrowSave')}
          </button>
        </div>
      </form>
    </Confirmed>
  )
}

type PermissionWordsProps = { readonly frame: Frame; readonly scope: ConnectedScope }

function PermissionWords({ frame: { t, locale }, scope }: PermissionWordsProps) {
  const { title, detail } = scopeWording(t, locale, scope)
  return (
    <span>
      {title}
      {detail !== null && <span className="small muted block">{detail}</span>}
    </span>
  )
}

type ActivityProps = { readonly frame: Frame; readonly page: ActivityPage }

const mostActivities = 5

/** The latest activities, with a link to the page of all if there are more. */
export function Activity({ frame, page: { activities, next } }: ActivityProps) {
  const { t } = frame
  if (activities.length === 0) return null
  const hasMore = next !== null || activities.length > mostActivities
  return (
    <Panel frame={frame} id="activity" title="account.activity" hint="account.activityLead">
      <ActivityList frame={frame} activities={activities.slice(0, mostActivities)} />
      {hasMore && (
        <div>
          <a className="btn small" href={browserAddress('/account/activity')}>
            {t('account.activityAll')}
          </a>
        </div>
      )}
    </Panel>
  )
}

type OwnDataPanelProps = { readonly frame: Frame; readonly offersDeletion: boolean }

/** Links to the data of the user, and to the deletion of the account. */
export function OwnDataPanel({ frame, offersDeletion }: OwnDataPanelProps) {
  return (
    <Panel frame={frame} id="data" title="ownData.panel" hint="ownData.panelLead">
      <div className="keep">
        <a className="btn small" href={browserAddress('/account/data')}>
          {frame.t('ownData.open')}
        </a>
        {offersDeletion && (
          <a className="btn small" href={browserAddress('/account/delete')}>
            {frame.t('deletion.open')}
          </a>
        )}
      </div>
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

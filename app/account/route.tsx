/** The account page: what to improve, the profile, the ways to sign in, sessions, apps, activity, and the data of the user. */

import { hostedPage, type PageContent, type PageExchange, pendingPage } from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import type { Query } from '#lib/http/page-frame.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import type { AccountNames, AccountView } from '#lib/identity/account.ts'
import { accountNames, accountView } from '#lib/identity/account.ts'
import { type OwnDeletion, ownDeletion } from '#lib/identity/account-deletion/own-deletion.ts'
import { type ActivityPage, accountActivity } from '#lib/identity/activity.ts'
import { type OwnEmail, ownEmail } from '#lib/identity/email-change/request-email-change.ts'
import { type OwnLinks, ownLinks } from '#lib/identity/links/own-links.ts'
import { passwordOwner } from '#lib/identity/own-password.ts'
import { type OwnProfile, ownProfile } from '#lib/identity/own-profile.ts'
import { plannedRemoval } from '#lib/identity/passkeys/lost-passkeys.ts'
import { type OwnPasskey, ownPasskeys } from '#lib/identity/passkeys/own-passkeys.ts'
import { type PasskeySignals, passkeySignals } from '#lib/identity/passkeys/passkey-names.ts'
import { type TwoStepView, twoStepView } from '#lib/identity/second-factor/authenticator-app.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { EmailPanel } from './email-panel.tsx'
import { LinkPanel } from './link-panel.tsx'
import { ownSession } from './own-session.ts'
import { OwnSessions } from './own-sessions.tsx'
import { Activity, ConnectedApps, OwnDataPanel, OwnPassword } from './panels.tsx'
import { PasskeyPanel } from './passkey-panel.tsx'
import { PlannedDeletion } from './planned-deletion.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { SecurityCheck } from './security-check.tsx'
import { TwoStep } from './two-step-panel.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/account',
  pendingPage(readAccount, AccountPage),
)

async function readAccount(page: PageExchange): Promise<PageContent<ShownAccount>> {
  const { query, services } = page
  const found = await ownSession(page, { back: addressOf(query) })
  if ('elsewhere' in found) return found
  const { session } = found
  const [account, names, activity, owner, twoStep, { passkeys }, links, email, removal, profile, deletion] =
    await Promise.all([
      accountView(services.ports, session),
      accountNames(services.ports, session),
      accountActivity(services.admin, session, null),
      passwordOwner(services.ports, session),
      twoStepView(services.ports, session.subject),
      ownPasskeys(services.ports, session),
      ownLinks(services.ports, session),
      ownEmail(services.ports, session),
      plannedRemoval(services.ports, session.subject),
      ownProfile(services.ports, session),
      ownDeletion(services.ports, session),
    ])
  const { subject } = session
  const isOff = services.ports.settings.relyingParty.kind === 'off'
  // The address may be the name under which credential managers list the passkeys
  const isRenamed = query.done === 'email' && passkeys.length > 0
  return {
    shown: {
      signals: isRenamed ? await passkeySignals(services.ports, session, { passkeys }) : null,
      account,
      names,
      activity,
      twoStep,
      links,
      subject,
      hasPassword: owner !== null,
      email,
      removalAt: removal?.dueAt ?? null,
      passkeys: isOff && passkeys.length === 0 ? null : passkeys,
      profile,
      deletion,
      done: query.done,
    },
  }
}

/** The address of the page with its query; `null` if the query is empty. */
function addressOf(query: Query): string | null {
  const search = new URLSearchParams(query).toString()
  return search === '' ? null : `/account?${search}`
}

type ShownAccount = {
  /** The data for the credential managers of the browser, after the name of the user has changed. */
  readonly signals: PasskeySignals | null
  readonly account: AccountView
  readonly names: AccountNames
  readonly activity: ActivityPage
  readonly twoStep: TwoStepView
  /** The linked identities; `null`: none can be linked. */
  readonly links: OwnLinks | null
  readonly subject: string
  readonly hasPassword: boolean
  /** The email address; `null`: it cannot be changed here. */
  readonly email: OwnEmail | null
  /** The time at which lost passkeys are removed; `null`: it is not planned. */
  readonly removalAt: Date | null
  /** The claims that the user may change; `null`: none. */
  readonly profile: OwnProfile | null
  /** The deletion of the account; `null`: users cannot delete theirs. */
  readonly deletion: OwnDeletion | null
  /** The passkeys; `null`: there can be none. */
  readonly passkeys: readonly OwnPasskey[] | null
  readonly done: string | undefined
}

function AccountPage({
  frame,
  signals,
  account,
  names,
  activity,
  twoStep,
  links,
  subject,
  hasPassword,
  email,
  removalAt,
  passkeys,
  profile,
  deletion,
  done,
}: ShownAccount & { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen
      frame={frame}
      title={t('account.title', { name: siteName })}
      layout="column"
      asksAgain
      usesPasskeys={signals !== null}
    >
      {signals !== null && <div hidden data-signals={JSON.stringify(signals)} />}
      <div className="top split">
        <PageHead app={null} heading={t('account.heading')}>
          <p className="small muted">
            {t('account.signedInAs', { name: displayName(account.name, subject) })}
          </p>
        </PageHead>
        <form className="leave" method="post" action={browserAddress('/logout')}>
          <input type="hidden" name="user" value={subject} />
          <a className="btn" href={browserAddress('/select-account')}>
            {t('account.switchAccount')}
          </a>
          <button type="submit" className="btn">
            {t('account.signOut')}
          </button>
        </form>
        <Names t={t} names={names} />
      </div>
      <Done t={t} what={done} name={displayName(account.name, subject)} />
      {deletion?.kind === 'planned' && <PlannedDeletion {...{ frame, subject }} planned={deletion} />}
      <SecurityCheck {...{ frame, twoStep, passkeys }} />
      {profile !== null && <ProfilePanel frame={frame} profile={profile} />}
      {email !== null && <EmailPanel frame={frame} email={email} />}
      {hasPassword && <OwnPassword frame={frame} />}
      {passkeys !== null && <PasskeyPanel {...{ frame, passkeys, subject, removalAt }} />}
      <TwoStep {...{ frame, subject, twoStep }} />
      {links !== null && <LinkPanel frame={frame} links={links} />}
      <OwnSessions {...{ frame, subject }} sessions={account.sessions} />
      <ConnectedApps {...{ frame, subject }} apps={account.apps} />
      <Activity frame={frame} page={activity} />
      <OwnDataPanel frame={frame} offersDeletion={deletion !== null && deletion.kind !== 'planned'} />
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

const doneTexts = new Map<string | undefined, MessageKey>([
  ['revoked', 'account.revokedOne'],
  ['narrowed', 'account.narrowed'],
  ['unchanged', 'account.permissionsUnchanged'],
  ['password', 'account.passwordChanged'],
  ['email', 'emailChange.done'],
  ['passkeys_lost', 'lostPasskeys.reported'],
  ['passkeys_kept', 'lostPasskeys.kept'],
  ['authenticator_removed', 'twoStep.removed'],
  ['trust_ended', 'twoStep.trustEnded'],
  ['ended', 'account.ended'],
  ['ended_several', 'account.endedSeveral'],
  ['ended_others', 'account.endedOthers'],
  ['deletion_planned', 'deletion.isPlanned'],
  ['deletion_canceled', 'deletion.isKept'],
  ['link_added', 'links.added'],
  ['link_known', 'links.known'],
  ['link_removed', 'links.removed'],
])

const problemTexts = new Map<string | undefined, MessageKey>([
  ['another_account', 'account.nowSignedIn'],
  ['link_taken', 'links.taken'],
  ['link_too_many', 'links.tooMany'],
  ['link_refused', 'links.failed'],
  ['link_expired', 'links.expired'],
  ['link_canceled', 'links.canceled'],
  ['link_not_allowed', 'links.notAllowed'],
  ['link_last', 'links.last'],
])

type DoneProps = { readonly t: Translate; readonly what: string | undefined; readonly name: string }

function Done({ t, what, name }: DoneProps) {
  const [done, problem] = [doneTexts.get(what), problemTexts.get(what)]
  if (problem !== undefined) return <Notice kind="bad">{t(problem, { name })}</Notice>
  return done === undefined ? null : <Notice kind="good">{t(done)}</Notice>
}

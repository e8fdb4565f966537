/** The page with the accounts of this browser. */

import { Notice } from '#app/_ui/notice.tsx'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayText, initialsOf } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { CarriedFields } from '../login/sign-in-parts.tsx'
import type { Carried } from '../login/sign-in-step.ts'

export type ShownAccount = {
  readonly subject: string
  readonly name: string
  /** The user name or the email address. */
  readonly detail: string | null
  readonly isCurrent: boolean
  /** Whether `login_hint` names this account. */
  readonly isRequested: boolean
}

export type ShownAccounts = {
  readonly accounts: readonly ShownAccount[]
  readonly carried: Carried
  /** The client whose request waits; `null`: the user opened the page. */
  readonly client: Client | null
  /** The name of the current account; `null`: none is current. */
  readonly current: string | null
  /** The `login_hint`, if it names none of the accounts. */
  readonly hint: string | null
}

export function AccountsPage({
  frame,
  accounts,
  carried,
  client,
  current,
  hint,
}: ShownAccounts & { readonly frame: Frame }) {
  const { t } = frame
  const app = client === null ? null : shownApp(client, frame.issuer)
  return (
    <Screen
      frame={frame}
      title={t('selectAccount.title', { name: app?.name ?? frame.siteName })}
      asksAgain={client !== null}
    >
      <PageHead app={app} heading={t('selectAccount.heading')}>
        <p className="small muted">
          {app === null ? t('selectAccount.leadAlone') : t('selectAccount.lead', { app: app.name })}
        </p>
      </PageHead>
      {hint !== null && app !== null && current !== null && (
        <Notice kind="plain">
          {t('selectAccount.askedFor', { name: current, app: app.name, hint: displayText(hint, 60) })}
        </Notice>
      )}
      <form className="stack" method="post" action={browserAddress('/select-account')}>
        <CarriedFields carried={carried} />
        {accounts.map(account => (
          <AccountButton key={account.subject} t={t} account={account} app={app?.name ?? null} />
        ))}
        <button type="submit" className="btn wide row" name="choice" value="other">
          <span className="face plus" aria-hidden="true">
            +
          </span>
          <span className="grow">{t('selectAccount.other')}</span>
        </button>
      </form>
      {accounts.length > 1 && <SignOutOf t={t} accounts={accounts} carried={carried} />}
    </Screen>
  )
}

type AccountButtonProps = {
  readonly t: Translate
  readonly account: ShownAccount
  readonly app: string | null
}

function AccountButton({ t, account, app }: AccountButtonProps) {
  const { subject, name, detail, isRequested } = account
  return (
    <button type="submit" className="btn wide row" name="user" value={subject}>
      <span className="face" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className="grow">
        {t('selectAccount.continueAs', { name })}
        <span className="small muted block">
          {detail !== null && <bdi>{displayText(detail, 60)} · </bdi>}
          {isRequested && app !== null ? t('selectAccount.requested', { app }) : t('selectAccount.signedIn')}
        </span>
      </span>
    </button>
  )
}

type SignOutOfProps = Pick<ShownAccounts, 'accounts' | 'carried'> & { readonly t: Translate }

/** Buttons that sign out, one for each account and one for all. They unfold, so that no press signs out by accident. */
function SignOutOf({ t, accounts, carried }: SignOutOfProps) {
  return (
    <details className="confirmed">
      <summary className="btn small">{t('selectAccount.signOut')}</summary>
      <p className="small">{t('selectAccount.signOutLead')}</p>
      <form className="stack" method="post" action={browserAddress('/select-account')}>
        <CarriedFields carried={carried} />
        {accounts.map(({ subject, name }) => (
          <button type="submit" className="btn wide" key={subject} name="end" value={subject}>
            {t('selectAccount.signOutNamed', { name })}
          </button>
        ))}
        <button type="submit" className="btn wide" name="accounts" value="all">
          {t('selectAccount.signOutAll')}
        </button>
      </form>
    </details>
  )
}

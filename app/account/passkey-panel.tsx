import { Notice } from '#app/_ui/notice.tsx'
import { Panel } from '#app/_ui/panel.tsx'
import { Parts } from '#app/_ui/sentence.tsx'
import { authenticatorName } from '#lib/identity/passkeys/authenticator-name.ts'
import type { OwnPasskey } from '#lib/identity/passkeys/own-passkeys.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { lostPasskeysPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { When } from './parts.tsx'

type PasskeyPanelProps = {
  readonly frame: Frame
  readonly passkeys: readonly OwnPasskey[]
  readonly subject: string
  /** The time at which lost passkeys are removed; `null`: it is not planned. */
  readonly removalAt: Date | null
}

/** The passkeys on the account page, with a link to the page that manages them. */
export function PasskeyPanel({ frame, passkeys, subject, removalAt }: PasskeyPanelProps) {
  const { t } = frame
  const isEmpty = passkeys.length === 0
  return (
    <Panel frame={frame} id="passkeys" title="passkeys.heading" hint="passkeys.lead">
      {removalAt !== null && <PlannedRemoval {...{ frame, subject, removalAt }} />}
      {!isEmpty && (
        <ul className="list rows">
          {passkeys.map(passkey => (
            <li className="item" key={passkey.id}>
              <PasskeyFacts frame={frame} passkey={passkey} />
            </li>
          ))}
        </ul>
      )}
      <div>
        <a
          className="btn small"
          href={browserAddress(isEmpty ? '/account/passkeys/add' : '/account/passkeys')}
        >
          {t(isEmpty ? 'passkeys.add' : 'passkeys.manage')}
        </a>
      </div>
    </Panel>
  )
}

type PlannedRemovalProps = { readonly frame: Frame; readonly subject: string; readonly removalAt: Date }

/** The planned removal of lost passkeys, with a button that keeps them. */
export function PlannedRemoval({ frame, subject, removalAt }: PlannedRemovalProps) {
  return (
    <>
      <Notice kind="warn">
        <When frame={frame} text="lostPasskeys.planned" at={removalAt} />
      </Notice>
      <form method="post" action={browserAddress(`${lostPasskeysPath}/cancel`)}>
        <input type="hidden" name="user" value={subject} />
        <button type="submit" className="btn small">
          {frame.t('lostPasskeys.cancel')}
        </button>
      </form>
    </>
  )
}

type PasskeyFactsProps = { readonly frame: Frame; readonly passkey: OwnPasskey }

/** The name of a passkey, the credential manager that has it, its times, and whether it is on several devices. */
export function PasskeyFacts({ frame, passkey }: PasskeyFactsProps) {
  const { t } = frame
  const { name, aaguid, createdAt, lastUsedAt, isBackedUp } = passkey
  const manager = authenticatorName(aaguid)
  return (
    <div className="grow">
      <h3>{displayName(name, t('passkeys.heading'))}</h3>
      <Parts look="small muted">
        {manager !== name && manager}
        <When frame={frame} text="passkeys.created" at={createdAt} isDayOnly />
        {lastUsedAt === null ? (
          t('passkeys.unused')
        ) : (
          <When frame={frame} text="account.lastUsed" at={lastUsedAt} isDayOnly />
        )}
        {t(isBackedUp ? 'passkeys.synced' : 'passkeys.oneDevice')}
      </Parts>
    </div>
  )
}

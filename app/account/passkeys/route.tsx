/** The passkeys of the user: names, adding and removing. */

import { TextField } from '#app/_ui/fields.tsx'
import { hostedPage, type PageContent, type PageExchange, pendingPage } from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { Panel } from '#app/_ui/panel.tsx'
import { passkeys as limits } from '#lib/config/limits.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import { plannedRemoval } from '#lib/identity/passkeys/lost-passkeys.ts'
import { type OwnPasskey, type OwnPasskeys, ownPasskeys } from '#lib/identity/passkeys/own-passkeys.ts'
import { type PasskeySignals, passkeySignals } from '#lib/identity/passkeys/passkey-names.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { ownSession } from '../own-session.ts'
import { Confirmed } from '../parts.tsx'
import { PasskeyFacts, PlannedRemoval } from '../passkey-panel.tsx'

const path = '/account/passkeys'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readPasskeys, PasskeysPage),
)

async function readPasskeys(page: PageExchange): Promise<PageContent<ShownPasskeys>> {
  const { query, services } = page
  const { ports } = services
  const found = await ownSession(page, { back: path })
  if ('elsewhere' in found) return found
  const { session } = found
  const own = await ownPasskeys(ports, session)
  const isOff = ports.settings.relyingParty.kind === 'off'
  const signals = await passkeySignals(ports, session, own)
  const { subject } = session
  const removalAt = (await plannedRemoval(ports, subject))?.dueAt ?? null
  return {
    shown: { own, subject, isOff, signals, removalAt, done: query.done },
    frame: { offersSignOut: true },
  }
}

type ShownPasskeys = {
  readonly own: OwnPasskeys
  readonly subject: string
  readonly isOff: boolean
  /** The data for the credential managers of the browser; `null`: there are no passkeys at this address. */
  readonly signals: PasskeySignals | null
  /** The time at which lost passkeys are removed; `null`: it is not planned. */
  readonly removalAt: Date | null
  readonly done: string | undefined
}

function PasskeysPage({
  frame,
  own,
  subject,
  isOff,
  signals,
  removalAt,
  done,
}: ShownPasskeys & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const { passkeys, keepsOne } = own
  return (
    <Screen
      frame={frame}
      title={t('passkeys.title', { name: siteName })}
      layout="column"
      usesPasskeys={signals !== null}
    >
      <PageHead app={null} heading={t('passkeys.heading')}>
        <p className="small muted">{t('passkeys.lead')}</p>
      </PageHead>
      <Done t={t} what={done} />
      {isOff && <Notice kind="warn">{t('passkeys.off')}</Notice>}
      {signals !== null && <div hidden data-signals={JSON.stringify(signals)} />}
      {removalAt !== null && <PlannedRemoval {...{ frame, subject, removalAt }} />}
      <Panel
        frame={frame}
        id="own"
        title="passkeys.own"
        hint={passkeys.length === 0 ? 'passkeys.none' : null}
      >
        <ul className="list rows">
          {passkeys.map(passkey => (
            <PasskeyRow
              key={passkey.id}
              frame={frame}
              subject={subject}
              passkey={passkey}
              isLast={keepsOne && passkeys.length === 1}
            />
          ))}
        </ul>
        {!isOff && (
          <div>
            <a className="btn primary" href={browserAddress(`${path}/add`)}>
              {t('passkeys.add')}
            </a>
          </div>
        )}
      </Panel>
      <p className="small muted">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

type PasskeyRowProps = {
  readonly frame: Frame
  readonly subject: string
  readonly passkey: OwnPasskey
  /** Whether it is the only way to sign in. */
  readonly isLast: boolean
}

function PasskeyRow({ frame, subject, passkey, isLast }: PasskeyRowProps) {
  const { t } = frame
  const { id, name } = passkey
  return (
    <li className="item">
      <PasskeyFacts frame={frame} passkey={passkey} />
      <RenameForm t={t} subject={subject} passkey={passkey} />
      {isLast ? (
        <p className="small muted">{t('passkeys.last')}</p>
      ) : (
        <Confirmed label={t('passkeys.remove')} text={t('passkeys.confirmRemove')}>
          <form method="post" action={browserAddress(`${path}/remove`)}>
            <input type="hidden" name="user" value={subject} />
            <input type="hidden" name="id" value={id} />
            <button type="submit" className="btn small">
              {t('passkeys.removeNamed', { name })}
            </button>
          </form>
        </Confirmed>
      )}
    </li>
  )
}

type RenameFormProps = Pick<PasskeyRowProps, 'subject' | 'passkey'> & { readonly t: Translate }

function RenameForm({ t, subject, passkey: { id, name } }: RenameFormProps) {
  return (
    <Confirmed label={t('passkeys.rename')}>
      <form className="form" method="post" action={browserAddress(`${path}/rename`)}>
        <input type="hidden" name="user" value={subject} />
        <input type="hidden" name="id" value={id} />
        <TextField
          id={`name-${id}`}
          label={t('passkeys.name')}
          isStart={false}
          input={{
            name: 'name',
            type: 'text',
            dir: 'auto',
            maxLength: limits.nameCharacters,
            defaultValue: name,
            autoComplete: 'off',
          }}
        />
        <div>
          <button type="submit" className="btn small">
            {t('passkeys.save')}
          </button>
        </div>
      </form>
    </Confirmed>
  )
}

const doneTexts = new Map<string | undefined, MessageKey>([
  ['added', 'passkeys.added'],
  ['renamed', 'passkeys.renamed'],
  ['removed', 'passkeys.removed'],
  ['last', 'passkeys.last'],
])

function Done({ t, what }: { readonly t: Translate; readonly what: string | undefined }) {
  const text = doneTexts.get(what)
  return text === undefined ? null : <Notice kind={what === 'last' ? 'bad' : 'good'}>{t(text)}</Notice>
}

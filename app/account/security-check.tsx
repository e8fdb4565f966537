/** Advice for the security of the account. The panel is absent if there is none. */
import { Panel } from '#app/_ui/panel.tsx'
import { secondFactors as limits } from '#lib/config/limits.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import type { OwnPasskey } from '#lib/identity/passkeys/own-passkeys.ts'
import type { TwoStepView } from '#lib/identity/second-factor/authenticator-app.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { authenticatorPath, recoveryCodesPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

type SecurityCheckProps = {
  readonly frame: Frame
  readonly twoStep: TwoStepView
  /** The passkeys; `null`: there can be none. */
  readonly passkeys: readonly OwnPasskey[] | null
}

type Advice = {
  readonly title: MessageKey
  readonly detail: MessageKey
  readonly action: MessageKey
  readonly path: string
}

const addPasskey: Advice = {
  title: 'check.passkey',
  detail: 'check.passkeyDetail',
  action: 'passkeys.add',
  path: '/account/passkeys/add',
}
const addFactor: Advice = {
  title: 'check.factor',
  detail: 'check.factorDetail',
  action: 'twoStep.setUp',
  path: authenticatorPath,
}
const newCodes: Advice = {
  title: 'check.codes',
  detail: 'check.codesDetail',
  action: 'twoStep.recoveryCodesNew',
  path: recoveryCodesPath,
}

export function SecurityCheck({ frame, twoStep, passkeys }: SecurityCheckProps) {
  const { t } = frame
  const left = twoStep.recoveryCodesLeft
  const advice = adviceFor({ twoStep, passkeys })
  if (advice.length === 0) return null
  return (
    <Panel frame={frame} id="check" title="check.heading" hint={null}>
      <ul className="list rows">
        {advice.map(({ title, detail, action, path }) => (
          <li className="item" key={title}>
            <div className="grow">
              <h3>{t(title, { left })}</h3>
              <p className="small muted">{t(detail)}</p>
            </div>
            <a className="btn small" href={browserAddress(path)}>
              {t(action)}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** A passkey replaces the advice of a second step: it is stronger. */
function adviceFor({ twoStep, passkeys }: Omit<SecurityCheckProps, 'frame'>): readonly Advice[] {
  const { app, recoveryCodesLeft } = twoStep
  const codes = app !== null && recoveryCodesLeft <= limits.fewRecoveryCodes ? [newCodes] : []
  if (passkeys !== null && passkeys.length > 0) return codes
  const passkey = passkeys === null ? [] : [addPasskey]
  return app === null ? [...passkey, addFactor] : [...passkey, ...codes]
}

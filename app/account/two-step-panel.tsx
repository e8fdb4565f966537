/** The panel about the second factor: the authenticator app, the recovery codes, and the browsers that skip the question. */
import { Panel } from '#app/_ui/panel.tsx'
import { Parts } from '#app/_ui/sentence.tsx'
import type { TwoStepView } from '#lib/identity/second-factor/authenticator-app.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { authenticatorPath, recoveryCodesPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { deviceName, When } from './parts.tsx'

type TwoStepProps = { readonly frame: Frame; readonly subject: string; readonly twoStep: TwoStepView }

export function TwoStep({ frame, subject, twoStep }: TwoStepProps) {
  const { t } = frame
  const { app } = twoStep
  return (
    <Panel
      frame={frame}
      id="two-step"
      title="twoStep.panel"
      hint={app === null ? 'twoStep.panelOff' : 'twoStep.panelOn'}
    >
      {app === null ? (
        <div>
          <a className="btn small" href={browserAddress(authenticatorPath)}>
            {t('twoStep.setUp')}
          </a>
        </div>
      ) : (
        <Factors {...{ frame, subject }} twoStep={{ ...twoStep, app }} />
      )}
    </Panel>
  )
}

type App = NonNullable<TwoStepView['app']>
type FactorsProps = TwoStepProps & { readonly twoStep: TwoStepView & { readonly app: App } }

function Factors({ frame, subject, twoStep }: FactorsProps) {
  const { app, recoveryCodesLeft, trustedBrowsers } = twoStep
  const { t } = frame
  return (
    <>
      <ul className="list rows">
        <li className="item">
          <div className="grow">
            <h3>{t('twoStep.app')}</h3>
            <Parts look="small muted">
              <When frame={frame} text="twoStep.since" at={app.createdAt} isDayOnly />
              {app.lastUsedAt !== null && <When frame={frame} text="twoStep.lastUsed" at={app.lastUsedAt} />}
            </Parts>
          </div>
          <a className="btn small" href={browserAddress(authenticatorPath)}>
            {t('twoStep.replace')}
          </a>
          <a className="btn small" href={browserAddress(`${authenticatorPath}/remove`)}>
            {t('twoStep.remove')}
          </a>
        </li>
        <li className="item">
          <div className="grow">
            <h3>{t('twoStep.recoveryCodes')}</h3>
            <p className="small muted">{t('twoStep.recoveryCodesLeft', { left: recoveryCodesLeft })}</p>
          </div>
          <a className="btn small" href={browserAddress(recoveryCodesPath)}>
            {t('twoStep.recoveryCodesNew')}
          </a>
        </li>
      </ul>
      <TrustedBrowsers {...{ frame, subject }} browsers={trustedBrowsers} />
    </>
  )
}

type TrustedProps = Pick<TwoStepProps, 'frame' | 'subject'> & {
  readonly browsers: TwoStepView['trustedBrowsers']
}

function TrustedBrowsers({ frame, subject, browsers }: TrustedProps) {
  const { t } = frame
  if (browsers.length === 0) return null
  const end = '/account/trusted-browsers/end'
  return (
    <>
      <h3>{t('twoStep.trusted')}</h3>
      <ul className="list rows">
        {browsers.map(({ id, userAgent, address, lastUsedAt, expiresAt }) => {
          const device = deviceName(t, userAgent)
          return (
            <li className="item" key={id}>
              <div className="grow">
                <h4>{device}</h4>
                <Parts look="small muted">
                  <When frame={frame} text="twoStep.lastUsed" at={lastUsedAt} />
                  <When frame={frame} text="twoStep.trustedUntil" at={expiresAt} isDayOnly />
                  {address !== null && <bdi dir="ltr">{address}</bdi>}
                </Parts>
              </div>
              <form method="post" action={browserAddress(end)}>
                <input type="hidden" name="user" value={subject} />
                <input type="hidden" name="browser" value={id} />
                <button
                  type="submit"
                  className="btn small"
                  aria-label={t('twoStep.endTrustNamed', { device })}
                >
                  {t('twoStep.endTrust')}
                </button>
              </form>
            </li>
          )
        })}
      </ul>
      {browsers.length > 1 && (
        <form method="post" action={browserAddress(end)}>
          <input type="hidden" name="user" value={subject} />
          <input type="hidden" name="all" value="browsers" />
          <button type="submit" className="btn small">
            {t('twoStep.endAllTrust')}
          </button>
        </form>
      )}
    </>
  )
}

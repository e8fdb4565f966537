/** The key of a new authenticator app. */
import type { Translate } from '#lib/i18n/translate.ts'
import { CopyButton } from '#lib/pages/copy-button.tsx'
import { QrCode } from '#lib/pages/qr-code.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'

type TotpKeyProps = {
  readonly t: Translate
  readonly secret: string
  readonly keyUri: string
  readonly accountName: string
}

/** The key as an image, as a link for an app on this device, and as text in groups. */
export function TotpKey({ t, secret, keyUri, accountName }: TotpKeyProps) {
  const groups = secret.match(/.{1,4}/g) ?? []
  return (
    <div className="totp-key">
      <figure>
        <QrCode text={keyUri} label={t('twoStep.scanAlt')} />
        <figcaption className="small muted">{t('twoStep.scan')}</figcaption>
      </figure>
      <p className="center">
        <a className="btn small" href={keyUri}>
          {t('twoStep.openApp')}
        </a>
      </p>
      <p className="small muted">{t('twoStep.orKey')}</p>
      <dl className="facts">
        <div className="fact">
          <dt>{t('twoStep.key')}</dt>
          <dd>
            <bdi dir="ltr">
              <code id="key">{groups.join(' ')}</code>
            </bdi>
            <span className="facts-line">
              <span className="small muted">{t('twoStep.keyHint')}</span>
              <CopyButton t={t} of="key" name={t('twoStep.key')} />
            </span>
          </dd>
        </div>
        <div className="fact">
          <dt>{t('twoStep.account')}</dt>
          <dd>
            <bdi>{displayName(accountName, '')}</bdi>
          </dd>
        </div>
      </dl>
    </div>
  )
}

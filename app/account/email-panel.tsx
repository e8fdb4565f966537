import { Panel } from '#app/_ui/panel.tsx'
import type { OwnEmail } from '#lib/identity/email-change/request-email-change.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { emailPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

type EmailPanelProps = { readonly frame: Frame; readonly email: OwnEmail }

/** The email address on the account page, with a link to the page that changes it. */
export function EmailPanel({ frame, email: { address, isVerified } }: EmailPanelProps) {
  const { t } = frame
  const label = isVerified ? 'emailChange.change' : 'emailChange.verify'
  return (
    <Panel frame={frame} id="email" title="account.email" hint="emailChange.panelLead">
      {address === null ? (
        <p className="small">{t('emailChange.none')}</p>
      ) : (
        <p>
          <bdi>{displayText(address, 80)}</bdi>
          {!isVerified && <span className="small muted"> · {t('emailChange.isUnverified')}</span>}
        </p>
      )}
      <div>
        <a className="btn small" href={browserAddress(emailPath)}>
          {t(address === null ? 'emailChange.add' : label)}
        </a>
      </div>
    </Panel>
  )
}

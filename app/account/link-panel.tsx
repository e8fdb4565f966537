import { Panel } from '#app/_ui/panel.tsx'
import { ProviderMark } from '#app/_ui/provider-mark.tsx'
import { Parts } from '#app/_ui/sentence.tsx'
import { encodeForm } from '#lib/http/read-params.ts'
import type { OwnLinks } from '#lib/identity/links/own-links.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { linksPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { When } from './parts.tsx'

type LinkPanelProps = { readonly frame: Frame; readonly links: OwnLinks }

/** The identities with which the user signs in, and links to the pages that link and unlink them. */
export function LinkPanel({ frame, links: { links, providers } }: LinkPanelProps) {
  const { t } = frame
  return (
    <Panel frame={frame} id="links" title="links.heading" hint="links.lead">
      {links.length > 0 && (
        <ul className="list rows">
          {links.map(({ id, preset, provider, label, createdAt }) => (
            <li className="item" key={id}>
              <div className="grow">
                <h3 className="with-mark">
                  {preset !== null && <ProviderMark preset={preset} />}
                  {provider}
                </h3>
                <Parts look="small muted">
                  {label !== null && <bdi>{displayText(label, 80)}</bdi>}
                  <When frame={frame} text="links.since" at={createdAt} isDayOnly />
                </Parts>
              </div>
              <a
                className="btn small"
                href={browserAddress(`${linksPath}/remove?${encodeForm([['link', id]])}`)}
                aria-label={t('links.removeNamed', { provider })}
              >
                {t('links.remove')}
              </a>
            </li>
          ))}
        </ul>
      )}
      {providers.length > 0 && (
        <div className="choices">
          {providers.map(({ scheme, preset, name }) => (
            <a
              className="btn small with-mark"
              key={scheme}
              href={browserAddress(`${linksPath}/add?${encodeForm([['provider', scheme]])}`)}
            >
              <ProviderMark preset={preset} />
              {t('links.add', { provider: name })}
            </a>
          ))}
        </div>
      )}
    </Panel>
  )
}

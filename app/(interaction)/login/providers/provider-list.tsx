/** Every organisation as one link, with the domains it covers. */
import type { Locale } from '#lib/i18n/locales.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { type Carried, externalStart } from '../addresses.ts'
import type { ShownProvider } from '../sign-in-view.ts'

type ProviderListProps = {
  readonly t: Translate
  readonly locale: Locale
  readonly providers: readonly ShownProvider[]
  readonly carried: Carried
}

const mostDomains = 3

export function ProviderList({ t, locale, providers, carried }: ProviderListProps) {
  const inWords = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' })
  return (
    <ul className="list stack" aria-label={t('providers.list')}>
      {providers.map(provider => (
        <li key={provider.scheme}>
          <a className="btn wide choice" href={externalStart(provider.scheme, carried)}>
            <span>{displayName(provider.displayName, provider.scheme)}</span>
            {provider.domains.length > 0 && (
              <span className="small faint">
                {t('providers.domains', { domains: inWords.format(shownDomains(provider)) })}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  )
}

function shownDomains({ domains }: ShownProvider): readonly string[] {
  return domains.slice(0, mostDomains).map(domain => displayText(domain, 40))
}

/** Links to everything that runs on a local server. */
import { DemoPeople } from '#app/_ui/demo-people.tsx'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'

type DevelopmentMapProps = { readonly t: Translate; readonly hasDemo: boolean }

type Place = { readonly href: string; readonly name: MessageKey; readonly hint: MessageKey }

const places: readonly Place[] = [
  { href: '/playground', name: 'home.playground', hint: 'home.playgroundHint' },
  { href: '/login', name: 'home.signIn', hint: 'home.signInHint' },
  { href: '/account', name: 'home.account', hint: 'home.accountHint' },
]

/** For demo data only: its owner is named in the terminal. */
const dashboard: Place = { href: '/admin', name: 'home.dashboard', hint: 'home.dashboardHint' }

const endpoints: ReadonlyArray<readonly [href: string, name: MessageKey]> = [
  ['/.well-known/openid-configuration', 'home.discovery'],
  ['/.well-known/jwks', 'home.keys'],
  ['/healthz', 'home.health'],
  ['/readyz', 'home.ready'],
]

export function DevelopmentMap({ t, hasDemo }: DevelopmentMapProps) {
  return (
    <>
      <nav aria-label={t('home.start')}>
        <ul className="list stack">
          {(hasDemo ? [...places, dashboard] : places).map(({ href, name, hint }) => (
            <li key={href}>
              <a className="btn wide choice" href={href}>
                <span>{t(name)}</span>
                <span className="small muted">{t(hint)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section className="stack" aria-labelledby="endpoints">
        <h2 id="endpoints">{t('home.endpoints')}</h2>
        <dl className="facts">
          {endpoints.map(([href, name]) => (
            <div className="fact" key={href}>
              <dt>{t(name)}</dt>
              <dd>
                <a className="mono" href={href}>
                  {href}
                </a>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {hasDemo && <DemoPeople t={t} />}
      <p className="small muted">{t('home.local')}</p>
    </>
  )
}

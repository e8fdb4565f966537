/**
 * The start page. If the issuer is a loopback address, it links to the pages and public documents of the server; otherwise only
 * to the account.
 */

import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { currentSession } from '#lib/identity/session.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { DemoUsers } from './_ui/demo-users.tsx'
import { hostedPage } from './_ui/hosted-route.ts'
import { findClients } from './playground/clients.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage('/', async page => {
  const { cookies, services } = page
  const session = await currentSession(services.ports, cookies.session)
  const frame = pageFrame(page, { offersSignOut: session !== null })
  const { t, siteName } = frame
  const { isLoopback, demo } = services.config
  const title = t('home.title', { name: siteName })
  if (isLoopback) {
    const hasClients = (await findClients(services)).length > 0
    return pageReply(frame, <DevelopmentPage {...{ frame, title, hasDemo: demo, hasClients }} />)
  }
  return pageReply(
    frame,
    <Screen frame={frame} title={title}>
      <PageHead app={null} heading={t('home.heading', { site: siteName })}>
        <p className="small muted">{t('home.neutral')}</p>
      </PageHead>
      <a className="btn primary wide" href={browserAddress('/account')}>
        {t('home.account')}
      </a>
    </Screen>,
  )
})

const endpoints: ReadonlyArray<readonly [href: string, name: MessageKey]> = [
  ['/.well-known/openid-configuration', 'home.discovery'],
  ['/.well-known/jwks', 'home.keys'],
  ['/healthz', 'home.health'],
  ['/readyz', 'home.ready'],
]

type DevelopmentPageProps = {
  readonly frame: Frame
  readonly title: string
  readonly hasDemo: boolean
  /** Whether the playground has a client to use. */
  readonly hasClients: boolean
}

function DevelopmentPage({ frame, title, hasDemo, hasClients }: DevelopmentPageProps) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={title} layout="wide">
      <PageHead app={null} heading={t('home.heading', { site: siteName })}>
        <p className="small muted">{t(hasDemo ? 'home.leadDemo' : 'home.lead')}</p>
      </PageHead>
      <nav aria-label={t('home.start')}>
        <ul className="list stack">
          <Link
            t={t}
            href="/playground"
            name="home.playground"
            hint={hasClients ? 'home.playgroundHint' : 'home.playgroundMissing'}
          />
          <Link t={t} href="/login" name="home.signIn" hint="home.signInHint" />
          <Link t={t} href="/account" name="home.account" hint="home.accountHint" />
          {/* With the demo, the dashboard has an owner from the first start */}
          {hasDemo && <Link t={t} href="/admin" name="home.dashboard" hint="home.dashboardHint" />}
        </ul>
      </nav>
      <section className="stack" aria-labelledby="endpoints">
        <h2 id="endpoints">{t('home.endpoints')}</h2>
        <dl className="facts">
          {endpoints.map(([href, name]) => (
            <div className="fact" key={href}>
              <dt>{t(name)}</dt>
              <dd>
                <a className="mono" href={browserAddress(href)}>
                  {href}
                </a>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {hasDemo && <DemoUsers t={t} />}
      <p className="small muted">{t('home.local')}</p>
    </Screen>
  )
}

type LinkProps = Pick<Frame, 't'> & {
  readonly href: string
  readonly name: MessageKey
  readonly hint: MessageKey
}

function Link({ t, href, name, hint }: LinkProps) {
  return (
    <li>
      <a className="btn wide choice" href={browserAddress(href)}>
        <span>{t(name)}</span>
        <span className="small muted">{t(hint)}</span>
      </a>
    </li>
  )
}

/** Sends a signed-in user to an identity provider, whose identity is to be linked, after a fresh sign-in. */

import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { encodeForm, type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { linkableProvider, startLink } from '#lib/identity/links/link-provider.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { linksPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../../fresh-session.ts'

const path = `${linksPath}/add`

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readProvider, LinkPage),
  formHandler(start, readForm),
)

type ShownProvider = { readonly subject: string; readonly scheme: string; readonly provider: string }

async function readProvider(page: PageExchange): Promise<PageContent<ShownProvider>> {
  const { provider: scheme = '' } = page.query
  const found = await freshSession(page, addressOf(scheme))
  if ('elsewhere' in found) return found
  const provider = await linkableProvider(page.services.pendingPorts(), scheme)
  if (provider === null) return { elsewhere: seeOther('/account') }
  const { subject } = found.session
  const name = displayName(provider.displayName, provider.scheme)
  return {
    shown: { subject, scheme, provider: name },
    frame: { query: { provider: scheme }, offersSignOut: true },
  }
}

function addressOf(scheme: string): string {
  return `${path}?${encodeForm([['provider', scheme]])}`
}

function LinkPage({ frame, subject, scheme, provider }: ShownProvider & { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('links.addTitle', { provider, name: siteName })}>
      <PageHead app={null} heading={t('links.addHeading', { provider })}>
        <p className="small muted">{t('links.addLead', { provider, site: siteName })}</p>
      </PageHead>
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <input type="hidden" name="provider" value={scheme} />
        <SubmitButton label={t('login.continueWith', { provider })} busy={t('login.busy')} />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function start(posted: FormExchange<FormFields>): Promise<Reply> {
  const { provider: scheme = '' } = posted.form
  const found = await freshSession(posted, addressOf(scheme))
  if ('elsewhere' in found) return found.elsewhere
  const ports = posted.services.pendingPorts()
  const provider = await linkableProvider(ports, scheme)
  if (provider === null) return seeOther('/account')
  const url = await startLink(ports, { session: found.session, provider }, posted.context)
  return seeOther(url ?? '/account?done=link_failed')
}

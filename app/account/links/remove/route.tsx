/** Unlinks an identity of an identity provider, after a fresh sign-in and a confirmation. */

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
import { findOwnLink, type OwnLink, removeLink } from '#lib/identity/links/own-links.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { linksPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../../fresh-session.ts'

const path = `${linksPath}/remove`

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readLink, RemovePage),
  formHandler(remove, readForm),
)

type ShownLink = { readonly subject: string; readonly link: OwnLink }

async function readLink(page: PageExchange): Promise<PageContent<ShownLink>> {
  const { link: id = '' } = page.query
  const found = await freshSession(page, addressOf(id))
  if ('elsewhere' in found) return found
  const { session } = found
  const link = await findOwnLink(page.services.ports, session, id)
  if (link === null) return { elsewhere: seeOther('/account') }
  return {
    shown: { subject: session.subject, link: link.shown },
    frame: { query: { link: id }, offersSignOut: true },
  }
}

function addressOf(id: string): string {
  return `${path}?${encodeForm([['link', id]])}`
}

function RemovePage({ frame, subject, link }: ShownLink & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const { id, provider, label } = link
  return (
    <Screen frame={frame} title={t('links.removeTitle', { provider, name: siteName })}>
      <PageHead app={null} heading={t('links.removeHeading', { provider })}>
        {label !== null && (
          <p className="small">
            <bdi>{displayText(label, 80)}</bdi>
          </p>
        )}
        <p className="small muted">{t('links.confirmRemove', { provider, site: siteName })}</p>
      </PageHead>
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <input type="hidden" name="link" value={id} />
        <SubmitButton label={t('links.removeNow')} busy={t('twoStep.busy')} isGuarded />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function remove(posted: FormExchange<FormFields>): Promise<Reply> {
  const { link: id = '' } = posted.form
  const found = await freshSession(posted, addressOf(id))
  if ('elsewhere' in found) return found.elsewhere
  const { context, services } = posted
  const outcome = await removeLink(services.ports, { session: found.session, id }, context)
  return seeOther(outcome === 'unknown' ? '/account' : `/account?done=link_${outcome}`)
}

/** Shows the identity with which the user signed in at a provider, and links it after the user confirms that. */

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
import { confirmLink, type LinkProofView, linkProofView } from '#lib/identity/links/link-proof.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { linksPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../../fresh-session.ts'

const path = `${linksPath}/confirm`

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readProof, ConfirmPage),
  formHandler(confirm, readForm),
)

type ShownProof = LinkProofView & {
  readonly subject: string
  /** The display name of the account. */
  readonly name: string
  readonly proof: string
}

async function readProof(page: PageExchange): Promise<PageContent<ShownProof>> {
  const { proof = '' } = page.query
  const found = await freshSession(page, addressOf(proof))
  if ('elsewhere' in found) return found
  const { session } = found
  const sent = { session, proof: parseHandle('linkProof', proof) }
  const view = await linkProofView(page.services.pendingPorts(), sent)
  if (view === null) return { elsewhere: seeOther('/account?done=link_expired') }
  const { subject, name } = session
  return {
    shown: { ...view, subject, name: displayName(name, subject), proof },
    frame: { query: { proof }, offersSignOut: true },
  }
}

function addressOf(proof: string): string {
  return `${path}?${encodeForm([['proof', proof]])}`
}

function ConfirmPage({
  frame,
  provider,
  label,
  subject,
  name,
  proof,
}: ShownProof & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const facts = [
    [provider, label === null ? t('links.unnamed') : displayText(label, 80)],
    [siteName, name],
  ] as const
  return (
    <Screen frame={frame} title={t('links.addTitle', { provider, name: siteName })}>
      <PageHead app={null} heading={t('links.confirmHeading')}>
        <p className="small muted">{t('links.confirmLead', { provider, site: siteName })}</p>
      </PageHead>
      <dl className="facts">
        {facts.map(([place, value]) => (
          <div className="fact" key={place}>
            <dt>{place}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <input type="hidden" name="proof" value={proof} />
        <SubmitButton label={t('links.confirm')} busy={t('twoStep.busy')} />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('links.cancel')}</a>
      </p>
    </Screen>
  )
}

async function confirm(posted: FormExchange<FormFields>): Promise<Reply> {
  const { proof = '' } = posted.form
  const found = await freshSession(posted, addressOf(proof))
  if ('elsewhere' in found) return found.elsewhere
  const sent = { session: found.session, proof: parseHandle('linkProof', proof) }
  const result = await confirmLink(posted.services.pendingPorts(), sent, posted.context)
  return seeOther(`/account?done=link_${result}`)
}

/** The page of the link in a mail to a new address. Only its button uses up the link, and only for the account that asked. */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Sentence } from '#app/_ui/sentence.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { mailProof } from '#lib/config/limits.ts'
import { keep } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { confirmEmailChange, emailChangeView } from '#lib/identity/email-change/confirm-email-change.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { type MailLinkHandle, parseHandle } from '#lib/protocol/ids.ts'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { emailPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { ownSession } from '../../own-session.ts'

const path = `${emailPath}/confirm`

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readLink, ConfirmPage),
  formHandler(confirm, readForm),
)

type ShownLink = {
  /** `null`: the link does not work, or is one of another account. */
  readonly address: string | null
  readonly link: string
  readonly name: string
  readonly subject: string
}

async function readLink(page: PageExchange): Promise<PageContent<ShownLink>> {
  const { query, services } = page
  const link = parseHandle('mailLink', query.link)
  const found = await ownSession(page, { back: addressOf(link) })
  if ('elsewhere' in found) return found
  const { session } = found
  const address = (await emailChangeView(services.ports, session, link))?.address ?? null
  return {
    shown: { address, link: link ?? '', name: session.name, subject: session.subject },
    frame: { query: keep(query, 'link'), offersSignOut: true },
    ...(address === null ? { status: { status: 410 } } : {}),
  }
}

function addressOf(link: MailLinkHandle | null): string {
  return link === null ? path : `${path}?link=${link}`
}

function ConfirmPage({ frame, address, link, name, subject }: ShownLink & { readonly frame: Frame }) {
  const { t, siteName } = frame
  if (address === null) return <ExpiredLink frame={frame} name={name} subject={subject} />
  return (
    <Screen frame={frame} title={t('emailChange.confirmTitle', { name: siteName })}>
      <PageHead app={null} heading={t('emailChange.confirmHeading')}>
        <p className="small muted">{t('account.signedInAs', { name: displayName(name, subject) })}</p>
      </PageHead>
      <p>
        <Sentence t={t} text="emailChange.confirmLead" placeholder="address">
          <bdi>
            <strong>{displayText(address, 80)}</strong>
          </bdi>
        </Sentence>
      </p>
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <input type="hidden" name="link" value={link} />
        <SubmitButton label={t('emailChange.confirm')} busy={t('password.busy')} />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

type ExpiredProps = Pick<ShownLink, 'name' | 'subject'> & { readonly frame: Frame }

function ExpiredLink({ frame, name, subject }: ExpiredProps) {
  const { t, siteName } = frame
  const minutes = mailProof.lifetimeSeconds / 60
  return (
    <Screen frame={frame} title={t('recovery.expiredTitle', { name: siteName })}>
      <PageHead app={null} heading={t('recovery.expiredHeading')}>
        <p className="small muted">
          {t('recovery.expired', { minutes })}{' '}
          {t('emailChange.otherAccount', { name: displayName(name, subject) })}
        </p>
      </PageHead>
      <div className="stack">
        <a className="btn primary wide" href={browserAddress(emailPath)}>
          {t('recovery.again')}
        </a>
        <a className="btn wide" href={browserAddress('/select-account')}>
          {t('account.switchAccount')}
        </a>
      </div>
    </Screen>
  )
}

async function confirm(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, context, services } = posted
  const link = parseHandle('mailLink', form.link)
  const here = addressOf(link)
  const found = await ownSession(posted, { user: form.user ?? null, back: here })
  if ('elsewhere' in found) return found.elsewhere
  const isChanged = await confirmEmailChange(services.ports, { session: found.session, link }, context)
  return seeOther(isChanged ? '/account?done=email' : here)
}

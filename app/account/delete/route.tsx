/** Deletes the account of the user after some days, after a fresh sign-in and with the user name typed. */
import { TextField } from '#app/_ui/fields.tsx'
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { type OwnDeletion, ownDeletion, planDeletion } from '#lib/identity/account-deletion/own-deletion.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../fresh-session.ts'
import { PlannedDeletion } from '../planned-deletion.tsx'

const path = '/account/delete'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readDeletion, DeletePage),
  formHandler(plan, readForm),
)

type ShownDeletion = {
  readonly deletion: OwnDeletion
  readonly subject: string
  readonly isWrongName: boolean
  readonly sendsMail: boolean
}

async function readDeletion(page: PageExchange): Promise<PageContent<ShownDeletion>> {
  const found = await freshSession(page, path)
  if ('elsewhere' in found) return found
  const { ports } = page.services
  const { subject } = found.session
  const deletion = await ownDeletion(ports, { subject })
  if (deletion === null) return { elsewhere: seeOther('/account') }
  const isWrongName = page.query.error === 'wrong_name' && deletion.kind === 'possible'
  const sendsMail = ports.mail.kind !== 'off' && (await ports.userService.mailbox?.(subject)) != null
  return { shown: { deletion, subject, isWrongName, sendsMail }, frame: { offersSignOut: true } }
}

function DeletePage({ frame, ...shown }: ShownDeletion & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const { deletion, subject, isWrongName } = shown
  return (
    <Screen frame={frame} title={t('deletion.title', { name: siteName })} isProblem={isWrongName}>
      <PageHead app={null} heading={t('deletion.heading')} />
      {deletion.kind === 'planned' && <PlannedDeletion {...{ frame, subject }} planned={deletion} />}
      {deletion.kind === 'impossible' && (
        <Notice kind="plain">{t(`deletion.impossible.${deletion.why}`)}</Notice>
      )}
      {deletion.kind === 'possible' && <DeletionForm {...{ ...shown, frame, deletion }} />}
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

type DeletionFormProps = Omit<ShownDeletion, 'deletion'> & {
  readonly frame: Frame
  readonly deletion: Extract<OwnDeletion, { kind: 'possible' }>
}

function DeletionForm({ frame: { t }, deletion, subject, isWrongName, sendsMail }: DeletionFormProps) {
  const { days } = deletion
  const username = displayName(deletion.username, '')
  return (
    <>
      {isWrongName && (
        <Notice kind="bad" id="problem">
          {t('deletion.wrongName')}
        </Notice>
      )}
      <p>{t('deletion.deleted')}</p>
      <p className="small muted">{t('deletion.kept')}</p>
      <p>{t(sendsMail ? 'deletion.waitsWithMail' : 'deletion.waits', { days })}</p>
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <TextField
          id="username"
          label={t('deletion.typeName', { username })}
          isWrong={isWrongName}
          input={{ type: 'text', dir: 'auto', autoComplete: 'off', maxLength: 255 }}
        />
        <SubmitButton label={t('deletion.submit', { days })} busy={t('deletion.busy')} isGuarded />
      </form>
    </>
  )
}

async function plan(posted: FormExchange<FormFields>): Promise<Reply> {
  const found = await freshSession(posted, path)
  if ('elsewhere' in found) return found.elsewhere
  const { form, context, services } = posted
  const request = { session: found.session, typed: form.username ?? '' }
  const outcome = await planDeletion(services.ports, request, context)
  if (outcome === 'wrong_name') return seeOther(`${path}?error=wrong_name`)
  return seeOther(outcome === 'planned' ? '/account?done=deletion_planned' : '/account')
}

/** The data of the user as a file, after a fresh sign-in. */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { LimitedNotice, pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { collectOwnData } from '#lib/identity/own-data.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../fresh-session.ts'

const path = '/account/data'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readPage, DataPage),
  formHandler(download, readForm),
)

type ShownPage = { readonly subject: string; readonly wait: string | null }

async function readPage(page: PageExchange): Promise<PageContent<ShownPage>> {
  const found = await freshSession(page, path)
  if ('elsewhere' in found) return found
  const { error, wait } = page.query
  const problem = error === 'limited' ? { kind: error, wait } : null
  return {
    shown: { subject: found.session.subject, wait: problem === null ? null : (wait ?? '') },
    frame: { offersSignOut: true },
    status: pageStatusOf(problem),
  }
}

function DataPage({ frame, subject, wait }: ShownPage & { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('ownData.title', { name: siteName })} isProblem={wait !== null}>
      <PageHead app={null} heading={t('ownData.heading')}>
        <p className="small muted">{t('ownData.lead')}</p>
      </PageHead>
      {wait !== null && <LimitedNotice t={t} wait={wait} />}
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <SubmitButton label={t('ownData.download')} busy={t('ownData.download')} />
      </form>
      <p className="small muted">{t('ownData.without')}</p>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function download(posted: FormExchange<FormFields>): Promise<Reply> {
  const found = await freshSession(posted, path)
  if ('elsewhere' in found) return found.elsewhere
  const { context, services } = posted
  const { ports, admin } = services
  const reading = { ports, eventLog: admin.eventLog, session: found.session }
  const outcome = await collectOwnData(reading, context)
  if (outcome.kind === 'limited')
    return seeOther(`${path}?error=limited&wait=${Math.ceil(outcome.retryAfterSeconds)}`)
  return {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="account-data.json"',
      'cache-control': 'no-store',
    },
    cookies: [],
    body: `${JSON.stringify(outcome.data, null, 2)}\n`,
  }
}

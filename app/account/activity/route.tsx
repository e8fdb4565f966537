/** All activity of the account, page by page. */
import { hostedPage, type PageContent, type PageExchange, pendingPage } from '#app/_ui/hosted-route.ts'
import { type ActivityPage, accountActivity } from '#lib/identity/activity.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { ActivityList } from '../activity-list.tsx'
import { ownSession } from '../own-session.ts'

const path = '/account/activity'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readActivity, AllActivity),
)

type ShownActivity = { readonly page: ActivityPage; readonly isFirst: boolean }

async function readActivity({ query, ...exchange }: PageExchange): Promise<PageContent<ShownActivity>> {
  const found = await ownSession(exchange, { back: path })
  if ('elsewhere' in found) return found
  const before = /^[0-9a-z]{1,16}-[\w-]{1,64}$/.test(query.before ?? '') ? (query.before ?? null) : null
  const page = await accountActivity(exchange.services.admin, found.session, before)
  return { shown: { page, isFirst: before === null }, frame: { offersSignOut: true } }
}

function AllActivity({ frame, page, isFirst }: ShownActivity & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const { activities, next } = page
  return (
    <Screen frame={frame} title={t('account.activityTitle', { name: siteName })} layout="column">
      <PageHead app={null} heading={t('account.activity')}>
        <p className="small muted">{t('account.activityKept')}</p>
      </PageHead>
      <section className="panel" aria-label={t('account.activity')}>
        {activities.length === 0 ? (
          <p>{t('account.noActivity')}</p>
        ) : (
          <ActivityList {...{ frame, activities }} heading="h2" />
        )}
      </section>
      <p className="small muted parts">
        {next !== null && (
          <a href={browserAddress(`${path}?before=${next}`)}>{t('account.activityEarlier')}</a>
        )}{' '}
        {!isFirst && <a href={browserAddress(path)}>{t('account.activityNewest')}</a>}{' '}
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

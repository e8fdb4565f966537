/** The page of the overview: alerts, figures, charts, and the state of the installation. */

import { may, type Permission } from '#lib/admin/access/permissions.ts'
import { readAlerts } from '#lib/admin/overview/alerts.ts'
import { readHealth } from '#lib/admin/overview/health.ts'
import { type Overview, readOverview } from '#lib/admin/overview/overview.ts'
import { type PeriodName, periodNamed, periodNames } from '#lib/admin/overview/period.ts'
import { Link } from './_ui/link.tsx'
import { AdminShell } from './_ui/page-parts.tsx'
import { type AdminPage, adminPage } from './admin-page.tsx'
import { Alerts } from './overview/alerts.tsx'
import { Charts } from './overview/charts.tsx'
import { Figures } from './overview/figures.tsx'
import { dayFormat, hourFormat } from './overview/stacked-bars.tsx'

export default adminPage('overview:read', '/admin', OverviewPage)

async function OverviewPage(page: AdminPage) {
  const { ports, now } = page
  const [overview, health] = await Promise.all([
    readOverview(ports, { name: periodNamed(page.query.period), now }),
    readHealth(ports, now),
  ])
  const alerts = await readAlerts(ports, health, now)
  return (
    <AdminShell
      page={page}
      title="Overview"
      description={periodText(overview)}
      action={<QuickCreate page={page} />}
    >
      <PeriodChoice current={overview.period.name} />
      <Alerts alerts={alerts} role={page.actor.role} />
      <Figures overview={overview} />
      <Charts overview={overview} />
    </AdminShell>
  )
}

/** The days of the period, and those with which it is compared, or that there is no data to compare it with. */
function periodText({ period, signIns, countedSince }: Overview): string {
  const { starts, unit, current, beforeUntil } = period
  const [first, last] = [starts[0], starts[unit === 'day' ? current : 0]]
  if (first === undefined || last === undefined) return ''
  const days =
    unit === 'hour' ? dayFormat.format(first) : `${dayFormat.format(first)} to ${dayFormat.format(last)}`
  const before = unit === 'hour' ? 'the previous day' : `the previous ${starts.length} days`
  if (signIns.before !== null)
    return `${days}, compared with ${before}; both until ${hourFormat.format(beforeUntil)} UTC.`
  if (countedSince === null) return `${days}, UTC. No data yet.`
  return `${days}, UTC. Counting began on ${dayFormat.format(countedSince)}: no earlier data to compare with.`
}

const created: readonly (readonly [name: string, href: string, Permission])[] = [
  ['New client', '/admin/clients/new', 'clients:create'],
  ['New user', '/admin/users/new', 'users:create'],
  ['New scope', '/admin/scopes/new', 'scopes:create'],
  ['New provider', '/admin/providers/new', 'providers:create'],
]

/** Links to create objects that the role may create. */
function QuickCreate({ page }: { readonly page: AdminPage }) {
  return created
    .filter(([, , permission]) => may(page.actor.role, permission))
    .map(([name, href]) => (
      <Link key={href} className="btn" href={href}>
        {name}
      </Link>
    ))
}

const periodLabels: Readonly<Record<PeriodName, string>> = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}

function PeriodChoice({ current }: { readonly current: PeriodName }) {
  return (
    <nav aria-label="Period">
      <ul className="list segments">
        {periodNames.map(name => (
          <li key={name}>
            <Link href={`/admin?period=${name}`} aria-current={name === current ? 'page' : undefined}>
              {periodLabels[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The overview: what needs a hand, how it goes, and the state of the house. */
import type { PageInput } from '#app/_ui/visit.ts'
import { readConcerns } from '#lib/admin/overview/attention.ts'
import { readOverview } from '#lib/admin/overview/overview.ts'
import { AdminShell } from './_ui/admin-shell.tsx'
import { BarList } from './_ui/charts/bar-list.tsx'
import { Figure } from './_ui/charts/figure.tsx'
import { StackedBars } from './_ui/charts/stacked-bars.tsx'
import { PageHeader } from './_ui/page-header.tsx'
import { Tabs } from './_ui/tabs.tsx'
import { adminPage } from './admin-page.ts'
import { Beginnings } from './overview/beginnings.tsx'
import { Concerns } from './overview/concerns.tsx'
import { failureFinding, signInFinding } from './overview/findings.ts'
import { Health } from './overview/health.tsx'

const ranges = [7, 30, 90]

export default async function OverviewPage(input: PageInput) {
  const page = await adminPage('overview:read', '/admin', input)
  const days = ranges.find(range => String(range) === page.query.days) ?? 7
  const [overview, concerns] = await Promise.all([
    readOverview(page.ports, { days, now: page.now }),
    readConcerns(page.ports, page.now),
  ])
  const { totals } = overview
  return (
    <AdminShell page={page} title="Overview">
      <PageHeader title="Overview" action={<Beginnings page={page} />} />
      <Concerns concerns={concerns} />
      <Tabs
        label="Period"
        tabs={ranges.map(range => ({
          name: `${range} days`,
          href: `/admin?days=${range}`,
          isCurrent: range === days,
        }))}
      />
      <div className="columns">
        <Figure name="Sign-ins" compared={totals.signIns} days={days} />
        <Figure name="Failed sign-ins" compared={totals.failures} days={days} />
        <Figure name="Tokens issued" compared={totals.tokens} days={days} />
      </div>
      <StackedBars title={signInFinding(overview.signIns)} data={overview.signIns} />
      <StackedBars title={failureFinding(overview.failures)} data={overview.failures} />
      <div className="columns">
        <BarList title="From the app to a redeemed code" what="Step" items={overview.funnel} />
        <BarList title="Tokens by grant" what="Grant type" items={overview.tokensByGrant} />
        <BarList
          title="Clients that get the most tokens"
          what="Client"
          items={overview.topClients}
          hrefOf={id => `/admin/clients/${encodeURIComponent(id)}`}
        />
      </div>
      <Health page={page} />
    </AdminShell>
  )
}

/** The overview: what needs a hand, how it goes, and the state of the house. */
import type { PageInput } from '#app/_ui/visit.ts'
import { readConcerns } from '#lib/admin/overview/concerns.ts'
import { readHealth } from '#lib/admin/overview/health.ts'
import { readOverview } from '#lib/admin/overview/overview.ts'
import { periodNamed } from '#lib/admin/overview/period.ts'
import { AdminShell } from './_ui/admin-shell.tsx'
import { PageHeader } from './_ui/page-header.tsx'
import { withAdminErrors } from './_ui/with-admin-errors.tsx'
import { requireAdminPage } from './admin-page.ts'
import { Charts, Rankings } from './overview/charts.tsx'
import { Concerns } from './overview/concerns.tsx'
import { Figures } from './overview/figures.tsx'
import { HealthSection } from './overview/health.tsx'
import { PeriodChoice } from './overview/period-choice.tsx'
import { QuickCreate } from './overview/quick-create.tsx'
import { periodSentence } from './overview/time-axis.ts'

export default withAdminErrors(OverviewPage)

async function OverviewPage(input: PageInput) {
  const page = await requireAdminPage('overview:read', '/admin', input)
  const { ports, now } = page
  const [overview, health] = await Promise.all([
    readOverview(ports, { name: periodNamed(page.query.period), now }),
    readHealth(ports, now),
  ])
  const concerns = await readConcerns(ports, health, now)
  return (
    <AdminShell page={page} title="Overview">
      <PageHeader
        title="Overview"
        description={periodSentence(overview)}
        action={<QuickCreate page={page} />}
      />
      <PeriodChoice current={overview.period.name} />
      <Concerns concerns={concerns} role={page.actor.role} />
      <Figures overview={overview} />
      <Charts overview={overview} />
      <Rankings overview={overview} />
      <HealthSection page={page} health={health} overview={overview} />
    </AdminShell>
  )
}

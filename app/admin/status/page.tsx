/** The page of the installation’s status: the findings of the doctor, and the state of its parts. */
import { readHealth } from '#lib/admin/overview/health.ts'
import { readLastRun, runChecks } from '#lib/admin/status/checks.ts'
import { findingGroups, selfTestGroups } from '#lib/admin/status/finding.ts'
import { runSelfTest, selfTestRunSchema } from '#lib/admin/status/self-test.ts'
import { selfTestNote } from '#lib/admin/status/self-test-note.ts'
import { AdminForm } from '../_ui/form.tsx'
import { AdminShell, Section } from '../_ui/page-parts.tsx'
import { SubmitRow } from '../_ui/post-form.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { type AdminPage, adminPage } from '../admin-page.tsx'
import { CheckResults } from './checks.tsx'
import { HealthSection } from './health.tsx'

export default adminPage('status:read', '/admin/status', StatusPage)

async function StatusPage(page: AdminPage) {
  const health = await readHealth(page.ports, page.now)
  return (
    <AdminShell
      page={page}
      title="Status"
      description="Whether this installation works as it should, seen from inside and through its public address."
    >
      <Checks page={page} />
      <SelfTest page={page} />
      <HealthSection page={page} health={health} />
    </AdminShell>
  )
}

/** The last run of the checks; nothing for roles that may not see it, because it lists weaknesses. */
async function Checks({ page }: { readonly page: AdminPage }) {
  if (page.reasonAgainst(runChecks.permission) !== null) return null
  const run = await readLastRun(page.ports.meta)
  return (
    <Section
      title="Checks"
      id="checks"
      description={
        run === null ? (
          'Checks the settings, the database, the keys, and the public address as apps and browsers reach it.'
        ) : (
          <>
            Last run <TimeAgo at={run.at} now={page.now} />.
          </>
        )
      }
    >
      <AdminForm page={page} useCase={runChecks}>
        <SubmitRow label={run === null ? 'Run the checks' : 'Run again'}>
          <span className="small muted">Takes up to half a minute. npm run doctor does the same.</span>
        </SubmitRow>
      </AdminForm>
      {run !== null && <CheckResults groups={findingGroups} findings={run.findings} />}
    </Section>
  )
}

/** The self-test, whose results are shown once. */
function SelfTest({ page }: { readonly page: AdminPage }) {
  if (page.reasonAgainst(runChecks.permission) !== null) return null
  const run = selfTestRunSchema.safeParse(page.oneTimeResult?.value).data
  return (
    <Section
      title="Self-test"
      id="self-test"
      description={`Signs a temporary user in to a temporary client through the public address, and sends requests that must be refused. Both are removed afterwards. ${selfTestNote}`}
    >
      <AdminForm page={page} useCase={runSelfTest}>
        <SubmitRow label="Run the self-test" look="plain" />
      </AdminForm>
      {run !== undefined && <CheckResults groups={selfTestGroups} findings={run.results} />}
    </Section>
  )
}

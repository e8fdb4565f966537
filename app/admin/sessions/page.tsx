/** Who is signed in, what apps hold, what people allowed; and ending it: one, or everything. */
import type { PageInput } from '#app/_ui/visit.ts'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { Tabs } from '../_ui/tabs.tsx'
import { withAdminErrors } from '../_ui/with-admin-errors.tsx'
import { type AdminPage, requireAdminPage } from '../admin-page.ts'
import { type Asked, readAsked } from './asked.ts'
import { Choices } from './choices.tsx'
import { DangerZone } from './danger-zone.tsx'
import { readEndings } from './endings.ts'
import { HoldingList } from './holding-list.tsx'
import { ListFilter } from './list-filter.tsx'
import { sessionsPath, sessionsRoot } from './paths.ts'

const tabs = [
  ['sessions', 'Sessions'],
  ['access', 'Access and tokens'],
  ['consents', 'Consents'],
] as const

export default withAdminErrors(SessionsPage)

async function SessionsPage(input: PageInput) {
  const page = await requireAdminPage('grants:read', sessionsRoot, input)
  const asked = await readAsked(page)
  const { show, person, app, search } = asked
  return (
    <AdminShell page={page} title={tabs.find(([name]) => name === show)?.[1] ?? 'Sessions'}>
      <PageHeader
        title="Sessions"
        description="Who is signed in, what apps may do for them, and what people allowed."
      />
      <Tabs
        label="Sessions"
        tabs={tabs.map(([name, text]) => ({
          name: text,
          href: sessionsPath({ show: name, sub: person?.id ?? null, clientId: app?.id ?? null }),
          isCurrent: name === show,
        }))}
      />
      <ListFilter page={page} asked={asked} />
      {search === null ? (
        <Shown page={page} asked={asked} />
      ) : (
        <Choices page={page} asked={asked} search={search} />
      )}
    </AdminShell>
  )
}

async function Shown({ page, asked }: { readonly page: AdminPage; readonly asked: Asked }) {
  const endings = await readEndings(page, asked)
  return (
    <>
      <HoldingList page={page} asked={asked} usage={endings.ofShown} />
      <DangerZone page={page} asked={asked} endings={endings} />
    </>
  )
}

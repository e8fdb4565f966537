/** One administrator: another role, or none. */
import { listAdministrators } from '#lib/admin/administrators/read-administrators.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { CopyText } from '../../_ui/copy.tsx'
import { AdminShell, Facts, PageHeader, Section } from '../../_ui/page-parts.tsx'
import { withAdminErrors } from '../../_ui/refused-page.tsx'
import { TimeAgo } from '../../_ui/times.tsx'
import { PageRefusal, requireAdminPage } from '../../admin-page.ts'
import { callUseCase } from '../../call-use-case.ts'
import { roleNames } from '../../role-names.ts'
import { type DetailInput, idOf } from '../../segments.ts'
import { administratorPath } from '../paths.ts'
import { RemoveButton } from './remove-button.tsx'
import { RoleForm } from './role-form.tsx'

export default withAdminErrors(AdministratorPage)

async function AdministratorPage(input: DetailInput) {
  const id = await idOf(input)
  const page = await requireAdminPage('administrators:read', administratorPath(id), input)
  const { administrators } = await callUseCase(page, listAdministrators, {})
  const found = administrators.find(({ subject }) => subject === id)
  if (found === undefined) throw new PageRefusal('thing', page)

  const people = administrators.filter(({ kind, role }) => kind === 'person' && role === 'owner')
  const isLast = people.length === 1 && people[0]?.subject === id
  const name = displayName(found.name, id)
  return (
    <AdminShell page={page} title={name}>
      <PageHeader
        title={name}
        back={{ name: 'Administrators', href: '/admin/administrators' }}
        aside={<span className="tag">{roleNames[found.role].name}</span>}
      />
      <Facts
        facts={[
          [
            found.kind === 'client' ? 'Client id' : 'Subject',
            <CopyText key="id" id="subject" name="the id" text={id} />,
          ],
          ['Last seen', <TimeAgo key="seen" at={found.last_seen_at} now={page.now} />],
          ['Since', <TimeAgo key="since" at={found.created_at} now={page.now} />],
        ]}
      />
      <Section title="Role" description="Another role counts from their next click.">
        <RoleForm page={page} administrator={found} isLast={isLast} />
      </Section>
      <Section title="Remove" isDangerous description="The account itself stays.">
        <RemoveButton page={page} administrator={found} name={name} isLast={isLast} />
      </Section>
    </AdminShell>
  )
}

/** The changes of the policies, to compare and restore. */
import { policiesDocument } from '#lib/admin/configuration/export-configuration.ts'
import { readHistory } from '#lib/admin/configuration/history.ts'
import { readPolicies, restorePolicies } from '#lib/admin/policies/policies.ts'
import { policiesId } from '#lib/protocol/registration/policies.ts'
import { AdminShell } from '../../_ui/page-parts.tsx'
import { type AdminPage, adminPage, callUseCase } from '../../admin-page.tsx'
import { History } from '../../resource/history.tsx'
import { PolicyTabs } from '../policy-tabs.tsx'

export default adminPage('policies:read', '/admin/policies/history', PolicyHistory)

async function PolicyHistory(page: AdminPage) {
  const policies = await callUseCase(page, readPolicies, {})
  const entries = await readHistory(page.ports, { kind: 'policies', id: policiesId })
  const { version } = policies
  return (
    <AdminShell page={page} title="Policies">
      <PolicyTabs current="history" />
      <History
        page={page}
        entries={entries}
        current={policiesDocument(policies)}
        restore={{ useCase: restorePolicies, hidden: { version } }}
      />
    </AdminShell>
  )
}

/** How one scope came to be what it is, with the way back to each version, also when it was deleted. */
import { historyOf } from '#lib/admin/configuration/history.ts'
import { readScope } from '#lib/admin/scopes/read-scopes.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase } from '../../../call-use-case.ts'
import { Gone } from '../../../resource/gone.tsx'
import { History } from '../../../resource/history.tsx'
import { scopePath } from '../../../resource/paths.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ScopeFrame } from '../../scope-frame.tsx'

export default withAdminErrors(ScopeHistoryPage)

async function ScopeHistoryPage(input: DetailInput) {
  const id = await idOf(input)
  const page = await requireAdminPage('scopes:read', scopePath(id, 'history'), input)
  const name = scopeNameSchema.safeParse(id)
  const stored = name.success ? await page.ports.adminLists.scope(name.data) : null
  const entries = await historyOf(page.ports, { kind: 'scope', id })
  const restore = { useCase: 'scopes.restore', permission: 'configuration:restore' } as const
  if (stored === null && entries.length > 0)
    return (
      <Gone
        page={page}
        name={id}
        back={{ name: 'Deleted scopes', href: '/admin/scopes/deleted' }}
        advice="It comes back with its settings. Its secrets were deleted for good, and no client may ask for it until you allow it."
      >
        <History
          page={page}
          entries={entries}
          current={null}
          restore={{ ...restore, hidden: { name: id, version: 0 } }}
        />
      </Gone>
    )
  const scope = await callUseCase(page, readScope, { name: id })
  return (
    <ScopeFrame page={page} scope={scope} tab="history">
      <History
        page={page}
        entries={entries}
        current={scope.metadata}
        restore={{ ...restore, hidden: { name: id, version: scope.version } }}
      />
    </ScopeFrame>
  )
}

/** How one scope came to be what it is, with the way back to each version. */
import { historyOf } from '#lib/admin/configuration/history.ts'
import { readScope } from '#lib/admin/scopes/read-scopes.ts'
import { History } from '../../../_ui/history.tsx'
import { adminPage } from '../../../admin-page.ts'
import { readThrough } from '../../../read-through.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { scopePath } from '../../paths.ts'
import { ScopeFrame } from '../../scope-frame.tsx'

export default async function ScopeHistoryPage(input: DetailInput) {
  const name = await idOf(input)
  const page = await adminPage('scopes:read', scopePath(name, 'history'), input)
  const scope = await readThrough(page, readScope, { name })
  const entries = await historyOf(page.ports, { kind: 'scope', id: name })
  const restore = { useCase: 'scopes.restore', hidden: { name, version: scope.version } }
  return (
    <ScopeFrame page={page} scope={scope} tab="history">
      <History page={page} entries={entries} restore={restore} />
    </ScopeFrame>
  )
}

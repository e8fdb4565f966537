/** The parts that the pages of one scope share. */
import { existsIn } from '#lib/admin/resource/resource.ts'
import { readScope } from '#lib/admin/scopes/read-scopes.ts'
import { scopes } from '#lib/admin/scopes/scope-resource.ts'
import { restoreScope } from '#lib/admin/scopes/write-scopes.ts'
import { CopyText } from '../_ui/copy.tsx'
import { callUseCase, type OutputOf } from '../admin-page.tsx'
import type { RestorablePages } from '../resource/resource-pages.tsx'

export type ReadScope = OutputOf<typeof readScope>

export const scopePages: RestorablePages<ReadScope> = {
  area: 'scopes',
  kind: 'scope',
  idField: 'name',
  title: 'Scopes',
  deletedTitle: 'Deleted scopes',
  tabs: [
    ['settings', 'Settings'],
    ['secrets', 'Secrets'],
    ['history', 'History'],
  ],
  editingTabs: ['settings', 'secrets', 'history'],
  read: (page, name) => callUseCase(page, readScope, { name }),
  head: ({ name, metadata, is_standard: isStandard, secrets }) => {
    const isIdentity = metadata.kind === 'identity'
    return {
      name,
      isEnabled: metadata.enabled !== false,
      aside: isStandard && <span className="tag">Standard</span>,
      description: (
        <>
          {isIdentity ? 'About the user' : 'Access to an API'} ·{' '}
          <CopyText id="scope-name" name="scope name" text={name} />
        </>
      ),
      hiddenTabs: isIdentity && secrets.length === 0 ? ['secrets'] : [],
    }
  },
  restore: restoreScope,
  restoreAdvice:
    'Its settings are restored. Its secrets were deleted permanently, and no client may ask for it until you allow it.',
  exists: existsIn(scopes),
  current: ({ metadata, version }) => ({ document: metadata, version }),
}

/** Every setting of one scope, who may ask for it, and what cannot be taken back. */
import { readScope } from '#lib/admin/scopes/read-scopes.ts'
import { scopeFromMetadata, scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { fieldState } from '../../_ui/draft-values.ts'
import { AdminForm } from '../../_ui/form.tsx'
import { SaveBar } from '../../_ui/save-bar.tsx'
import { Section } from '../../_ui/section.tsx'
import { withAdminErrors } from '../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../admin-page.ts'
import { callUseCase } from '../../call-use-case.ts'
import { scopePath } from '../../resource/paths.ts'
import { type DetailInput, idOf } from '../../segments.ts'
import { ConsentPreview } from '../consent-preview.tsx'
import { EndScope } from '../end-scope.tsx'
import { ScopeFields, scopeLabels } from '../scope-fields.tsx'
import { ScopeFrame } from '../scope-frame.tsx'
import { UsedBy } from '../used-by.tsx'

export default withAdminErrors(ScopePage)

async function ScopePage(input: DetailInput) {
  const name = await idOf(input)
  const page = await requireAdminPage('scopes:read', scopePath(name), input)
  const scope = await callUseCase(page, readScope, { name })
  const stored = scopeMetadataSchema.parse(scope.metadata)
  const reason = page.reasonAgainst('scopes:update')
  return (
    <ScopeFrame page={page} scope={scope} tab="">
      <Section title="Settings" description="Saved changes hold for requests that are under way, too.">
        <AdminForm
          page={page}
          useCase="scopes.update"
          hidden={{ name, version: scope.version }}
          labels={scopeLabels}
        >
          <ScopeFields
            page={page}
            state={fieldState(page, 'scopes.update', scopeLabels)}
            stored={stored}
            hasFixedKind={scope.is_standard}
          />
          <SaveBar reasonAgainst={reason} />
        </AdminForm>
      </Section>
      <ConsentPreview scope={scopeFromMetadata(scope.metadata)} />
      <UsedBy
        name={name}
        isWhole={page.query.clients === 'all'}
        clients={scope.used_by.clients}
        isMore={scope.used_by.is_more}
      />
      <EndScope page={page} scope={scope} />
    </ScopeFrame>
  )
}

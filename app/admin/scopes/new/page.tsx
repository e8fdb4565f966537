import { scopeForm } from '#lib/admin/scopes/scope-form.ts'
import { createScope } from '#lib/admin/scopes/write-scopes.ts'
import { textOf } from '#lib/protocol/registration/fields.ts'
import { scopeMetadataFields, scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { TextField } from '../../_ui/fields.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { Link } from '../../_ui/link.tsx'
import { AdminShell, Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import { type AdminPage, adminPage } from '../../admin-page.tsx'
import { ScopeFields } from '../scope-fields.tsx'

const path = '/admin/scopes/new'

export default adminPage('scopes:create', path, NewScopePage)

async function NewScopePage(page: AdminPage) {
  const state = fieldState(page, createScope, scopeForm.labels)
  return (
    <AdminShell
      page={page}
      title="New scope"
      back={{ name: 'Scopes', href: '/admin/scopes' }}
      description="A permission that clients can request. Only clients that list it get it."
    >
      <Section title="The scope">
        <AdminForm page={page} useCase={createScope} next="/admin/scopes/{name}" labels={scopeForm.labels}>
          <TextField
            {...state.text('name')}
            help={
              <>
                {textOf(scopeMetadataFields.name)?.help}{' '}
                <a href="https://www.rfc-editor.org/rfc/rfc6749.html#section-3.3" rel="noreferrer">
                  RFC 6749 §3.3
                </a>
              </>
            }
            isRequired
            isMono
          />
          <ScopeFields
            page={page}
            state={state}
            stored={scopeMetadataSchema.parse({ name: 'new' })}
            hasFixedKind={false}
          />
          <SubmitRow label="Create scope">
            <Link className="btn" href="/admin/scopes">
              Cancel
            </Link>
          </SubmitRow>
        </AdminForm>
      </Section>
    </AdminShell>
  )
}

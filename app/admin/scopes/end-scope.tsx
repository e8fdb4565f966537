/** Switching a scope off, and deleting it, with what each would mean and for whom. */
import { countedText } from '#lib/admin/counted-text.ts'
import type { readScope } from '#lib/admin/scopes/read-scopes.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { fieldState } from '../_ui/draft-values.ts'
import { TextField } from '../_ui/fields.tsx'
import { Section } from '../_ui/section.tsx'
import type { AdminPage } from '../admin-page.ts'
import type { OutputOf } from '../call-use-case.ts'

type EndScopeProps = { readonly page: AdminPage; readonly scope: OutputOf<typeof readScope> }

export function EndScope({ page, scope }: EndScopeProps) {
  return (
    <Section title="Danger zone" isDangerous>
      <SwitchScope page={page} scope={scope} />
      {scope.is_standard ? (
        <p className="small muted">
          A standard scope cannot be deleted: clients of every library know its name.
        </p>
      ) : (
        <DeleteScope page={page} scope={scope} />
      )}
    </Section>
  )
}

function usersOf({ used_by: { clients, is_more: isMore } }: EndScopeProps['scope']): string {
  return countedText({ count: clients.length, isMore }, 'client', 'clients')
}

function SwitchScope({ page, scope }: EndScopeProps) {
  const { name, version, metadata } = scope
  const isEnabled = metadata.enabled !== false
  return (
    <ConfirmedForm
      page={page}
      useCase="scopes.set_enabled"
      hidden={{ name, version, enabled: String(!isEnabled) }}
      label={isEnabled ? 'Disable this scope' : 'Enable this scope'}
      reasonAgainst={page.reasonAgainst('scopes:update')}
      consequence={
        isEnabled
          ? `Requests that name “${name}” are refused from now on; ${usersOf(scope)} may send them. You can enable it again.`
          : `The ${usersOf(scope)} that may ask for “${name}” get it again.`
      }
      verb={`${isEnabled ? 'Disable' : 'Enable'} ${name}`}
      isHarmless={!isEnabled}
    />
  )
}

function DeleteScope({ page, scope }: EndScopeProps) {
  const { name, version, used_by: usedBy } = scope
  const { value, error } = fieldState(page, 'scopes.delete')
  const isUsed = usedBy.clients.length > 0
  return (
    <ConfirmedForm
      page={page}
      useCase="scopes.delete"
      hidden={{ name, version }}
      next="/admin/scopes"
      label="Delete this scope"
      reasonAgainst={page.reasonAgainst('scopes:delete')}
      consequence={
        isUsed
          ? `Takes it from ${usersOf(scope)}, listed above. Tokens that hold it stay valid until they end; APIs see an unknown word.`
          : 'No client may ask for it, so nobody loses anything.'
      }
      verb={`Delete ${name} for ever`}
    >
      {isUsed && (
        <TextField
          name="confirm"
          label={`Type ${name} to confirm`}
          value={value('confirm', '')}
          error={error('confirm')}
          isMono
        />
      )}
    </ConfirmedForm>
  )
}

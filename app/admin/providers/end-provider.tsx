/** Switching a provider off, and deleting it, with what each would mean and for whom. */
import type { readProvider } from '#lib/admin/providers/read-providers.ts'
import { ConfirmedButton } from '../_ui/confirmed-button.tsx'
import { countedText } from '../_ui/counted-text.ts'
import { fieldState } from '../_ui/draft-values.ts'
import { TextField } from '../_ui/fields.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Section } from '../_ui/section.tsx'
import { SubmitRow } from '../_ui/submit-row.tsx'
import type { AdminPage } from '../admin-page.ts'
import type { OutputOf } from '../read-through.ts'

type EndProviderProps = { readonly page: AdminPage; readonly provider: OutputOf<typeof readProvider> }

export function EndProvider({ page, provider }: EndProviderProps) {
  return (
    <Section title="Danger zone" isDangerous>
      <SwitchProvider page={page} provider={provider} />
      <DeleteProvider page={page} provider={provider} />
    </Section>
  )
}

function SwitchProvider({ page, provider }: EndProviderProps) {
  const { scheme, version, enabled, display_name: name, usage } = provider
  const people = countedText({ count: usage.people.count, isMore: usage.people.is_more }, 'person', 'people')
  return (
    <ConfirmedButton
      label={enabled ? 'Disable this provider' : 'Enable this provider'}
      reasonAgainst={page.reasonAgainst('providers:update')}
      consequence={
        enabled
          ? `Nobody can sign in at ${name} any more; ${usage.people.count === 0 ? 'nobody' : people} did so far. Sessions that stand go on. You can enable it again.`
          : `People are offered to continue with ${name}.`
      }
    >
      <AdminForm
        page={page}
        useCase="providers.set_enabled"
        hidden={{ scheme, version, enabled: String(!enabled) }}
      >
        <SubmitRow
          label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
          look={enabled ? 'dangerous' : 'small'}
        />
      </AdminForm>
    </ConfirmedButton>
  )
}

function DeleteProvider({ page, provider }: EndProviderProps) {
  const { scheme, version, display_name: name, usage } = provider
  const { value, error } = fieldState(page, 'providers.delete')
  const people = countedText({ count: usage.people.count, isMore: usage.people.is_more }, 'person', 'people')
  const clients = usage.clients.map(client => client.name)
  const isReliedOn = usage.people.count > 0 || clients.length > 0
  return (
    <ConfirmedButton
      label="Delete this provider"
      reasonAgainst={page.reasonAgainst('providers:delete')}
      isOpen={error('confirm') !== null}
      consequence={
        <>
          <p>
            {usage.people.count === 0
              ? 'Nobody has signed in there yet.'
              : `${people} signed in there. They keep their accounts and lose this way in.`}
          </p>
          {clients.length > 0 && (
            <p>It goes from the lists of {new Intl.ListFormat('en').format(clients)}.</p>
          )}
        </>
      }
    >
      <AdminForm page={page} useCase="providers.delete" hidden={{ scheme, version }} next="/admin/providers">
        {isReliedOn && (
          <TextField
            name="confirm"
            label={`Type ${scheme} to confirm`}
            value={value('confirm', '')}
            error={error('confirm')}
            isMono
          />
        )}
        <SubmitRow label={`Delete ${name} for ever`} look="dangerous" />
      </AdminForm>
    </ConfirmedButton>
  )
}

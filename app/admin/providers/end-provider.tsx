/** Switching a provider off, and deleting it, with what each would mean and for whom. */
import { countedText } from '#lib/admin/counted-text.ts'
import type { readProvider } from '#lib/admin/providers/read-providers.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { fieldState } from '../_ui/draft-values.ts'
import { TextField } from '../_ui/fields.tsx'
import { Section } from '../_ui/section.tsx'
import type { AdminPage } from '../admin-page.ts'
import type { OutputOf } from '../call-use-case.ts'

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
    <ConfirmedForm
      page={page}
      useCase="providers.set_enabled"
      hidden={{ scheme, version, enabled: String(!enabled) }}
      label={enabled ? 'Disable this provider' : 'Enable this provider'}
      reasonAgainst={page.reasonAgainst('providers:update')}
      consequence={
        enabled
          ? `Nobody can sign in at ${name} any more; ${usage.people.count === 0 ? 'nobody' : people} did so far. Whoever is signed in from there is signed out, and apps lose what they hold for them. You can enable it again.`
          : `People are offered to continue with ${name}.`
      }
      verb={`${enabled ? 'Disable' : 'Enable'} ${name}`}
      isHarmless={!enabled}
    />
  )
}

function DeleteProvider({ page, provider }: EndProviderProps) {
  const { scheme, version, display_name: name, usage } = provider
  const { value, error } = fieldState(page, 'providers.delete')
  const people = countedText({ count: usage.people.count, isMore: usage.people.is_more }, 'person', 'people')
  const clients = usage.clients.map(client => client.name)
  const isReliedOn = usage.people.count > 0 || clients.length > 0
  return (
    <ConfirmedForm
      page={page}
      useCase="providers.delete"
      hidden={{ scheme, version }}
      next="/admin/providers"
      label="Delete this provider"
      reasonAgainst={page.reasonAgainst('providers:delete')}
      consequence={
        <>
          <p>
            {usage.people.count === 0
              ? 'Nobody has signed in there yet.'
              : `${people} signed in there. They keep their accounts, are signed out, and lose this way in.`}
          </p>
          {clients.length > 0 && (
            <p>It goes from the lists of {new Intl.ListFormat('en').format(clients)}.</p>
          )}
        </>
      }
      verb={`Delete ${name} for ever`}
    >
      {isReliedOn && (
        <TextField
          name="confirm"
          label={`Type ${scheme} to confirm`}
          value={value('confirm', '')}
          error={error('confirm')}
          isMono
        />
      )}
    </ConfirmedForm>
  )
}

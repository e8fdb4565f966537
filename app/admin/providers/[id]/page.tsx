/** The page with all settings of one identity provider, and the actions that disable or delete it. */
import { countedText } from '#lib/admin/counted-text.ts'
import { deleteProvider } from '#lib/admin/providers/provider-clients.ts'
import { setProviderEnabled, updateProvider } from '#lib/admin/providers/write-providers.ts'
import { providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import { CopyText } from '../../_ui/copy.tsx'
import { TextField } from '../../_ui/fields.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { FreshSignIn } from '../../_ui/notice.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { SaveBar } from '../../_ui/post-form.tsx'
import type { AdminPage } from '../../admin-page.tsx'
import { DangerZone } from '../../resource/danger-zone.tsx'
import { resourcePage, type Shown } from '../../resource/resource-pages.tsx'
import {
  CredentialFields,
  displayNameHelp,
  EnabledField,
  PresetFields,
  providerLabels,
  ReachFields,
} from '../provider-fields.tsx'
import { providerPages, type ReadProvider } from '../provider-pages.tsx'

type ProviderProps = { readonly page: AdminPage; readonly provider: ReadProvider }

export default resourcePage(providerPages, 'settings', ProviderSettings)

function ProviderSettings({ page, view: provider }: Shown<ReadProvider>) {
  return (
    <>
      <Section
        title="Redirect URI"
        description="Register exactly this URI at the provider. No other provider uses it."
      >
        <p>
          <CopyText id="callback" name="redirect URI" text={provider.callback_uri} />
        </p>
      </Section>
      {provider.sign_out_at_provider && (
        <Section
          title="Post-logout redirect URI"
          description="Register this URI at the provider as well: it returns users there after it has signed them out."
        >
          <p>
            <CopyText
              id="post-logout"
              name="post-logout redirect URI"
              text={provider.post_logout_redirect_uri}
            />
          </p>
        </Section>
      )}
      <Settings page={page} provider={provider} />
      <EndProvider page={page} provider={provider} />
    </>
  )
}

function Settings({ page, provider }: ProviderProps) {
  const { scheme, version, preset } = provider
  const state = fieldState(page, updateProvider, providerLabels)
  const fields = { state, preset, stored: provider }
  return (
    <Section title="Settings" description="The next sign-in uses what is saved here.">
      {page.reasonAgainst(updateProvider.permission) === null && <FreshSignIn page={page} />}
      <AdminForm
        page={page}
        useCase={updateProvider}
        hidden={{ scheme, version, preset }}
        labels={providerLabels}
      >
        <TextField {...state.text('display_name', provider.display_name)} help={displayNameHelp} />
        <TextField
          {...state.text('issuer', provider.issuer)}
          help={
            <>
              {providerPresets[preset].protocol === 'openid'
                ? 'Exactly as in its metadata.'
                : 'Its name in the key of each account.'}{' '}
              If you change it, users can no longer sign in to the accounts that they have.{' '}
              <a
                href="https://openid.net/specs/openid-connect-discovery-1_0.html#IssuerDiscovery"
                rel="noreferrer"
              >
                OpenID Connect Discovery §2
              </a>
            </>
          }
          isRequired
          isMono
        />
        <CredentialFields {...fields} />
        <PresetFields {...fields} />
        <ReachFields {...fields} />
        <EnabledField {...fields} />
        <SaveBar />
      </AdminForm>
    </Section>
  )
}

function EndProvider({ page, provider }: ProviderProps) {
  const { scheme, version, enabled, display_name: name, usage } = provider
  const hasUsers = usage.users.count > 0
  const users = countedText({ count: usage.users.count, isMore: usage.users.is_more }, 'user', 'users')
  const clients = usage.clients.map(client => client.name)
  return (
    <DangerZone
      page={page}
      area="providers"
      id={scheme}
      hidden={{ scheme, version }}
      name={name}
      enabling={{
        useCase: setProviderEnabled,
        isEnabled: enabled,
        consequence: enabled
          ? `Users can no longer sign in at ${name}; ${hasUsers ? users : 'no user'} did so far. Users who came from there are signed out, and apps lose their access. You can enable it again.`
          : `Users can continue with ${name} when they sign in.`,
      }}
      deletion={{
        useCase: deleteProvider,
        isUsed: hasUsers || clients.length > 0,
        consequence: (
          <>
            <p>
              {hasUsers
                ? `${users} signed in there. They keep their accounts, are signed out, and can no longer sign in this way.`
                : 'No user has signed in there yet.'}
            </p>
            {clients.length > 0 && (
              <p>It is removed from the lists of {new Intl.ListFormat('en').format(clients)}.</p>
            )}
          </>
        ),
      }}
    />
  )
}

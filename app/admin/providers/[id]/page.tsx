/** Every setting of one provider, and what cannot be taken back. */
import { readProvider } from '#lib/admin/providers/read-providers.ts'
import { CopyText } from '../../_ui/copy-text.tsx'
import { fieldState } from '../../_ui/draft-values.ts'
import { TextField } from '../../_ui/fields.tsx'
import { AdminForm } from '../../_ui/form.tsx'
import { FreshSignIn } from '../../_ui/fresh-sign-in.tsx'
import { SaveBar } from '../../_ui/save-bar.tsx'
import { Section } from '../../_ui/section.tsx'
import { withAdminErrors } from '../../_ui/with-admin-errors.tsx'
import { type AdminPage, requireAdminPage } from '../../admin-page.ts'
import { callUseCase, type OutputOf } from '../../call-use-case.ts'
import { providerPath } from '../../resource/paths.ts'
import { type DetailInput, idOf } from '../../segments.ts'
import { EndProvider } from '../end-provider.tsx'
import { CredentialFields, providerLabels, ReachFields } from '../provider-fields.tsx'
import { ProviderFrame } from '../provider-frame.tsx'

export default withAdminErrors(ProviderPage)

async function ProviderPage(input: DetailInput) {
  const scheme = await idOf(input)
  const page = await requireAdminPage('providers:read', providerPath(scheme), input)
  const provider = await callUseCase(page, readProvider, { scheme })
  return (
    <ProviderFrame page={page} provider={provider} tab="">
      <Section
        title="Callback address"
        description="Registered at the provider, to the letter. It belongs to this provider alone."
      >
        <p>
          <CopyText id="callback" name="callback address" text={provider.callback_uri} />
        </p>
      </Section>
      <Settings page={page} provider={provider} />
      <EndProvider page={page} provider={provider} />
    </ProviderFrame>
  )
}

type SettingsProps = { readonly page: AdminPage; readonly provider: OutputOf<typeof readProvider> }

function Settings({ page, provider }: SettingsProps) {
  const { scheme, version } = provider
  const state = fieldState(page, 'providers.update', providerLabels)
  const reason = page.reasonAgainst('providers:update')
  return (
    <Section title="Settings" description="The next sign-in uses what is saved here.">
      {reason === null && <FreshSignIn page={page} />}
      <AdminForm page={page} useCase="providers.update" hidden={{ scheme, version }} labels={providerLabels}>
        <TextField
          name="display_name"
          label={providerLabels.display_name}
          help="On the button: “Continue with …”."
          value={state.value('display_name', provider.display_name)}
          error={state.error('display_name')}
        />
        <TextField
          name="issuer"
          label={providerLabels.issuer}
          help={
            <>
              Exactly as its metadata names it. People are told apart by it: with another issuer nobody opens
              the account they had.{' '}
              <a
                href="https://openid.net/specs/openid-connect-discovery-1_0.html#IssuerDiscovery"
                rel="noreferrer"
              >
                OpenID Connect Discovery §2
              </a>
            </>
          }
          value={state.value('issuer', provider.issuer)}
          error={state.error('issuer')}
          isRequired
          isMono
        />
        <CredentialFields state={state} stored={provider} />
        <ReachFields state={state} stored={provider} />
        <SaveBar reasonAgainst={reason} />
      </AdminForm>
    </Section>
  )
}

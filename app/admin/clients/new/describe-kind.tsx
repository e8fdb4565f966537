/** The form for a client of one kind, with the defaults of that kind. */

import { kindAdvice } from '#lib/admin/clients/client-defaults.ts'
import { clientForm } from '#lib/admin/clients/client-resource.ts'
import { createClient } from '#lib/admin/clients/write-clients.ts'
import type { ClientKind } from '#lib/protocol/registration/client.ts'
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { textOf } from '#lib/protocol/registration/fields.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { RadioCards, TextField } from '../../_ui/fields.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { Link } from '../../_ui/link.tsx'
import { FreshSignIn } from '../../_ui/notice.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import type { AdminPage } from '../../admin-page.tsx'
import { SettingBoxes } from '../../resource/setting-fields.tsx'
import { RedirectUrisField } from '../redirect-uris-field.tsx'
import { settingChoices } from '../setting-choices.ts'
import { newClientPath } from './choose-client.tsx'

const labels = {
  client_name: 'Name',
  redirect_uris: 'Redirect URIs',
  scope: 'Scopes',
  client_id: 'Client ID',
  always_include_user_claims_in_id_token: 'Where does it read name, email address and groups?',
} as const

/** The scope field of the settings form. */
const scopeSetting = clientForm.groups
  .flatMap(({ settings }) => settings)
  .find(({ field }) => field === 'scope')

/** Choices for the field `always_include_user_claims_in_id_token`. */
const claimPlaces = [
  {
    value: 'false',
    title: 'At the userinfo endpoint',
    text: 'Most apps and libraries call it; ID tokens stay small, and the claims are current.',
  },
  {
    value: 'true',
    title: 'In the ID token',
    text: 'For apps that read nothing else, such as pgAdmin, dex, Auth.js, Streamlit and kube-apiserver: ID tokens have every claim of the granted scopes.',
  },
]

export async function DescribeKind({ page, kind }: { readonly page: AdminPage; readonly kind: ClientKind }) {
  const state = fieldState(page, createClient, labels)
  const { text } = state
  const { scopes, api_scopes: apiScopes } = await settingChoices(page.ports)
  const advice = kindAdvice[kind]
  return (
    <Section title={advice.title} description={advice.text}>
      <FreshSignIn page={page} />
      <AdminForm
        page={page}
        useCase={createClient}
        hidden={{ kind }}
        next="/admin/clients/{client_id}/setup"
        labels={labels}
      >
        <TextField {...text('client_name')} help="Shown to users when they sign in." isRequired />
        {advice.hasRedirectUri && (
          <RedirectUrisField
            {...text('redirect_uris')}
            help={textOf(clientMetadataFields.redirect_uris)?.help ?? ''}
            about={{
              kind,
              applicationType: kind === 'native' ? 'native' : 'web',
              issuer: page.issuer,
              stored: [],
            }}
          />
        )}
        {scopeSetting !== undefined && (
          <SettingBoxes
            setting={scopeSetting}
            stored={scopeWords(String(advice.metadata.scope ?? ''))}
            state={state}
            registered={advice.hasRedirectUri ? scopes : apiScopes}
          />
        )}
        {advice.hasRedirectUri && (
          <RadioCards {...text('always_include_user_claims_in_id_token', 'false')} cards={claimPlaces} />
        )}
        <TextField
          {...text('client_id')}
          help="Leave it empty to generate one. It cannot be changed later."
          isMono
        />
        <SubmitRow label="Create client">
          <Link className="btn" href={newClientPath}>
            Back
          </Link>
        </SubmitRow>
      </AdminForm>
    </Section>
  )
}

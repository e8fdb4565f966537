/** The last step of a new provider: the redirect URI to register there, and the fields for what the provider gives. */
import { createProvider } from '#lib/admin/providers/write-providers.ts'
import { type PresetName, providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import { providerRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import { CopyText } from '../../_ui/copy.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { Link } from '../../_ui/link.tsx'
import { FreshSignIn } from '../../_ui/notice.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import type { AdminPage } from '../../admin-page.tsx'
import {
  CredentialFields,
  EnabledField,
  FoldedReachFields,
  PresetFields,
  providerLabels,
} from '../provider-fields.tsx'

type RegisterProviderProps = {
  readonly page: AdminPage
  readonly preset: PresetName
  /** The issuer, if the preset does not give it. */
  readonly issuer: string | null
  readonly scheme: string
  readonly name: string
  /** The page on which the name and the scheme can be changed. */
  readonly back: string
}

export function RegisterProvider({ page, preset, issuer, scheme, name, back }: RegisterProviderProps) {
  const { registration, documents } = providerPresets[preset]
  const fields = { state: fieldState(page, createProvider, providerLabels), preset, stored: null }
  return (
    <>
      <Section title="Register this redirect URI there" description={registration}>
        <p>
          <CopyText id="callback" name="redirect URI" text={providerRedirectUri(page.issuer, scheme)} />
        </p>
        {documents !== null && (
          <p className="small">
            <a href={documents} rel="noreferrer">
              How to register an application at {providerPresets[preset].name}
            </a>
          </p>
        )}
      </Section>
      <Section title="What the provider gave you">
        <FreshSignIn page={page} />
        <AdminForm
          page={page}
          useCase={createProvider}
          hidden={{ preset, ...(issuer === null ? {} : { issuer }), scheme, display_name: name }}
          next="/admin/providers/{scheme}/test"
          labels={providerLabels}
        >
          <CredentialFields {...fields} />
          <PresetFields {...fields} />
          <FoldedReachFields {...fields} />
          <EnabledField {...fields} />
          <SubmitRow label="Save provider">
            <Link className="btn" href={back}>
              Change the name
            </Link>
          </SubmitRow>
        </AdminForm>
      </Section>
    </>
  )
}

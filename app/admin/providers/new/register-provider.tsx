/** The third step: register us there, and bring what the provider gives in return. */
import { callbackUriOf } from '#lib/admin/providers/provider-view.ts'
import type { previewProvider } from '#lib/admin/providers/read-providers.ts'
import { CopyText } from '../../_ui/copy-text.tsx'
import { fieldState } from '../../_ui/draft-values.ts'
import { AdminForm } from '../../_ui/form.tsx'
import { FreshSignIn } from '../../_ui/fresh-sign-in.tsx'
import { Link } from '../../_ui/link.tsx'
import { Section } from '../../_ui/section.tsx'
import { SubmitRow } from '../../_ui/submit-row.tsx'
import type { AdminPage } from '../../admin-page.ts'
import type { OutputOf } from '../../call-use-case.ts'
import { CredentialFields, providerLabels, ReachFields } from '../provider-fields.tsx'
import { PreviewFacts } from './preview-facts.tsx'

type Preview = Extract<OutputOf<typeof previewProvider>, { kind: 'found' }>

type RegisterProviderProps = {
  readonly page: AdminPage
  readonly preview: Preview
  readonly scheme: string
  readonly name: string
}

export function RegisterProvider({ page, preview, scheme, name }: RegisterProviderProps) {
  const { issuer } = preview
  const state = fieldState(page, 'providers.create', providerLabels)
  const back = `/admin/providers/new?${new URLSearchParams({ issuer, display_name: name })}`
  return (
    <>
      <Section title="What it says about itself">
        <PreviewFacts preview={preview} />
      </Section>
      <Section
        title="Register this address there"
        description={`Make a client for us at ${name || scheme}: a confidential web application with the authorization code flow, and this callback address, to the letter.`}
      >
        <p>
          <CopyText id="callback" name="callback address" text={callbackUriOf(page.issuer, scheme)} />
        </p>
      </Section>
      <Section title="What the provider gave you">
        <FreshSignIn page={page} />
        <AdminForm
          page={page}
          useCase="providers.create"
          hidden={{ issuer, scheme, display_name: name }}
          next="/admin/providers/{scheme}/trial"
          labels={providerLabels}
        >
          <CredentialFields state={state} stored={null} />
          <ReachFields state={state} stored={null} />
          <SubmitRow label="Save provider">
            <Link className="btn" href={back}>
              Back
            </Link>
          </SubmitRow>
        </AdminForm>
      </Section>
    </>
  )
}

/** The form for a client of an application, filled in for its address. */
import { clientForm } from '#lib/admin/clients/client-resource.ts'
import { createClient } from '#lib/admin/clients/write-clients.ts'
import type { Application } from '#lib/protocol/registration/applications/application.ts'
import { clientOf } from '#lib/protocol/registration/applications/fill-in.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { TextField } from '../../_ui/fields.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { Link } from '../../_ui/link.tsx'
import { FreshSignIn } from '../../_ui/notice.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import type { AdminPage } from '../../admin-page.tsx'
import { ClientField } from '../client-field.tsx'
import { settingChoices } from '../setting-choices.ts'
import { newClientPath } from './choose-client.tsx'

const { labels } = clientForm

/** The fields that are shown for every application, because its sign-in depends on them. */
const decisive: readonly string[] = [
  'client_name',
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'pkce',
  'scope',
  'access_token_format',
  'always_include_user_claims_in_id_token',
]

type DescribeApplicationProps = {
  readonly page: AdminPage
  readonly application: Application
  /** The address of the application; `null` if it needs no address. */
  readonly app: string | null
}

export async function DescribeApplication({ page, application, app }: DescribeApplicationProps) {
  const { id, name, kind } = application
  const metadata = clientOf(application, app)
  const document = clientMetadataSchema.parse({ client_id: id, ...metadata })
  const texts = clientForm.textsOf(document)
  const state = fieldState(page, createClient, labels)
  const registered = await settingChoices(page.ports)
  const about = {
    kind,
    applicationType: document.application_type,
    issuer: page.issuer,
    stored: [],
  }
  return (
    <Section
      title={app === null ? name : `${name} at ${app}`}
      description="Filled in for this application. Change what differs, such as who may use it; the settings of the application follow."
    >
      <FreshSignIn page={page} />
      <AdminForm
        page={page}
        useCase={createClient}
        hidden={{ kind }}
        next={`/admin/clients/{client_id}/setup?${new URLSearchParams({ application: id })}`}
        labels={labels}
      >
        {clientForm.groups
          .flatMap(({ settings }) => settings)
          .filter(({ field }) => decisive.includes(field) || field in metadata)
          .map(setting => (
            <ClientField
              key={setting.field}
              {...{ setting, state, registered, about }}
              stored={texts[setting.field] ?? []}
            />
          ))}
        <TextField
          {...state.text('client_id')}
          help="Leave it empty to generate one. It cannot be changed later."
          isMono
        />
        <SubmitRow label="Create client">
          <Link className="btn" href={backFrom(id, app)}>
            Back
          </Link>
        </SubmitRow>
      </AdminForm>
    </Section>
  )
}

/** The step before: the list of applications, or the address, whose field is empty again. */
function backFrom(id: string, app: string | null): string {
  return app === null ? newClientPath : `${newClientPath}?${new URLSearchParams({ application: id })}`
}

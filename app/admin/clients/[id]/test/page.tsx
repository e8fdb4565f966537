/** The page that tests a client, and shows the result once. */

import type { ClientView } from '#lib/admin/clients/client-resource.ts'
import { beginClientTest, reasonAgainstTest } from '#lib/admin/clients/client-test/begin-client-test.ts'
import { testResultSchema } from '#lib/admin/clients/client-test/client-test-result.ts'
import { finishClientTest } from '#lib/admin/clients/client-test/finish-client-test.ts'
import { flowsOf, needsSecret, scopeChoices } from '#lib/admin/flow-runs/flows.ts'
import { clientPath } from '#lib/admin/page-paths.ts'
import { translate } from '#lib/i18n/translate.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { type Client, clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { prompts } from '#lib/protocol/vocabulary.ts'
import { clientTestRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import { CheckBoxes, SelectField, TextField } from '../../../_ui/fields.tsx'
import { AdminForm, fieldState } from '../../../_ui/form.tsx'
import { Link } from '../../../_ui/link.tsx'
import { Notice } from '../../../_ui/notice.tsx'
import { Facts, Section } from '../../../_ui/page-parts.tsx'
import { SubmitRow } from '../../../_ui/post-form.tsx'
import type { AdminPage } from '../../../admin-page.tsx'
import { resourcePage, type Shown } from '../../../resource/resource-pages.tsx'
import { clientPages } from '../../client-pages.tsx'
import { TestReport } from './test-report.tsx'

/** Texts that are shared with the playground. The dashboard is only in English. */
const t = translate('en')

const tests: ReadonlySet<string | undefined> = new Set([beginClientTest.name, finishClientTest.name])

export default resourcePage(clientPages, 'test', ClientTest)

function ClientTest({ page, view: client, id }: Shown<ClientView>) {
  const result = tests.has(page.oneTimeResult?.useCase)
    ? testResultSchema.safeParse(page.oneTimeResult?.value)
    : null
  const report = result?.success && result.data.client_id === id ? result.data : null
  return (
    <>
      {report !== null && <TestReport result={report} />}
      <TestForm page={page} client={client} isAgain={report !== null} />
    </>
  )
}

type TestFormProps = { readonly page: AdminPage; readonly client: ClientView; readonly isAgain: boolean }

async function TestForm({ page, client, isAgain }: TestFormProps) {
  const registered = clientFromMetadata(client.metadata)
  const allowed = flowsOf(registered)
  if (allowed.length === 0)
    return (
      <Section title="This client cannot be tested here">
        <p>{reasonAgainstTest(registered)}</p>
        <p>
          <Link href={clientPath(client.client_id, 'setup')}>Open its setup</Link>
        </p>
      </Section>
    )
  const state = fieldState(page, beginClientTest)
  const known = (await page.ports.scopes.all()).map(({ scope }) => scope.name)
  const { offered, suggested } = scopeChoices(registered, known)
  const hasSignIn = allowed.some(flow => flow !== 'client_credentials')
  return (
    <Section
      title={isAgain ? 'Run the test again' : 'Test this client'}
      description={hasSignIn ? descriptions.sign_in : descriptions.client_credentials}
    >
      <AdminForm page={page} useCase={beginClientTest} hidden={{ client_id: client.client_id }}>
        {allowed.length > 1 && (
          <SelectField
            name="flow"
            label="Flow"
            value={state.value('flow', allowed[0] ?? '')}
            options={allowed.map(flow => [flow, t(`playground.flows.${flow}`)] as const)}
            error={state.error('flow')}
          />
        )}
        <CheckBoxes
          name="scope"
          label="Scopes"
          help={t('playground.scopesHint')}
          values={state.values('scope', suggested)}
          options={offered.map(name => [name, name] as const)}
          fullAccess={adminScope}
          error={state.error('scope')}
        />
        {hasSignIn && (
          <SelectField
            name="prompt"
            label="Prompt"
            value={state.value('prompt', '')}
            options={[['', t('playground.noPrompt')], ...prompts.map(name => [name, name] as const)]}
            error={state.error('prompt')}
          />
        )}
        {hasSignIn && <LevelFields state={state} />}
        <SecretField client={registered} error={state.error('client_secret')} />
        {hasSignIn && (
          <Facts
            facts={{
              'Returns to': <code>{clientTestRedirectUri(page.issuer)}</code>,
              'Not tested': <NotTested uris={registered.redirectUris} />,
            }}
          />
        )}
        {!registered.enabled && <Notice kind="warn">The client is disabled. Enable it to test it.</Notice>}
        <SubmitRow label="Run the test" />
      </AdminForm>
    </Section>
  )
}

function LevelFields({ state }: { readonly state: ReturnType<typeof fieldState> }) {
  return (
    <>
      <TextField
        name="acr_values"
        label={t('playground.acrValues')}
        help={t('playground.acrValuesHint')}
        value={state.value('acr_values', '')}
        error={state.error('acr_values')}
      />
      <TextField
        name="max_age"
        label={t('playground.maxAge')}
        help={t('playground.maxAgeHint')}
        value={state.value('max_age', '')}
        error={state.error('max_age')}
      />
    </>
  )
}

const descriptions = {
  sign_in:
    'You follow the real flow: the authorization endpoint, sign-in, consent, and back here, where the server redeems the code as the app would. The test uses a temporary client with the same settings. Everything it issues is revoked at the end, and no consent is remembered.',
  client_credentials:
    'Requests a token as this client would: client_credentials with its scopes. The token is revoked immediately.',
} as const

function NotTested({ uris }: { readonly uris: readonly string[] }) {
  if (uris.length === 0) return 'No redirect URI is registered: no app can use this client yet.'
  return (
    <>
      The app’s own code and redirect URIs:
      {uris.map(uri => (
        <code key={uri} className="block">
          {uri}
        </code>
      ))}
    </>
  )
}

function SecretField({ client, error }: { readonly client: Client; readonly error: string | null }) {
  const allowed = flowsOf(client)
  if (!allowed.some(flow => needsSecret(flow, client))) return null
  const isRequired = allowed.every(flow => flow === 'client_credentials')
  return (
    <TextField
      name="client_secret"
      label={isRequired ? 'One of its secrets' : 'One of its secrets (optional)'}
      help={
        isRequired
          ? 'Used for this test and not stored.'
          : 'Tried now and not stored. Leave blank to test with a temporary secret.'
      }
      type="password"
      value=""
      isRequired={isRequired}
      error={error}
    />
  )
}

/** The page that tests a client, and shows the result once. */

import { type Kit, TokenView } from '#app/_ui/token-view.tsx'
import type { ClientView } from '#lib/admin/clients/client-resource.ts'
import { beginClientTest, reasonAgainstTest } from '#lib/admin/clients/client-test/begin-client-test.ts'
import {
  type Received,
  type TestResult,
  type TestStep,
  testResultSchema,
} from '#lib/admin/clients/client-test/client-test-result.ts'
import { finishClientTest } from '#lib/admin/clients/client-test/finish-client-test.ts'
import { flowsOf, needsSecret, scopeChoices } from '#lib/admin/flow-runs/flows.ts'
import { clientPath, requestTracePath } from '#lib/admin/page-paths.ts'
import { translate } from '#lib/i18n/translate.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { type Client, clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { prompts } from '#lib/protocol/vocabulary.ts'
import { clientTestRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import { CodePanel } from '../../../_ui/copy.tsx'
import { CheckBoxes, SelectField, TextField } from '../../../_ui/fields.tsx'
import { AdminForm, fieldState } from '../../../_ui/form.tsx'
import { Link } from '../../../_ui/link.tsx'
import { Notice } from '../../../_ui/notice.tsx'
import { Facts, Section } from '../../../_ui/page-parts.tsx'
import { SubmitRow } from '../../../_ui/post-form.tsx'
import { Moment } from '../../../_ui/times.tsx'
import type { AdminPage } from '../../../admin-page.tsx'
import { resourcePage, type Shown } from '../../../resource/resource-pages.tsx'
import { clientPages } from '../../client-pages.tsx'

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

function TestReport({ result }: { readonly result: TestResult }) {
  const failed = result.steps.find(step => step.result === 'failed')
  return (
    <>
      {failed === undefined ? (
        <Notice kind="good">
          The client works. This is shown once; the tokens are revoked and not stored.
        </Notice>
      ) : (
        <Notice kind="bad">
          The test failed: {words[failed.name].failed}
          {failed.says !== null && ` ${failed.says}`}
        </Notice>
      )}
      <ol className="checks untimed list" aria-label="Steps of the test">
        {result.steps.map(step => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
      {result.received.map(received => (
        <ReceivedSection
          key={received.from}
          received={received}
          hasRefreshToken={result.has_refresh_token && received.from === 'access_token'}
        />
      ))}
    </>
  )
}

type ReceivedSectionProps = { readonly received: Received; readonly hasRefreshToken: boolean }

function ReceivedSection({ received: { from, ...token }, hasRefreshToken }: ReceivedSectionProps) {
  const title = t(`playground.${names[from]}`)
  const hint = t(`playground.${names[from]}Hint`)
  return (
    <Section id={from} title={title} description={hasRefreshToken ? `${hint} ${withRefreshToken}` : hint}>
      <TokenView words={{ t, locale: 'en' }} kit={kitOf(title)} id={from} token={token} />
    </Section>
  )
}

const withRefreshToken = 'A refresh token came with it.'

const signs = { passed: '✓', failed: '✕', skipped: '–', not_reached: '·' } as const
const spoken = {
  passed: 'Passed',
  failed: 'Failed',
  skipped: 'Skipped',
  not_reached: 'Not reached',
} as const

function Step({ step: { name, result, says, reference } }: { readonly step: TestStep }) {
  return (
    <li className={result === 'skipped' ? 'not_reached' : result}>
      <span className="sign" aria-hidden="true">
        {signs[result]}
      </span>
      <span>
        <span className="visually-hidden">{`${spoken[result]}: `}</span>
        {result === 'failed' ? words[name].failed : words[name].text}
        {says !== null && <span className="small muted block">{says}</span>}
      </span>
      {reference !== null && (
        <Link className="small" href={requestTracePath(reference)}>
          Request trace <span className="mono">{reference}</span>
        </Link>
      )}
    </li>
  )
}

type Words = { readonly text: string; readonly failed: string }

const words: Readonly<Record<TestStep['name'], Words>> = {
  secret: {
    text: 'The client authenticated with the secret',
    failed: 'The client did not authenticate with the secret.',
  },
  authorized: {
    text: 'The request was accepted, with sign-in and consent',
    failed: 'The authorization endpoint refused the request.',
  },
  answer_ours: {
    text: 'The response belongs to this test and names this server as its issuer',
    failed: 'The response does not name this server as its issuer.',
  },
  tokens_issued: {
    text: 'The token endpoint issued tokens',
    failed: 'The token endpoint refused the request.',
  },
  identity_token: {
    text: 'The ID token is signed by this server, for this client, with the nonce of the request',
    failed: 'The ID token is not valid for the app.',
  },
  access_token: {
    text: 'The access token is valid',
    failed: 'The access token is not valid.',
  },
  userinfo: { text: 'Userinfo returned claims', failed: 'Userinfo refused the access token.' },
  ended: {
    text: 'Everything that was issued is revoked',
    failed: 'Not everything that was issued is revoked.',
  },
}

const names = {
  identity_token: 'idToken',
  access_token: 'accessToken',
  userinfo: 'userinfo',
} as const satisfies Record<Received['from'], string>

/** Components for code whose title names the token, so that the label of the copy button names it as well. */
function kitOf(title: string): Kit {
  return {
    JsonBlock: ({ id, label, text, children }) => (
      <CodePanel id={id} title={`${title} · ${label}`} text={text}>
        {children}
      </CodePanel>
    ),
    Time: Moment,
  }
}

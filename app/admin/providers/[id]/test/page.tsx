/** The page that tests a sign-in at an identity provider before users need it, and shows the result once. */
import type { ReactNode } from 'react'
import { providerPath } from '#lib/admin/page-paths.ts'
import {
  finishProviderTest,
  type ProviderTestResult,
  providerTestResultSchema,
  startProviderTest,
} from '#lib/admin/providers/provider-test.ts'
import { setProviderEnabled } from '#lib/admin/providers/write-providers.ts'
import { ConfirmedForm } from '../../../_ui/confirmed-form.tsx'
import { CodePanel, CopyText } from '../../../_ui/copy.tsx'
import { type Column, DataTable } from '../../../_ui/data-table.tsx'
import { AdminForm } from '../../../_ui/form.tsx'
import { Notice } from '../../../_ui/notice.tsx'
import { Facts, Section } from '../../../_ui/page-parts.tsx'
import { SubmitRow } from '../../../_ui/post-form.tsx'
import { TimeAgo } from '../../../_ui/times.tsx'
import type { AdminPage } from '../../../admin-page.tsx'
import { resourcePage, type Shown } from '../../../resource/resource-pages.tsx'
import { providerPages, type ReadProvider } from '../../provider-pages.tsx'

const tests: ReadonlySet<string | undefined> = new Set([startProviderTest.name, finishProviderTest.name])

export default resourcePage(providerPages, 'test', ProviderTest)

function ProviderTest({ page, view: provider, id: scheme }: Shown<ReadProvider>) {
  const answer = tests.has(page.oneTimeResult?.useCase)
    ? providerTestResultSchema.safeParse(page.oneTimeResult?.value)
    : null
  return (
    <>
      {answer?.success && answer.data.scheme === scheme && (
        <TestResult
          answer={answer.data}
          now={page.now}
          next={provider.enabled ? null : <EnableProvider page={page} provider={provider} />}
        />
      )}
      <Section
        title={answer?.success ? 'Test again' : 'Test sign-in'}
        description={`Sends you to ${provider.display_name} and shows the claims that it returns about you. It signs no user in, and creates or links no account. It also works while the provider is disabled.`}
      >
        <Facts
          facts={{
            Issuer: <CopyText id="issuer" name="issuer" text={provider.issuer} />,
            'Redirect URI': <CopyText id="callback" name="redirect URI" text={provider.callback_uri} />,
            Scopes:
              provider.scope === '' ? <span className="faint">none</span> : <code>{provider.scope}</code>,
          }}
        />
        <AdminForm page={page} useCase={startProviderTest} hidden={{ scheme }}>
          <SubmitRow label={`Sign in at ${provider.display_name}`} />
        </AdminForm>
      </Section>
    </>
  )
}

type Claim = readonly [name: string, value: unknown]

const columns: readonly Column<Claim>[] = [
  { name: 'Claim', cell: ([name]) => <span className="mono small">{name}</span> },
  {
    name: 'Value',
    cell: ([, value]) => (
      <span className="mono small">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
    ),
  },
]

type EnableProps = { readonly page: AdminPage; readonly provider: ReadProvider }

/** The next step after a test that worked: users cannot continue with a disabled provider. */
function EnableProvider({ page, provider: { scheme, version, display_name: name } }: EnableProps) {
  return (
    <Section title={`${name} is disabled`} description="Users do not see it yet.">
      <ConfirmedForm
        page={page}
        useCase={setProviderEnabled}
        hidden={{ scheme, version, enabled: 'true' }}
        back={providerPath(scheme)}
        label="Enable this provider"
        thing={name}
        consequence={`Users can continue with ${name} when they sign in.`}
        verb={`Enable ${name}`}
        isHarmless
      />
    </Section>
  )
}

type ResultProps = { readonly answer: ProviderTestResult; readonly now: Date; readonly next: ReactNode }

function TestResult({ answer, now, next }: ResultProps) {
  if (answer.kind === 'failed') return <Notice kind="bad">The test failed. {answer.sentence}</Notice>
  const { subject, username, name, authenticated_at: time, claims } = answer.identity
  const account =
    username === null ? (
      'The first sign-in would create one'
    ) : (
      <>
        A sign-in would use the account of {name ?? username}
        {name !== null && <span className="mono small faint block">{username}</span>}
      </>
    )
  return (
    <>
      <Notice kind="good">The sign-in works. This is shown once and not stored.</Notice>
      {next}
      <Section
        title="Claims from the provider"
        description="These become the claims of the user. The scopes of a client decide which of them it receives."
      >
        <Facts
          facts={{
            Subject: <span className="mono">{subject}</span>,
            'Signed in there': <TimeAgo at={time} now={now} never="not specified" />,
            'Account here': account,
          }}
        />
        <DataTable
          caption="Claims received"
          columns={columns}
          rows={Object.entries(claims)}
          keyOf={([claim]) => claim}
        />
        <details>
          <summary>As JSON</summary>
          <CodePanel id="claims" title="claims" text={JSON.stringify(claims, null, 2)} />
        </details>
      </Section>
    </>
  )
}

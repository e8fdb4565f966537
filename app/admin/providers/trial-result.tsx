/** What a provider said about the admin who tried it out. */
import { Notice } from '#app/admin/_ui/notice.tsx'
import type { TrialAnswer } from '#lib/admin/providers/try-provider.ts'
import { CodePanel } from '../_ui/code-panel.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { Facts } from '../_ui/facts.tsx'
import { Section } from '../_ui/section.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'

type TrialResultProps = { readonly answer: TrialAnswer; readonly now: Date }
type Claim = readonly [name: string, value: unknown]

const columns: readonly Column<Claim>[] = [
  { name: 'Claim', cell: ([name]) => <span className="mono small">{name}</span> },
  { name: 'Value', cell: ([, value]) => <span className="mono small">{textOf(value)}</span> },
]

export function TrialResult({ answer, now }: TrialResultProps) {
  if (answer.kind === 'failed') return <Notice kind="bad">The test failed. {answer.sentence}</Notice>
  const { identity } = answer
  const { username, name } = identity
  const account =
    username === null ? (
      'The first sign-in would create one'
    ) : (
      <>
        Would open the account of {name ?? username}
        {name !== null && <span className="mono small faint block">{username}</span>}
      </>
    )
  return (
    <>
      <Notice kind="good">The sign-in works. This is shown once and not stored.</Notice>
      <Section
        title="Claims from the provider"
        description="These become the claims of the user. The scopes of an app decide which of them it gets."
      >
        <Facts
          facts={[
            [
              'Subject',
              <span key="subject" className="mono">
                {identity.subject}
              </span>,
            ],
            [
              'Signed in there',
              <TimeAgo key="time" at={identity.authenticated_at} now={now} never="not specified" />,
            ],
            ['Account here', account],
          ]}
        />
        <DataTable
          caption="Claims received"
          columns={columns}
          rows={Object.entries(identity.claims)}
          keyOf={([name]) => name}
        />
        <details>
          <summary>As JSON</summary>
          <CodePanel id="claims" title="claims" text={JSON.stringify(identity.claims, null, 2)} />
        </details>
      </Section>
    </>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

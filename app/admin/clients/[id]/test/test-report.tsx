/** The result of a client test, which is shown once: its steps, and the tokens that were received. */
import { type Kit, TokenView } from '#app/_ui/token-view.tsx'
import type { Received, TestResult, TestStep } from '#lib/admin/clients/client-test/client-test-result.ts'
import { requestTracePath } from '#lib/admin/page-paths.ts'
import { translate } from '#lib/i18n/translate.ts'
import { CodePanel } from '../../../_ui/copy.tsx'
import { Link } from '../../../_ui/link.tsx'
import { Notice } from '../../../_ui/notice.tsx'
import { Section } from '../../../_ui/page-parts.tsx'
import { Moment } from '../../../_ui/times.tsx'

/** Texts that are shared with the playground. The dashboard is only in English. */
const t = translate('en')

export function TestReport({ result }: { readonly result: TestResult }) {
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

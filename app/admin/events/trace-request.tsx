/** The request and its answer, without secrets. */
import type { RequestTrace } from '#lib/admin/events/request-trace.ts'
import { curlFor, type ShownAnswer, type ShownRequest } from '#lib/admin/events/sent-request.ts'
import { CodePanel } from '../_ui/copy.tsx'
import { type Fact, Facts } from '../_ui/page-parts.tsx'
import { visible } from './trace-comparison.tsx'

type TraceRequestProps = { readonly trace: RequestTrace; readonly issuer: string }

export function TraceRequest({ trace: { request, answer, main }, issuer }: TraceRequestProps) {
  if (request === null && answer === null) return null
  const curl = request && curlFor(issuer, request)
  return (
    <section className="stack" id="request">
      <h2>Request and response</h2>
      <Facts
        facts={[
          ...(request === null ? [] : requestFacts(request)),
          ...(answer === null ? [] : answerFacts(answer)),
          ...(main.reason === null ? [] : [code('Reason', main.reason)]),
        ]}
      />
      {request !== null && <Parameters request={request} />}
      {curl !== null && (
        <details>
          <summary>Copy as curl</summary>
          <CodePanel id="curl" title="curl" text={curl} />
        </details>
      )}
    </section>
  )
}

function requestFacts({ method, endpoint, authorization }: ShownRequest): readonly Fact[] {
  const scheme = authorization === null ? [] : [code('Authorization', `${authorization} …`)]
  return [code('Request', `${method} ${endpoint}`), ...scheme]
}

function answerFacts({ status, error, description, issued }: ShownAnswer): readonly Fact[] {
  return [
    ...(status === null ? [] : [code('Status', String(status))]),
    ...(error === null ? [] : [code('Error', error)]),
    ...(description === null ? [] : [code('Description', description)]),
    ...(issued === null ? [] : [code('Issued', issued)]),
  ]
}

function code(name: string, value: string): Fact {
  return [name, <code key={name}>{visible(value)}</code>]
}

function Parameters({ request: { parameters, others } }: { readonly request: ShownRequest }) {
  return (
    <>
      <h3 className="small muted">Parameters</h3>
      {parameters.length === 0 ? (
        <p className="muted">None that can be shown.</p>
      ) : (
        <Facts facts={parameters.map(([name, value]) => parameterFact(name, value))} />
      )}
      {others > 0 && (
        <p className="small muted">
          {others === 1
            ? 'One more has a name that Latchkey does not know.'
            : `${others} more have names that Latchkey does not know.`}
        </p>
      )}
    </>
  )
}

function parameterFact(name: string, value: string | null): Fact {
  return value === null
    ? [
        name,
        <span key={name} className="muted">
          sent; not stored
        </span>,
      ]
    : code(name, value)
}

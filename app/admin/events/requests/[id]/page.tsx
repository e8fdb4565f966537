/** The trace of a request: its result, its checks, what was sent and answered, and the whole sign-in. */
import { type RequestTrace, readRequestTrace } from '#lib/admin/events/request-trace.ts'
import { curlFor, type ShownRequest } from '#lib/admin/events/sent-request.ts'
import { requestTracePath } from '#lib/admin/page-paths.ts'
import { readRequestId } from '#lib/protocol/text/request-ids.ts'
import { CodePanel, CopyButton } from '../../../_ui/copy.tsx'
import { AdminShell, Facts } from '../../../_ui/page-parts.tsx'
import { type AdminPage, detailPage, PageRefusal } from '../../../admin-page.tsx'
import { visible } from '../../trace-comparison.tsx'
import { Checks, TraceFacts, TraceSteps } from '../../trace-steps.tsx'
import { Verdict } from '../../trace-verdict.tsx'

export default detailPage('events:read', id => requestTracePath(idOf(id)), RequestTracePage)

async function RequestTracePage(page: AdminPage, typed: string) {
  const id = idOf(typed)
  const trace = await readRequestTrace(page.ports, id, page.actor)
  if (trace === null) throw new PageRefusal('unknown_object', page)
  return (
    <AdminShell
      page={page}
      title={`Request ${id}`}
      heading={
        <span>
          Request <span id="reference">{id}</span>
        </span>
      }
      back={{ name: 'Events', href: '/admin/events' }}
      aside={
        <>
          <Outcome trace={trace} />
          <CopyButton name="the request ID" text={id} />
        </>
      }
      description={<TraceFacts trace={trace} />}
    >
      <Verdict page={page} trace={trace} />
      {trace.checks.length > 0 && <Checks trace={trace} />}
      <TraceRequest trace={trace} issuer={page.issuer} />
      <TraceSteps trace={trace} />
    </AdminShell>
  )
}

function idOf(typed: string): string {
  return readRequestId(typed) ?? typed.toUpperCase()
}

function Outcome({ trace: { main, checks, remedy } }: { readonly trace: RequestTrace }) {
  if (main.outcome !== 'failure') return <span className="tag good">Succeeded</span>
  const position = checks.findIndex(({ result }) => result === 'failed')
  return (
    <span className={remedy?.done ? 'tag' : 'tag bad'}>
      {position === -1 ? 'Refused' : `Refused at check ${position + 1} of ${checks.length}`}
    </span>
  )
}

type TraceRequestProps = { readonly trace: RequestTrace; readonly issuer: string }

function TraceRequest({ trace: { request, answer, main, hints }, issuer }: TraceRequestProps) {
  if (request === null && answer === null) return null
  const curl = request && curlFor(issuer, request)
  const authorization = request?.authorization ?? null
  return (
    <section className="stack" id="request">
      <h2>Request and response</h2>
      <Facts
        facts={{
          Request: code(request && `${request.method} ${request.endpoint}`),
          Authorization: code(authorization === null ? null : `${authorization} …`),
          Status: code(answer?.status?.toString()),
          Error: code(answer?.error),
          Description: code(answer?.description),
          Issued: code(answer?.issued),
          Reason: code(main.reason),
          Trace: code(typeof main.details.traceId === 'string' ? main.details.traceId : null),
        }}
      />
      {hints.map(hint => (
        <p key={hint} className="small muted">
          {hint}
        </p>
      ))}
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

/** A value as code; `null` without a value, which `Facts` leaves out. */
function code(value: string | null | undefined) {
  return typeof value === 'string' ? <code>{visible(value)}</code> : null
}

function Parameters({ request: { parameters, others } }: { readonly request: ShownRequest }) {
  return (
    <>
      <h3 className="small muted">Parameters</h3>
      {parameters.length === 0 ? (
        <p className="muted">None that can be shown.</p>
      ) : (
        <Facts facts={Object.fromEntries(parameters.map(([name, value]) => [name, sentValue(value)]))} />
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

function sentValue(value: string | null) {
  return value === null ? <span className="muted">sent; not stored</span> : code(value)
}

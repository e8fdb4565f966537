/** The trace of one request: its result, its checks, the request and the answer, and the full sign-in flow. */
import { type RequestTrace, readRequestTrace } from '#lib/admin/events/request-trace.ts'
import { CopyButton } from '../../../_ui/copy.tsx'
import { AdminShell, PageHeader } from '../../../_ui/page-parts.tsx'
import {
  type DetailInput,
  idOf,
  PageRefusal,
  requireAdminPage,
  withAdminErrors,
} from '../../../admin-page.tsx'
import { requestTracePath } from '../../paths.ts'
import { TraceRequest } from '../../trace-request.tsx'
import { Checks, TraceFacts, TraceSteps } from '../../trace-steps.tsx'
import { Verdict } from '../../trace-verdict.tsx'

export default withAdminErrors(RequestTracePage)

async function RequestTracePage(input: DetailInput) {
  const id = (await idOf(input)).toUpperCase()
  const page = await requireAdminPage('events:read', requestTracePath(id), input)
  const trace = await readRequestTrace(page.ports, id)
  if (trace === null) throw new PageRefusal('unknown_object', page)
  return (
    <AdminShell page={page} title={`Request ${id}`}>
      <PageHeader
        title={
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
      />
      <Verdict page={page} trace={trace} />
      {trace.checks.length > 0 && <Checks trace={trace} />}
      <TraceRequest trace={trace} issuer={page.issuer} />
      <TraceSteps trace={trace} />
    </AdminShell>
  )
}

function Outcome({ trace: { main, checks } }: { readonly trace: RequestTrace }) {
  if (main.outcome !== 'failure') return <span className="tag good">Succeeded</span>
  const position = checks.findIndex(({ result }) => result === 'failed')
  return (
    <span className="tag bad">
      {position === -1 ? 'Refused' : `Refused at check ${position + 1} of ${checks.length}`}
    </span>
  )
}

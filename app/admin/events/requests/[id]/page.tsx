/** The trace of one request: each check in order, the one that failed, and what puts it right. */
import { type RequestTrace, readRequestTrace } from '#lib/admin/events/request-trace.ts'
import { CopyButton } from '../../../_ui/copy.tsx'
import { AdminShell, PageHeader } from '../../../_ui/page-parts.tsx'
import { withAdminErrors } from '../../../_ui/refused-page.tsx'
import { PageRefusal, requireAdminPage } from '../../../admin-page.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { requestTracePath } from '../../paths.ts'
import { Checks } from '../../trace-checks.tsx'
import { TraceFacts } from '../../trace-facts.tsx'
import { TraceRequest } from '../../trace-request.tsx'
import { TraceSteps } from '../../trace-steps.tsx'
import { Verdict } from '../../trace-verdict.tsx'

export default withAdminErrors(RequestTracePage)

async function RequestTracePage(input: DetailInput) {
  const id = (await idOf(input)).toUpperCase()
  const page = await requireAdminPage('events:read', requestTracePath(id), input)
  const trace = await readRequestTrace(page.ports, id)
  if (trace === null) throw new PageRefusal('thing', page)
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
  if (main.outcome !== 'failure') return <span className="tag good">Went well</span>
  const position = checks.findIndex(({ result }) => result === 'failed')
  return (
    <span className="tag bad">
      {position === -1 ? 'Refused' : `Refused at check ${position + 1} of ${checks.length}`}
    </span>
  )
}

/** The whole sign-in that one request belongs to: what happened after what, and how long each step took to come. */
import type { RequestTrace } from '#lib/admin/events/request-trace.ts'
import { Link } from '../_ui/link.tsx'
import { requestTracePath } from './paths.ts'

export function TraceSteps({ trace: { related, referenceId } }: { readonly trace: RequestTrace }) {
  const first = related[0]?.event.time
  if (related.length < 2 || first === undefined) return null
  return (
    <section className="stack">
      <div className="trace-head">
        <h2>The whole sign-in</h2>
        <p className="small muted">Everything that belongs together, oldest first.</p>
      </div>
      <ol className="checks steps-of list" aria-label="The whole sign-in">
        {related.map(({ event, sentence }) => (
          <li
            key={event.id}
            className={event.outcome === 'failure' ? 'failed' : 'passed'}
            aria-current={event.referenceId === referenceId ? 'step' : undefined}
          >
            <span className="sign" aria-hidden="true">
              {event.outcome === 'failure' ? '✕' : '✓'}
            </span>
            <span>
              <span className="visually-hidden">{event.outcome === 'failure' ? 'Failed: ' : ''}</span>
              {sentence}
            </span>
            <span className="small source">
              {event.referenceId === referenceId ? (
                <span className="muted">this request</span>
              ) : (
                <Link className="mono" href={requestTracePath(event.referenceId)}>
                  {event.referenceId}
                </Link>
              )}
            </span>
            <span className="small faint at">{afterWords(event.time.getTime() - first.getTime())}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** `+0.4 s`, `+12 s`, `+3 min`. */
function afterWords(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `+${seconds.toFixed(1)} s`
  return seconds < 120 ? `+${Math.round(seconds)} s` : `+${Math.round(seconds / 60)} min`
}

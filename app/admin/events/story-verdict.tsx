/** What happened in one sentence, the value sent beside the value registered, and the fix. */
import type { Marked } from '#lib/admin/events/difference.ts'
import type { Story } from '#lib/admin/events/story.ts'
import { AdminForm } from '../_ui/form.tsx'
import type { AdminPage } from '../admin-page.ts'

export function Verdict({ page, story }: { readonly page: AdminPage; readonly story: Story }) {
  const isRefused = story.main.outcome === 'failure'
  return (
    <section className={isRefused ? 'verdict bad' : 'verdict'}>
      <h2>{story.sentence}</h2>
      <Comparison story={story} />
      {story.remedy !== null && (
        <>
          <p>{story.remedy.sentence}</p>
          <Fix page={page} remedy={story.remedy} />
        </>
      )}
    </section>
  )
}

function Comparison({ story: { difference, failed } }: { readonly story: Story }) {
  if (difference === null) {
    if (failed?.sent === undefined && failed?.expected === undefined) return null
    return (
      <dl className="comparison">
        {failed.sent !== undefined && (
          <>
            <dt>sent</dt>
            <dd>{failed.sent}</dd>
          </>
        )}
        {failed.expected !== undefined && (
          <>
            <dt>allowed</dt>
            <dd>{failed.expected.join(', ')}</dd>
          </>
        )}
      </dl>
    )
  }
  return (
    <dl className="comparison">
      <dt>sent</dt>
      <dd>
        <MarkedText marked={difference.left} />
      </dd>
      <dt>registered</dt>
      <dd>
        <MarkedText marked={difference.right} />
      </dd>
      {difference.others.map(other => (
        <div className="fact" key={other}>
          <dt>also</dt>
          <dd className="faint">{other}</dd>
        </div>
      ))}
    </dl>
  )
}

function MarkedText({ marked }: { readonly marked: Marked }) {
  return (
    <>
      {marked.before}
      {marked.changed !== '' && <mark>{marked.changed}</mark>}
      {marked.after}
    </>
  )
}

type FixProps = { readonly page: AdminPage; readonly remedy: NonNullable<Story['remedy']> }

/** Guarded like every change: who may not sees who may. */
function Fix({ page, remedy: { action, href } }: FixProps) {
  const reason = page.reasonAgainst('clients:update')
  return (
    <div className="admin-actions">
      {action !== null && (
        <AdminForm page={page} useCase={action.useCase} hidden={action.input} isInline>
          <button type="submit" className="btn primary small" disabled={reason !== null}>
            {action.label}
          </button>
        </AdminForm>
      )}
      {action !== null && reason !== null && <span className="small muted">{reason}</span>}
      {href !== null && (
        <a className="btn small" href={href}>
          Go there
        </a>
      )}
    </div>
  )
}

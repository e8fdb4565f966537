/** What happened in one sentence, the value sent beside the value registered, and the fix. */
import type { Marked } from '#lib/admin/events/difference.ts'
import type { Story } from '#lib/admin/events/story.ts'
import { en } from '#lib/i18n/messages/en.ts'
import { AdminForm } from '../_ui/form.tsx'
import type { AdminPage } from '../admin-page.ts'

export function Verdict({ page, story }: { readonly page: AdminPage; readonly story: Story }) {
  const isRefused = story.main.outcome === 'failure'
  return (
    <section className={isRefused ? 'verdict bad' : 'verdict'}>
      <h2>{story.sentence}</h2>
      <Comparison story={story} />
      {story.saw !== null && <p className="small muted">{sawWords(story.saw)}</p>}
      {story.remedy !== null && (
        <>
          <p>{story.remedy.sentence}</p>
          <Fix page={page} remedy={story.remedy} />
        </>
      )}
    </section>
  )
}

function sawWords(saw: NonNullable<Story['saw']>): string {
  switch (saw.kind) {
    case 'page':
      return `The person saw: “${en.errors[saw.text].title}”, with this reference. Nothing was sent to the app.`
    case 'form':
      return 'The person saw the sign-in form again, with a sentence that doesn’t say what was wrong.'
    case 'app_told':
      return 'The person was sent back to the app, which was told the error.'
  }
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
  const reason = action === null ? null : page.reasonAgainst(action.permission)
  return (
    <div className="admin-actions">
      {action !== null && (
        <AdminForm page={page} useCase={action.useCase} hidden={action.input} isInline>
          <button type="submit" className="btn primary small" disabled={reason !== null}>
            {action.label}
          </button>
        </AdminForm>
      )}
      {reason !== null && <span className="small muted">{reason}</span>}
      {href !== null && (
        <a className="btn small" href={href}>
          Go there
        </a>
      )}
    </div>
  )
}

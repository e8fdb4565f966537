/** The findings of a review: what is wrong, where, and what to change. */

import { countedText } from '#lib/admin/counted-text.ts'
import { clientPath, providerPath } from '#lib/admin/page-paths.ts'
import type { Finding, Severity } from '#lib/protocol/registration/review/finding.ts'
import { Link } from '../_ui/link.tsx'

const tags: Readonly<Record<Severity, readonly [look: string, text: string]>> = {
  error: ['bad', 'Error'],
  warning: ['warn', 'Warning'],
  note: ['note', 'Note'],
}

/** An installation with thousands of old clients has thousands of findings; the first ones, the most urgent, suffice for a start. */
const most = 100

export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const more = findings.length - most
  return (
    <>
      <ul className="alerts list">
        {findings.slice(0, most).map(({ rule, severity, kind, id, problem, fix, source }) => {
          const [look, text] = tags[severity]
          return (
            <li key={`${rule} ${id}`}>
              <span className={`tag ${look}`}>{text}</span>
              <span className="grow">
                {problem} {fix}{' '}
                <span className="muted">
                  ({rule}, {source})
                </span>
              </span>
              <span className="alert-links small">
                <Place kind={kind} id={id} />
              </span>
            </li>
          )
        })}
      </ul>
      {more > 0 && (
        <p className="small muted">
          {countedText({ count: more, isMore: false }, 'more finding', 'more findings')}
        </p>
      )}
    </>
  )
}

function Place({ kind, id }: Pick<Finding, 'kind' | 'id'>) {
  if (kind === 'client') return <Link href={clientPath(id)}>{id}</Link>
  if (kind === 'provider') return <Link href={providerPath(id)}>{id}</Link>
  if (kind === 'policies') return <Link href="/admin/policies">Policies</Link>
  return <span className="mono">{id}</span>
}

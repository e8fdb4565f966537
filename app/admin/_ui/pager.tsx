/** Links to the first and the next page of a list. */
import { type Query, withoutPosition } from '../admin-page.tsx'
import { Link } from './link.tsx'

type PagerProps = {
  readonly path: string
  readonly query: Query
  /** The token of the next page; `null` on the last page. */
  readonly next: string | null
  /** The number of rows in the whole list, such as `24 clients` or `10,000+ users`; `null` shows none. */
  readonly count: string | null
  /** Whether this page is empty. Later pages of a search may still have matches, since each reads a limited number of rows. */
  readonly isEmpty?: boolean
}

export function Pager({ path, query, next, count, isEmpty = false }: PagerProps) {
  const isFirst = query.after === undefined
  const number = pageNumber(query)
  return (
    <nav className="pager" aria-label="Pages">
      <span className="small muted">{count}</span>
      {!isFirst && number !== null && <span className="small muted">{`Page ${number}`}</span>}
      {!isFirst && (
        <Link className="btn small" href={addressWith(path, query, null)}>
          First page
        </Link>
      )}
      {next !== null && isEmpty && <span className="small muted">No matches so far.</span>}
      {next !== null && (
        <Link className="btn small" href={addressWith(path, query, next)} rel="next">
          {isEmpty ? 'Search more' : 'Next page'}
        </Link>
      )}
    </nav>
  )
}

/**
 * The number of the page in the address; `null` if it is absent or invalid. The list does not depend on it, because
 * the page token contains the position.
 */
function pageNumber({ page = '' }: Query): number | null {
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : null
}

function addressWith(path: string, query: Query, after: string | null): string {
  const position: Query = after === null ? {} : { after, page: String((pageNumber(query) ?? 1) + 1) }
  const search = new URLSearchParams({ ...withoutPosition(query), ...position }).toString()
  return search === '' ? path : `${path}?${search}`
}

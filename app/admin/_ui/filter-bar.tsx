/** The search and the filters of a list. The address contains them, so that it can be shared and the back button works. */
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { Query } from '../admin-page.tsx'
import { Link } from './link.tsx'

export type Filter = {
  /** The name of the filter in the query. */
  readonly name: string
  readonly label: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
}

type FilterBarProps = {
  readonly path: string
  readonly query: Query
  /** The label of the search box, which says what it finds; `null` for a list without a search. */
  readonly search: string | null
  readonly filters: readonly Filter[]
  /** Whether the list can be limited to days by `from` and `until`, both included. */
  readonly hasDays?: boolean
  /** Other parameters of the address, which the form keeps. */
  readonly kept?: Query
}

export function FilterBar({ path, query, search, filters, hasDays = false, kept = {} }: FilterBarProps) {
  const names = [...filters.map(filter => filter.name), 'q', ...(hasDays ? ['from', 'until'] : [])]
  const isFiltered = names.some(name => (query[name] ?? '') !== '')
  return (
    <search>
      <form key={JSON.stringify(query)} className="filter-bar" method="get" action={browserAddress(path)}>
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {search !== null && (
          <input
            className="input small grow"
            type="search"
            name="q"
            aria-label={search}
            placeholder={search}
            defaultValue={query.q ?? ''}
            maxLength={200}
          />
        )}
        {filters.map(({ name, label, options }) => (
          <select
            key={name}
            className="input small"
            name={name}
            aria-label={label}
            defaultValue={query[name] ?? ''}
          >
            <option value="">{label}: all</option>
            {options.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        ))}
        {hasDays && (
          <>
            <DayField name="from" label="From" query={query} />
            <DayField name="until" label="To" query={query} />
          </>
        )}
        <button type="submit" className="btn small">
          {filters.length === 0 && !hasDays ? 'Search' : 'Filter'}
        </button>
        {isFiltered && (
          <Link className="btn plain small" href={addressOf(path, kept)}>
            Clear
          </Link>
        )}
      </form>
    </search>
  )
}

type DayFieldProps = { readonly name: string; readonly label: string; readonly query: Query }

function DayField({ name, label, query }: DayFieldProps) {
  return (
    <label className="day-field">
      <span className="small muted">{label}</span>{' '}
      <input className="input small" type="date" name={name} defaultValue={query[name] ?? ''} />
    </label>
  )
}

function addressOf(path: string, kept: Query): string {
  const search = new URLSearchParams(kept).toString()
  return search === '' ? path : `${path}?${search}`
}

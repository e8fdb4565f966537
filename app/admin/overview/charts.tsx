/** The charts and rankings of the overview. Those without counts are left out. */
import { adminClientId } from '#lib/admin/access/built-in.ts'
import type { Overview } from '#lib/admin/overview/overview.ts'
import { clientPath } from '#lib/admin/page-paths.ts'
import { EmptyState } from '../_ui/page-parts.tsx'
import { BarList } from './chart-frame.tsx'
import { percentText } from './number-words.ts'
import { StackedBars, timeAxis } from './stacked-bars.tsx'
import * as words from './words.ts'

export function Charts({ overview }: { readonly overview: Overview }) {
  if (charts.every(({ series }) => overview[series].length === 0))
    return (
      <EmptyState title="No activity in this period">
        Charts of sign-ins, users, failures and tokens appear with the first requests.
      </EmptyState>
    )
  const axis = timeAxis(overview)
  return (
    <>
      <div className="chart-grid">
        {charts.map(({ name, series, finding, label, note }) => (
          <StackedBars
            key={name}
            name={name}
            finding={finding(overview)}
            axis={axis}
            series={overview[series]}
            words={label}
            {...note?.(overview)}
          />
        ))}
      </div>
      <div className="chart-grid of-three">
        <Reasons overview={overview} />
        <Funnel overview={overview} />
        <Clients overview={overview} />
      </div>
    </>
  )
}

type Chart = {
  readonly name: string
  readonly series: 'methods' | 'visitors' | 'reasons' | 'grants'
  readonly finding: (overview: Overview) => string
  readonly label: (label: string) => string
  readonly note?: (overview: Overview) => { readonly note?: string }
}

const charts: readonly Chart[] = [
  {
    name: 'Sign-ins by method',
    series: 'methods',
    finding: words.methodFinding,
    label: words.methodWords,
    note: words.accountNote,
  },
  {
    name: 'Returning and new users',
    series: 'visitors',
    finding: words.visitorFinding,
    label: words.visitorWords,
  },
  {
    name: 'Failures by reason',
    series: 'reasons',
    finding: words.failureFinding,
    label: words.failureWords,
    note: words.failureNote,
  },
  {
    name: 'Tokens by grant type',
    series: 'grants',
    finding: words.grantFinding,
    label: words.grantWords,
    note: words.tokenNote,
  },
]

const mostReasons = 8
/** The minimum share of refused requests that is shown next to a client; a smaller share is normal. */
const noteworthyShare = 0.05

function Reasons({ overview: { allReasons } }: { readonly overview: Overview }) {
  return (
    <BarList
      name="Failure reasons"
      finding={allReasons.length === 1 ? 'One reason' : `${allReasons.length} different reasons`}
      columns={['Reason', 'Events']}
      items={allReasons.slice(0, mostReasons).map(({ label, count }) => ({
        id: label,
        label: words.failureWords(label),
        count,
        href: `/admin/events?${new URLSearchParams(words.eventFilterOf(label))}`,
      }))}
    />
  )
}

function Clients({ overview }: { readonly overview: Overview }) {
  return (
    <BarList
      name="Clients by tokens"
      finding={words.clientFinding(overview)}
      columns={['Client', 'Tokens']}
      items={overview.clients.map(({ clientId, name, tokens, refusals }) => ({
        id: clientId,
        label: name ?? clientId,
        count: tokens,
        ...(name === null ? { note: 'deleted' } : { ...pageOf(clientId), ...refusedNote(tokens, refusals) }),
      }))}
    />
  )
}

/** A link to the client, unless it is the dashboard's own client, which has no page. */
function pageOf(clientId: string) {
  return clientId === adminClientId ? {} : { href: clientPath(clientId) }
}

function refusedNote(tokens: number, refusals: number) {
  const share = refusals / (tokens + refusals)
  return share < noteworthyShare ? {} : { note: `${percentText(share)} refused` }
}

function Funnel({ overview }: { readonly overview: Overview }) {
  const begun = overview.funnel[0]?.count ?? 0
  return (
    <BarList
      name="Sign-in funnel"
      finding={words.funnelFinding(overview)}
      columns={['Step', 'Count']}
      items={overview.funnel.map(({ label, count }) => ({
        id: label,
        label: words.stepWords(label),
        count,
        ...(begun === 0 || label === 'authorize' ? {} : { note: percentText(Math.min(1, count / begun)) }),
      }))}
    />
  )
}

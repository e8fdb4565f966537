/** How it went: each chart with its finding, and what will stand there while nothing does. */
import type { Overview } from '#lib/admin/overview/overview.ts'
import { BarList } from '../_ui/charts/bar-list.tsx'
import { percentText } from '../_ui/charts/number-words.ts'
import { StackedBars } from '../_ui/charts/stacked-bars.tsx'
import { clientPath } from '../resource/paths.ts'
import { timeAxis } from './time-axis.ts'
import * as words from './words.ts'

export function Charts({ overview }: { readonly overview: Overview }) {
  const axis = timeAxis(overview)
  return (
    <div className="chart-grid">
      <StackedBars
        name="Sign-ins by method"
        finding={words.methodFinding(overview)}
        empty="As soon as somebody signs in, a bar stands here for each day, by the way they signed in."
        axis={axis}
        series={overview.methods}
        words={words.methodWords}
      />
      <StackedBars
        name="Returning and new users"
        finding={words.visitorFinding(overview)}
        empty="Each user is counted once a day, when they sign in or come back to an app."
        axis={axis}
        series={overview.visitors}
        words={words.visitorWords}
      />
      <StackedBars
        name="Refused or failed, by reason"
        finding={words.failureFinding(overview)}
        empty="Nothing was refused. Failed sign-ins and refused requests of apps will stand here by their reason."
        axis={axis}
        series={overview.reasons}
        words={words.failureWords}
      />
      <StackedBars
        name="Tokens by grant"
        finding={words.grantFinding(overview)}
        empty="When an app redeems its first code or asks for a token of its own, it is counted here."
        axis={axis}
        series={overview.grants}
        words={words.grantWords}
        {...words.tokenNote(overview)}
      />
    </div>
  )
}

/** What leads further: reasons, steps and clients, each the most frequent first. */
export function Rankings({ overview }: { readonly overview: Overview }) {
  return (
    <div className="chart-grid of-three">
      <Reasons overview={overview} />
      <Funnel overview={overview} />
      <Clients overview={overview} />
    </div>
  )
}

const mostReasons = 8
/** Below that, everybody is refused something now and then. */
const noteworthyShare = 0.05

function Reasons({ overview: { allReasons } }: { readonly overview: Overview }) {
  return (
    <BarList
      name="Reasons of refusals"
      finding={`${allReasons.length === 1 ? 'One reason' : `${allReasons.length} different reasons`}, each with its events`}
      empty="Every reason will lead from here to its events, and from there to the check that failed."
      columns={['Reason', 'Times']}
      items={allReasons.slice(0, mostReasons).map(({ label, count }) => ({
        id: label,
        label: words.failureWords(label),
        count,
        href: `/admin/events?${new URLSearchParams(words.eventsOf(label))}`,
      }))}
    />
  )
}

function Clients({ overview }: { readonly overview: Overview }) {
  return (
    <BarList
      name="Clients by tokens"
      finding={words.clientFinding(overview)}
      empty="The clients that get the most tokens will stand here, each with what it was refused."
      columns={['Client', 'Tokens']}
      items={overview.clients.map(({ clientId, name, tokens, refusals }) => ({
        id: clientId,
        label: name ?? clientId,
        count: tokens,
        ...(name === null
          ? { note: 'not registered any more' }
          : { href: clientPath(clientId), ...refusedNote(tokens, refusals) }),
      }))}
    />
  )
}

function refusedNote(tokens: number, refusals: number) {
  const share = refusals / (tokens + refusals)
  return share < noteworthyShare ? {} : { note: `${percentText(share)} refused` }
}

function Funnel({ overview }: { readonly overview: Overview }) {
  const asked = overview.funnel[0]?.count ?? 0
  return (
    <BarList
      name="From the app and back"
      finding={words.funnelFinding(overview)}
      empty="When an app sends its first user here, you will see how many arrive back there, and where others stop."
      columns={['Step', 'Times']}
      items={overview.funnel.map(({ label, count }) => ({
        id: label,
        label: words.stepWords(label),
        count,
        ...(asked === 0 || label === 'authorize' ? {} : { note: percentText(Math.min(1, count / asked)) }),
      }))}
    />
  )
}

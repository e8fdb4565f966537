/** The summary at the end of a start, such as the addresses to open, the demo's passwords, and warnings. */

import { adminSession as limits } from '#lib/config/limits.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'

export type DemoUser = { readonly username: string; readonly password: string }

/** The content of the summary. It is plain data, because a worker sends it to its primary process. */
export type Summary = {
  readonly version: string
  readonly issuer: string
  /** The configuration file and its content, such as `my-config.json: 2 clients, 1 user`; `null` without a file. */
  readonly configuration: string | null
  /** The extensions file and its extensions; empty without a file. */
  readonly extensions: readonly string[]
  readonly data: string
  /** The number of processes that serve. */
  readonly workers: number
  readonly warnings: readonly string[]
  /** The demo data; `null` if there is none. */
  readonly demo: DemoData | null
  readonly hasPlayground: boolean
  readonly dashboard: {
    /** The link that creates the first owner; `null` if there are owners. */
    readonly setUpLink: string | null
    readonly demoOwner: DemoUser | null
    /** The addresses that can reach the dashboard; `null`: all addresses. */
    readonly addresses: readonly string[] | null
  }
}

export type DemoData = {
  readonly users: readonly DemoUser[]
  readonly clients: readonly {
    readonly clientId: string
    readonly secret: string | null
    readonly use: string
  }[]
  /** The scopes with a secret: the name and password of the API at the introspection endpoint. */
  readonly apis: readonly { readonly name: string; readonly secret: string }[]
}

/** Writes the summary to standard output and not to the log, because it contains passwords and the set-up link. */
export function announce(summary: Summary, startMs: number): void {
  process.stdout.write(`\n${summaryBox(summary, startMs)}\n\n`)
}

type Row = readonly [label: string, value: string]

/** Formats the summary as plain text in a frame as wide as its longest line. */
export function summaryBox(summary: Summary, startMs: number): string {
  const last = [...labeled('Warning', summary.warnings), ['Stop', 'Ctrl-C'] as const]
  const groups = [addressRows(summary), demoRows(summary), last]
  const title = `Latchkey ${summary.version} is ready (${(startMs / 1000).toFixed(1)} s)`
  const lines = [title, ...groups.filter(rows => rows.length > 0).flatMap(rows => ['', ...aligned(rows)])]
  const width = Math.max(...lines.map(line => line.length))
  const body = lines.map(line => `│  ${line.padEnd(width)}  │`)
  const edge = '─'.repeat(width + 4)
  return [`╭${edge}╮`, ...body, `╰${edge}╯`].join('\n')
}

function addressRows({ issuer, data, dashboard, ...summary }: Summary): readonly Row[] {
  const { configuration, extensions, hasPlayground, workers } = summary
  return [
    ['Issuer', issuer],
    ['Discovery', ownUrl(issuer, '/.well-known/openid-configuration')],
    ...dashboardRows(issuer, dashboard),
    ...(hasPlayground ? [['Playground', ownUrl(issuer, '/playground')] as const] : []),
    ...(configuration === null ? [] : [['Configuration', configuration] as const]),
    ...labeled('Extensions', extensions),
    ['Data', data],
    ...(workers === 1 ? [] : [['Workers', `${workers} processes`] as const]),
  ]
}

/** Makes the rows of the dashboard. LG-03: the set-up link is shown only here. */
function dashboardRows(
  issuer: string,
  { demoOwner: owner, setUpLink, addresses }: Summary['dashboard'],
): readonly Row[] {
  const demo = owner === null ? '' : `  (demo owner: ${owner.username} / ${owner.password})`
  const validity = `The link works once, for ${limits.firstOwnerSeconds / 60} minutes.`
  return [
    ['Dashboard', ownUrl(issuer, `/admin${demo}`)],
    ...(addresses === null ? [] : labeled('', [`Restricted to ${addresses.join(', ')}`])),
    ...(setUpLink === null ? [] : labeled('First owner', [setUpLink, validity])),
  ]
}

function demoRows({ demo }: Summary): readonly Row[] {
  if (demo === null) return []
  const users = demo.users.map(({ username, password }) => `${username} / ${password}`)
  const clients = demo.clients.map(
    ({ clientId, secret, use }) => `${clientId} / ${secret ?? '(no secret)'}  ${use}`,
  )
  const apis = demo.apis.map(({ name, secret }) => `${name} / ${secret}  introspection`)
  return [...labeled('Demo users', users), ...labeled('Demo clients', clients), ...labeled('Demo APIs', apis)]
}

/** Makes a row for each value, with the label only in the first. */
function labeled(label: string, values: readonly string[]): readonly Row[] {
  return values.map((value, index) => [index === 0 ? label : '', value])
}

function aligned(rows: readonly Row[]): readonly string[] {
  return rows.map(([label, value]) => `${label.padEnd(15)}${value}`)
}

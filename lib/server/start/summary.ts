/** The box that ends a start: what to open, with which names, and how to stop. */
import { adminSession as limits } from '#lib/config/limits.ts'

export type DemoPerson = { readonly username: string; readonly password: string }
export type DemoClient = { readonly clientId: string; readonly secret: string | null; readonly use: string }

/** A scope with a secret: the name and the password of its API at the introspection endpoint. */
export type DemoApi = { readonly name: string; readonly secret: string }

export type Summary = {
  readonly version: string
  readonly issuer: string
  /** The configuration file and what is in it; `null` without one. */
  readonly configuration: string | null
  readonly data: string
  readonly startMs: number
  readonly warnings: readonly string[]
  /** `null` without demo data. */
  readonly demo: {
    readonly people: readonly DemoPerson[]
    readonly clients: readonly DemoClient[]
    readonly apis: readonly DemoApi[]
  } | null
  readonly hasPlayground: boolean
  /** The demo's owner, or where the first one is made; neither: there are owners. */
  readonly dashboard: {
    readonly demoOwner: DemoPerson | null
    readonly setUpLink: string | null
    /** The addresses it is open to; `null`: all. */
    readonly addresses: readonly string[] | null
  }
}

type Row = readonly [label: string, value: string]

/** Plain text in a frame as wide as its longest line. */
export function summaryBox(summary: Summary): string {
  const groups = [placesOf(summary), demoOf(summary), endOf(summary)].filter(group => group.length > 0)
  const title = `Latchkey ${summary.version} is ready (${(summary.startMs / 1000).toFixed(1)} s)`
  const lines = [title, ...groups.flatMap(group => ['', ...aligned(group)])]
  const width = Math.max(...lines.map(line => line.length))
  const body = lines.map(line => `│  ${line.padEnd(width)}  │`)
  const edge = '─'.repeat(width + 4)
  return [`╭${edge}╮`, ...body, `╰${edge}╯`].join('\n')
}

function placesOf({ issuer, data, configuration, hasPlayground, dashboard }: Summary): readonly Row[] {
  return [
    ['Issuer', issuer],
    ['Discovery', `${issuer}/.well-known/openid-configuration`],
    ...dashboardRows(issuer, dashboard),
    ...(hasPlayground ? [['Playground', `${issuer}/playground`] as const] : []),
    ...(configuration === null ? [] : [['Configuration', configuration] as const]),
    ['Data', data],
  ]
}

/** The link is for whoever started the server: it stands here and nowhere else (LG-03). */
function dashboardRows(
  issuer: string,
  { demoOwner, setUpLink, addresses }: Summary['dashboard'],
): readonly Row[] {
  const owner = demoOwner === null ? '' : `  (demo owner: ${demoOwner.username} / ${demoOwner.password})`
  return [
    ['Dashboard', `${issuer}/admin${owner}`],
    ...(addresses === null ? [] : [['', `Open to ${addresses.join(', ')} alone.`] as const]),
    ...(setUpLink === null ? [] : [['First owner', setUpLink] as const]),
    ...(setUpLink === null
      ? []
      : [['', `The link works once, for ${limits.firstOwnerSeconds / 60} minutes.`] as const]),
  ]
}

function demoOf({ demo }: Summary): readonly Row[] {
  if (demo === null) return []
  const people = demo.people.map(person => `${person.username} / ${person.password}`)
  const clients = demo.clients.map(
    ({ clientId, secret, use }) => `${clientId} / ${secret ?? '(no secret)'}  ${use}`,
  )
  const apis = demo.apis.map(({ name, secret }) => `${name} / ${secret}  introspection`)
  return [
    ...labelled('Demo people', people),
    ...labelled('Demo clients', clients),
    ...labelled('Demo APIs', apis),
  ]
}

function endOf({ warnings }: Summary): readonly Row[] {
  return [...labelled('Warning', warnings), ['Stop', 'Ctrl-C']]
}

/** The label once, the values below each other. */
function labelled(label: string, values: readonly string[]): readonly Row[] {
  return values.map((value, index) => [index === 0 ? label : '', value])
}

function aligned(rows: readonly Row[]): readonly string[] {
  return rows.map(([label, value]) => `${label.padEnd(15)}${value}`)
}

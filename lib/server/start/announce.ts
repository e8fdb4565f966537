/** The summary that ends a start: the addresses to open, the demo's names and passwords, and how to stop. */
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { demoOwner, firstOwnerLink } from '#lib/admin/access/operator.ts'
import { usersWithConfiguredPassword } from '#lib/admin/configuration/user-records.ts'
import type { Config } from '#lib/config/env.ts'
import { adminSession as limits } from '#lib/config/limits.ts'
import { secretEntries } from '#lib/protocol/registration/records.ts'
import { operatorPorts } from '../wiring/operator-ports.ts'
import type { Resources } from '../wiring/resources.ts'

type DemoUser = { readonly username: string; readonly password: string }

export type Summary = Awaited<ReturnType<typeof summaryOf>>

/** Writes the summary to standard output, the only place where the demo's passwords are shown. */
export async function announce(opened: Resources, startMs: number): Promise<void> {
  process.stdout.write(`\n${summaryBox(await summaryOf(opened, startMs))}\n\n`)
}

async function summaryOf(opened: Resources, startMs: number) {
  const { config } = opened
  const users = await demoUsers(opened)
  return {
    version: await readVersion(),
    issuer: config.issuer,
    configuration: configurationOf(opened),
    extensions: extensionsOf(opened),
    data: dataOf(config),
    startMs,
    warnings: [...warningsOf(opened), ...(await signInWarning(opened))],
    demo: demoOf(opened, users),
    hasPlayground: config.isLoopback && config.demo,
    dashboard: await dashboardOf(opened, users),
  }
}

/** Only those whose password was not changed. */
async function demoUsers({ loaded, storage }: Resources): Promise<readonly DemoUser[]> {
  if (loaded.source !== 'demo') return []
  const users = await usersWithConfiguredPassword(storage, loaded.configuration.users)
  return users.flatMap(({ username, password }) => (password === undefined ? [] : [{ username, password }]))
}

/** The demo's owner, or the link that makes the first owner; neither if there are owners. */
async function dashboardOf(opened: Resources, users: readonly DemoUser[]) {
  const ports = operatorPorts(opened)
  const owner = await demoOwner(ports, opened.loaded)
  return {
    setUpLink: await firstOwnerLink(ports),
    demoOwner: users.find(({ username }) => username === owner?.username) ?? null,
    /** The addresses that can reach it; `null`: all. */
    addresses: opened.config.adminAddresses,
  }
}

async function readVersion(): Promise<string> {
  const file = new URL('../../../package.json', import.meta.url)
  const { version }: { version?: unknown } = JSON.parse(await readFile(file, 'utf8'))
  return typeof version === 'string' ? version : ''
}

/** The database, without user and password. */
function dataOf({ database }: Config): string {
  if (database.kind === 'sqlite') return database.file
  const { host, pathname } = new URL(database.url)
  return `postgresql://${host}${pathname}`
}

function warningsOf({ config, keepsFileData }: Resources): readonly string[] {
  return [
    ...(config.insecureHttp ? [`Traffic to ${config.issuer} is not encrypted. For development only.`] : []),
    ...portWarning(config),
    ...(keepsFileData
      ? ['The data was made with a configuration file; set LATCHKEY_CONFIG again, or LATCHKEY_DEMO=true.']
      : []),
  ]
}

async function signInWarning({ config, storage }: Resources): Promise<readonly string[]> {
  if (config.localLogin || (await storage.providers.all()).some(({ enabled }) => enabled)) return []
  return ['LATCHKEY_LOCAL_LOGIN is false and no identity provider is enabled: no user can sign in.']
}

/** Behind a proxy the two ports differ. */
export function portWarning({
  issuer,
  isLoopback,
  port,
  trustProxy,
}: Pick<Config, 'issuer' | 'isLoopback' | 'port' | 'trustProxy'>): readonly string[] {
  if (!isLoopback || trustProxy || portOf(issuer) === port) return []
  return [`ISSUER is ${issuer}, but the server listens on port ${port}: they should match.`]
}

function portOf(issuer: string): number {
  const { port, protocol } = new URL(issuer)
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** `my-config.json: 2 clients, 1 user`; `null` without a file. */
function configurationOf({ config, loaded }: Resources): string | null {
  if (loaded.source !== 'file' || config.configFile === null) return null
  const { clients, scopes, users, identity_providers: providers } = loaded.configuration
  const lists = { client: clients, scope: scopes, user: users, provider: providers }
  const counts = Object.entries(lists).flatMap(([noun, { length }]) =>
    length === 0 ? [] : [`${length} ${noun}${length === 1 ? '' : 's'}`],
  )
  return `${shownFile(config.configFile)}: ${counts.join(', ') || '(empty)'}`
}

/** The file and what it defines; empty without a file. */
function extensionsOf({ config, extensions }: Resources): readonly string[] {
  if (config.extensionsFile === null) return []
  const { customGrants = [], tokenClaims = [], eventSinks = [], ...functions } = extensions
  const names = [
    ...customGrants.map(({ grantType }) => `grant type ${grantType}`),
    ...(tokenClaims.length > 0 ? ['tokenClaims'] : []),
    ...(eventSinks.length > 0 ? ['eventSinks'] : []),
    ...Object.keys(functions),
  ]
  return [shownFile(config.extensionsFile), ...(names.length > 0 ? names : ['(empty)'])]
}

/** Relative, if it is in the folder of the server. */
function shownFile(file: string): string {
  const inside = relative(process.cwd(), file)
  return inside.startsWith('..') ? file : inside
}

/** `null` without demo data. */
function demoOf({ loaded }: Resources, users: readonly DemoUser[]) {
  if (loaded.source !== 'demo') return null
  const { clients, scopes } = loaded.configuration
  return {
    users,
    clients: clients.map(client => ({
      clientId: client.client_id,
      secret: client.client_secret ?? null,
      use: (client.grant_types ?? ['authorization_code']).join(', '),
    })),
    /** Scopes with a secret: name and password of the API at the introspection endpoint. */
    apis: scopes.flatMap(({ name, secrets }) =>
      secretEntries(secrets).flatMap(entry => ('value' in entry ? [{ name, secret: entry.value }] : [])),
    ),
  }
}

type Row = readonly [label: string, value: string]

/** Plain text in a frame as wide as its longest line. */
export function summaryBox(summary: Summary): string {
  const last = [...labeled('Warning', summary.warnings), ['Stop', 'Ctrl-C'] as const]
  const groups = [addressRows(summary), demoRows(summary), last]
  const title = `Latchkey ${summary.version} is ready (${(summary.startMs / 1000).toFixed(1)} s)`
  const lines = [title, ...groups.filter(rows => rows.length > 0).flatMap(rows => ['', ...aligned(rows)])]
  const width = Math.max(...lines.map(line => line.length))
  const body = lines.map(line => `│  ${line.padEnd(width)}  │`)
  const edge = '─'.repeat(width + 4)
  return [`╭${edge}╮`, ...body, `╰${edge}╯`].join('\n')
}

function addressRows({ issuer, data, dashboard, ...summary }: Summary): readonly Row[] {
  const { configuration, extensions, hasPlayground } = summary
  return [
    ['Issuer', issuer],
    ['Discovery', `${issuer}/.well-known/openid-configuration`],
    ...dashboardRows(issuer, dashboard),
    ...(hasPlayground ? [['Playground', `${issuer}/playground`] as const] : []),
    ...(configuration === null ? [] : [['Configuration', configuration] as const]),
    ...labeled('Extensions', extensions),
    ['Data', data],
  ]
}

/** LG-03: the link is shown only here. */
function dashboardRows(
  issuer: string,
  { demoOwner: owner, setUpLink, addresses }: Summary['dashboard'],
): readonly Row[] {
  const demo = owner === null ? '' : `  (demo owner: ${owner.username} / ${owner.password})`
  const validity = `The link works once, for ${limits.firstOwnerSeconds / 60} minutes.`
  return [
    ['Dashboard', `${issuer}/admin${demo}`],
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

/** The label once, the values below each other. */
function labeled(label: string, values: readonly string[]): readonly Row[] {
  return values.map((value, index) => [index === 0 ? label : '', value])
}

function aligned(rows: readonly Row[]): readonly string[] {
  return rows.map(([label, value]) => `${label.padEnd(15)}${value}`)
}

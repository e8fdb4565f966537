/** Tells whoever started the server where everything is. */
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { demoOwner } from '#lib/admin/access/demo-owner.ts'
import { firstOwnerLink } from '#lib/admin/access/operator.ts'
import { unchangedPeople } from '#lib/admin/configuration/user-records.ts'
import type { Config } from '#lib/config/env.ts'
import { secretEntries } from '#lib/protocol/registration/records.ts'
import { operatorPorts } from '../cli/operator-ports.ts'
import type { Resources } from '../wiring/resources.ts'
import { type DemoPerson, type Summary, summaryBox } from './summary.ts'

/** Writes the box to standard output. Demo passwords stand in it, and only there. */
export async function announce(opened: Resources, startMs: number): Promise<void> {
  const { config } = opened
  const people = await demoPeople(opened)
  const summary: Summary = {
    version: await readVersion(),
    issuer: config.issuer,
    configuration: configurationOf(opened),
    data: placeOf(config),
    startMs,
    warnings: warningsOf(opened),
    demo: demoOf(opened, people),
    hasPlayground: config.isLoopback && config.demo,
    dashboard: await dashboardOf(opened, people),
  }
  process.stdout.write(`\n${summaryBox(summary)}\n\n`)
}

/** Passwords that were changed since are nobody else's business. */
async function demoPeople({ loaded, storage }: Resources): Promise<readonly DemoPerson[]> {
  if (loaded.source !== 'demo') return []
  const people = await unchangedPeople(storage, loaded.configuration.users)
  return people.flatMap(({ username, password }) => (password === undefined ? [] : [{ username, password }]))
}

async function dashboardOf(opened: Resources, people: readonly DemoPerson[]): Promise<Summary['dashboard']> {
  const ports = operatorPorts(opened)
  const owner = await demoOwner(ports, opened.loaded)
  return {
    setUpLink: await firstOwnerLink(ports),
    demoOwner: people.find(({ username }) => username === owner?.username) ?? null,
    addresses: opened.config.adminAddresses,
  }
}

async function readVersion(): Promise<string> {
  const file = new URL('../../../package.json', import.meta.url)
  const { version }: { version?: unknown } = JSON.parse(await readFile(file, 'utf8'))
  return typeof version === 'string' ? version : ''
}

/** The database's place without user and password. */
function placeOf({ database }: Config): string {
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

/** `my-config.json: 2 clients, 1 person`. */
function configurationOf({ config, loaded }: Resources): string | null {
  if (loaded.source !== 'file' || config.configFile === null) return null
  const { clients, scopes, users, identity_providers: providers } = loaded.configuration
  const counts = [
    counted(clients.length, 'client', 'clients'),
    counted(scopes.length, 'scope', 'scopes'),
    counted(users.length, 'person', 'people'),
    counted(providers.length, 'provider', 'providers'),
  ]
  const inside = relative(process.cwd(), config.configFile)
  const name = inside.startsWith('..') ? config.configFile : inside
  return `${name}: ${counts.filter(count => count !== null).join(', ') || '(empty)'}`
}

function counted(count: number, one: string, several: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : several}`
}

function demoOf({ loaded }: Resources, people: readonly DemoPerson[]): Summary['demo'] {
  if (loaded.source !== 'demo') return null
  const { clients, scopes } = loaded.configuration
  return {
    people,
    clients: clients.map(client => ({
      clientId: client.client_id,
      secret: client.client_secret ?? null,
      use: (client.grant_types ?? ['authorization_code']).join(', '),
    })),
    apis: scopes.flatMap(({ name, secrets }) =>
      secretEntries(secrets).map(({ value }) => ({ name, secret: value })),
    ),
  }
}

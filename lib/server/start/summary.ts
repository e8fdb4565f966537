/** Collects what the summary at the start says. */
import { relative } from 'node:path'
import { demoOwner, firstOwnerLink } from '#lib/admin/access/operator.ts'
import { usersWithConfiguredPassword } from '#lib/admin/configuration/user-records.ts'
import type { Config } from '#lib/config/env.ts'
import { attention } from '#lib/config/limits.ts'
import { isOfflineIdle } from '#lib/protocol/registration/client.ts'
import type { ConfigurationFile } from '#lib/protocol/registration/configuration-file.ts'
import { secretEntries } from '#lib/protocol/registration/records.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { operatorPorts } from '../wiring/operator-ports.ts'
import type { Resources } from '../wiring/resources.ts'
import { passkeyWarning } from './relying-party.ts'
import type { DemoData, DemoUser, Summary } from './summary-box.ts'
import { readVersion } from './version.ts'

type Prepared = Resources & { readonly applied: NonNullable<Resources['applied']> }

/**
 * Makes the summary.
 * @throws Error in a worker that did not apply the configuration
 */
export async function summaryOf({ applied, ...resources }: Resources): Promise<Summary> {
  if (applied === null) throw new Error('Only the process that prepared the node knows its summary.')
  const opened = { ...resources, applied }
  const { config } = opened
  const users = await demoUsers(opened)
  return {
    version: await readVersion(),
    issuer: config.issuer,
    configuration: configurationOf(opened),
    extensions: extensionsOf(opened),
    data: dataOf(config),
    workers: opened.share.workers,
    warnings: [
      ...warningsOf(opened),
      ...(await signInWarning(opened)),
      ...passkeyWarning(config, await opened.storage.passkeys.count()),
      ...connectionWarning(config, await opened.storage.databaseStatus.mostConnections()),
      ...statementWarning(await opened.storage.databaseStatus.endsLongStatements()),
    ],
    demo: demoOf(opened, users),
    hasPlayground: config.isLoopback && config.demo,
    dashboard: await dashboardOf(opened, users),
  }
}

/** Returns the demo users whose password was not changed. */
async function demoUsers({ applied: { loaded }, storage }: Prepared): Promise<readonly DemoUser[]> {
  if (loaded.source !== 'demo') return []
  const users = await usersWithConfiguredPassword(storage, loaded.configuration.users)
  return users.flatMap(({ username, password }) => (password === undefined ? [] : [{ username, password }]))
}

async function dashboardOf(opened: Prepared, users: readonly DemoUser[]): Promise<Summary['dashboard']> {
  const ports = operatorPorts(opened)
  const owner = await demoOwner(ports, opened.applied.loaded)
  return {
    setUpLink: await firstOwnerLink(ports),
    demoOwner: users.find(({ username }) => username === owner?.username) ?? null,
    addresses: opened.config.adminAddresses,
  }
}

/** Describes the database without user and password. */
function dataOf({ database }: Config): string {
  if (database.kind === 'sqlite') return database.file
  const { host, pathname } = new URL(database.url)
  return `postgresql://${host}${pathname}`
}

function warningsOf({ config, applied: { keepsFileData, loaded } }: Prepared): readonly string[] {
  return [
    ...(config.insecureHttp ? [`Traffic to ${config.issuer} is not encrypted. For development only.`] : []),
    ...portWarning(config),
    ...(keepsFileData
      ? ['The data was made with a configuration file; set LATCHKEY_CONFIG again, or LATCHKEY_DEMO=true.']
      : []),
    ...(loaded.source === 'file' ? offlineWarnings(loaded.configuration) : []),
  ]
}

/**
 * Warns about clients of the file whose requests for `offline_access` are ignored: one line for each of the first
 * `attention.most`, and one with the number of the others.
 */
export function offlineWarnings({ clients }: Pick<ConfigurationFile, 'clients'>): readonly string[] {
  const warnings = clients.flatMap(({ enabled, scope, grant_types: grants }, index) => {
    if (!enabled || !isOfflineIdle(scopeWords(scope), grants)) return []
    return [
      `clients[${index}].scope: offline_access has no effect without "refresh_token" in grant_types. Add it there, or remove offline_access.`,
    ]
  })
  const shown = warnings.slice(0, attention.most)
  const others = warnings.length - shown.length
  return others === 0 ? shown : [...shown, `The same is true of ${others} more of the clients.`]
}

async function signInWarning({ config, storage }: Resources): Promise<readonly string[]> {
  if (config.localLogin || (await storage.providers.all()).some(({ enabled }) => enabled)) return []
  return ['LATCHKEY_LOCAL_LOGIN is false and no identity provider is enabled: no user can sign in.']
}

/** Warns about a pooler that does not pass on the time after which the database ends a statement. */
function statementWarning(endsLongStatements: boolean): readonly string[] {
  if (endsLongStatements) return []
  return [
    "The database ends no long statements, because a pooler drops that setting. Run ALTER ROLE … SET statement_timeout = '8s' for Latchkey's role.",
  ]
}

/**
 * Warns about too many connections. `most`: the limit of the database for all its users; `null` on SQLite. A pooler in
 * between may accept more.
 */
export function connectionWarning(
  { databaseConnections }: Pick<Config, 'databaseConnections'>,
  most: number | null,
): readonly string[] {
  if (most === null || databaseConnections <= most) return []
  return [
    `This node may open ${databaseConnections} connections (LATCHKEY_DATABASE_CONNECTIONS), but the database accepts ${most}.`,
  ]
}

/**
 * Warns if the issuer is a loopback address and its port differs from the port that the server listens on. Behind a
 * proxy they may differ.
 */
export function portWarning({
  issuer,
  isLoopback,
  listen: [address],
  trustProxy,
}: Pick<Config, 'issuer' | 'isLoopback' | 'listen' | 'trustProxy'>): readonly string[] {
  if (!isLoopback || trustProxy || address === undefined || 'file' in address) return []
  const { port } = address
  if (portOf(issuer) === port) return []
  return [`ISSUER is ${issuer}, but the server listens on port ${port}: they should match.`]
}

function portOf(issuer: string): number {
  const { port, protocol } = new URL(issuer)
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

function configurationOf({ config, applied: { loaded } }: Prepared): string | null {
  if (loaded.source !== 'file' || config.configFile === null) return null
  const { clients, scopes, users, identity_providers: providers } = loaded.configuration
  const lists = { client: clients, scope: scopes, user: users, provider: providers }
  const counts = Object.entries(lists).flatMap(([noun, { length }]) =>
    length === 0 ? [] : [`${length} ${noun}${length === 1 ? '' : 's'}`],
  )
  return `${shownFile(config.configFile)}: ${counts.join(', ') || '(empty)'}`
}

function extensionsOf({ config, extensions }: Prepared): readonly string[] {
  if (config.extensionsFile === null) return []
  const { customGrants = [], tokenClaims = [], eventSinks = [], signInFields = [], ...functions } = extensions
  const names = [
    ...customGrants.map(({ grantType }) => `grant type ${grantType}`),
    ...(tokenClaims.length > 0 ? ['tokenClaims'] : []),
    ...(signInFields.length > 0 ? ['signInFields'] : []),
    ...(eventSinks.length > 0 ? ['eventSinks'] : []),
    ...Object.keys(functions),
  ]
  return [shownFile(config.extensionsFile), ...(names.length > 0 ? names : ['(empty)'])]
}

/** Returns the path of a file, relative if the file is in the working directory. */
function shownFile(file: string): string {
  const inside = relative(process.cwd(), file)
  return inside.startsWith('..') ? file : inside
}

function demoOf({ applied: { loaded } }: Prepared, users: readonly DemoUser[]): DemoData | null {
  if (loaded.source !== 'demo') return null
  const { clients, scopes } = loaded.configuration
  return {
    users,
    clients: clients.map(client => ({
      clientId: client.client_id,
      secret: client.client_secret ?? null,
      use: (client.grant_types ?? ['authorization_code']).join(', '),
    })),
    apis: scopes.flatMap(({ name, secrets }) =>
      secretEntries(secrets).flatMap(entry => ('value' in entry ? [{ name, secret: entry.value }] : [])),
    ),
  }
}

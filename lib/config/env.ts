/** Reads the settings from the environment: parses and checks them, and freezes the result. */
import { resolve } from 'node:path'
import { ConfigError } from '#lib/errors/config-error.ts'
import { isLoopbackHost } from '#lib/protocol/text/addresses.ts'
import { closestName } from '#lib/protocol/text/similar-names.ts'
import { type DatabaseLocation, readDatabase, refuseMisspeltName } from './database-url.ts'
import { environmentNames, environmentSchema, type Fields, secretNames } from './environment-fields.ts'
import { workers as limits, storage } from './limits.ts'
import { type ListenAddress, listenAddresses, openHost } from './listen-address.ts'
import { readMailSettings } from './mail-settings.ts'
import { readRelyingParty } from './relying-party.ts'
import { secretFileNames, withSecretFiles } from './secret-files.ts'
import { readTelemetry } from './telemetry-settings.ts'

export type Config = ReturnType<typeof readConfig>

const ownPrefix = 'LATCHKEY_'
const knownNames = [...environmentNames, ...secretFileNames]

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads and checks the configuration. Throws a ConfigError with one sentence, without secrets. An empty variable counts as
 * not set.
 */
export function readConfig(given: Environment) {
  refuseByteOrderMark(given)
  refuseUnknownNames(given)
  const environment = withSecretFiles(given)
  refuseMisspeltName(environment)
  const fields = readFields(environment)
  const issuer = fields.ISSUER ?? defaultIssuer(fields)
  const { isLoopback, insecureHttp } = checkIssuer(issuer, fields.LATCHKEY_INSECURE_HTTP)
  requireMasterKey(fields, isLoopback)
  requireProxyForSocket(fields)
  const dataDir = resolve(fields.DATA_DIR)
  const database = readDatabase(fields.DATABASE_URL, dataDir)
  return Object.freeze({
    /** Where the server listens; at least one address. */
    listen: listenAddresses(fields.PORT, fields.HOST),
    /** Whether only this machine reaches these addresses. */
    isForThisMachine: openHost(listenAddresses(fields.PORT, fields.HOST)) === null,
    /** Whether it listens at a Unix socket, which only a proxy opens. */
    isOnSocket: typeof fields.PORT !== 'number',
    /** The issuer without a trailing slash; compared and emitted byte for byte. */
    issuer,
    siteName: fields.LATCHKEY_SITE_NAME,
    /** The address where users get help with signing in: a page or a `mailto:` address. */
    help: fields.LATCHKEY_HELP_URL ?? null,
    database,
    ...readWorkers(fields, database),
    metrics: readMetrics(fields),
    /** How traces and metrics are sent to a collector; `null`: they are not. */
    telemetry: readTelemetry(fields),
    /** An absolute path, like the three files below. */
    dataDir,
    configFile: absolute(fields.LATCHKEY_CONFIG),
    extensionsFile: absolute(fields.LATCHKEY_EXTENSIONS),
    breachedPasswordsFile: absolute(fields.LATCHKEY_BREACHED_PASSWORDS),
    /** Whether forwarded headers are read. */
    trustProxy: fields.TRUST_PROXY.isTrusted,
    /** Addresses and ranges of trusted proxies; empty: if `trustProxy` is true, every caller is trusted. */
    trustedProxies: fields.TRUST_PROXY.addresses,
    /** Addresses that can reach the dashboard and its API; `null`: all addresses. */
    adminAddresses: fields.LATCHKEY_ADMIN_ADDRESSES ?? null,
    /** The key as written; `loadMasterKeys` decodes it. */
    masterKey: fields.MASTER_KEY ?? null,
    /** The program that prints the key instead, and its arguments. */
    masterKeyCommand: fields.MASTER_KEY_COMMAND ?? null,
    /** The key that replaces it in a rotation. */
    nextMasterKey: fields.MASTER_KEY_NEXT ?? null,
    logLevel: fields.LOG_LEVEL,
    /** Whether demo clients and users exist: only with a loopback issuer and host, and without a configuration file. */
    demo: decideDemo(fields, isLoopback),
    /** Whether `LATCHKEY_DEMO` is explicitly `true`, so that the demo may replace the objects of a file. */
    isDemoRequested: fields.LATCHKEY_DEMO === true,
    /** How mails are sent. */
    mail: readMailSettings(fields, { isLoopback, dataDir }),
    /** The domain of passkeys, and the other sites that may use them. */
    ...readRelyingParty(fields, issuer),
    /** The earlier domain of passkeys, whose passkeys the start deletes. */
    discardedRelyingParty: fields.WEBAUTHN_DISCARDED_RP_ID ?? null,
    /** Whether the issuer is a loopback address. */
    isLoopback,
    allowTokenInQuery: fields.LATCHKEY_TOKEN_IN_QUERY,
    /** The format for clients and scopes that do not set one. */
    accessTokenFormat: fields.LATCHKEY_ACCESS_TOKEN_FORMAT,
    /** Whether the key set has a certificate for each RSA key. */
    hasKeyCertificates: fields.LATCHKEY_KEY_CERTIFICATES,
    /** The absolute path of a PFX or PEM file, and its password. */
    signingCertificate: absolute(fields.LATCHKEY_SIGNING_CERTIFICATE),
    signingCertificatePassword: fields.LATCHKEY_SIGNING_CERTIFICATE_PASSWORD ?? null,
    refreshRetryWindowSeconds: fields.LATCHKEY_REFRESH_GRACE_SECONDS,
    /** The endpoints that are turned on. The metadata does not contain the others. */
    enabledEndpoints: fields.LATCHKEY_ENABLED_ENDPOINTS,
    /** Whether users can sign in with a password of this server. */
    localLogin: fields.LATCHKEY_LOCAL_LOGIN,
    signOutPrompt: fields.LATCHKEY_SIGN_OUT_PROMPT,
    /** Whether the issuer is http but not loopback, for development: every start must warn about it. */
    insecureHttp,
  })
}

/** Reads only the addresses at which the server listens, for a command that needs no other setting. */
export function readListenAddresses(environment: Environment): readonly ListenAddress[] {
  const { HOST, PORT } = environment
  const fields = readFields({ HOST, PORT })
  return listenAddresses(fields.PORT, fields.HOST)
}

/** Reads the settings of a command that only reads the configuration file. */
export function readConfigFile(environment: Environment) {
  const { LATCHKEY_CONFIG, LATCHKEY_SITE_NAME } = environment
  const fields = readFields({ LATCHKEY_CONFIG, LATCHKEY_SITE_NAME })
  return { configFile: absolute(fields.LATCHKEY_CONFIG), siteName: fields.LATCHKEY_SITE_NAME }
}

function absolute(path: string | undefined): string | null {
  return path === undefined ? null : resolve(path)
}

/** Refuses a byte order mark in `.env`: Node reads it as a part of the first name. */
function refuseByteOrderMark(environment: Environment): void {
  const marked = Object.keys(environment).find(name => name.startsWith('\ufeff'))
  if (marked === undefined) return
  throw new ConfigError(
    `.env begins with a byte order mark, so its first setting, ${marked.slice(1)}, would be lost; save the file as UTF-8 without the mark.`,
  )
}

function refuseUnknownNames(environment: Environment): void {
  const unknown = Object.keys(environment).find(
    name => name.startsWith(ownPrefix) && environment[name] !== '' && !knownNames.includes(name),
  )
  if (unknown === undefined) return
  const bare = unknown.slice(ownPrefix.length)
  const bareNames = knownNames.map(name => name.replace(ownPrefix, ''))
  const meant = knownNames[bareNames.indexOf(closestName(bare, bareNames) ?? '')]
  const hint = meant === undefined ? 'remove it.' : `did you mean "${meant}"?`
  // The value of a misspelled name may be a secret
  const value = /KEY|SECRET|PASSWORD|TOKEN|URL/.test(bare)
    ? '(not shown)'
    : JSON.stringify(environment[unknown])
  throw new ConfigError(`${unknown} is ${value}, but there is no such setting; ${hint}`)
}

function readFields(environment: Environment): Fields {
  const given = environmentNames.filter(name => environment[name] !== undefined && environment[name] !== '')
  const read = environmentSchema.safeParse(Object.fromEntries(given.map(name => [name, environment[name]])))
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const name = String(issue?.path[0])
  const value = secretNames.has(name) ? '(not shown)' : JSON.stringify(environment[name])
  throw new ConfigError(`${name} is ${value}, but ${issue?.message}.`)
}

function defaultIssuer({ PORT: port }: Fields): string {
  if (typeof port === 'number') return new URL(`http://localhost:${port}`).origin
  throw new ConfigError(
    `ISSUER is not set, but PORT is the socket "${port.file}"; set ISSUER to the address of the proxy before it.`,
  )
}

/** FW-07: a connection of a Unix socket has no address, so all users would share one. */
function requireProxyForSocket({ PORT: port, TRUST_PROXY: trust }: Fields): void {
  if (typeof port === 'number' || trust.isTrusted) return
  throw new ConfigError(
    `TRUST_PROXY is not set, but PORT is the socket "${port.file}", to which only a proxy connects; set TRUST_PROXY=true.`,
  )
}

/** CR-04: requires a master key from the operator, except on loopback. */
function requireMasterKey(fields: Fields, isLoopback: boolean): void {
  const { MASTER_KEY: key, MASTER_KEY_COMMAND: command } = fields
  if (key !== undefined && command !== undefined)
    throw new ConfigError('MASTER_KEY_COMMAND is set, but MASTER_KEY is set too; remove one of them.')
  if (isLoopback || key !== undefined || command !== undefined) return
  throw new ConfigError(
    `MASTER_KEY is not set, but the issuer ${fields.ISSUER} is public; set it to the output of "openssl rand -base64 32" and keep it safe.`,
  )
}

/**
 * Reads the numbers of workers and of database connections. Several processes cannot write to one SQLite file: each
 * caches data that no other process may change (decision 14).
 */
function readWorkers(fields: Fields, { kind }: DatabaseLocation) {
  const { LATCHKEY_WORKERS: wanted, LATCHKEY_DATABASE_CONNECTIONS: given } = fields
  if (kind === 'sqlite' && wanted !== 'auto' && wanted > 1) {
    throw new ConfigError(
      `LATCHKEY_WORKERS is "${wanted}", but only one process can write to a SQLite database; remove it, or use PostgreSQL in DATABASE_URL.`,
    )
  }
  const needed = wanted === 'auto' ? 0 : wanted * limits.fewestConnections
  if (given !== undefined && given < needed) {
    throw new ConfigError(
      `LATCHKEY_DATABASE_CONNECTIONS is "${given}", but each of the ${wanted} workers needs ${limits.fewestConnections}; use ${needed} or more.`,
    )
  }
  return {
    /** The number of processes that serve; 1 on SQLite. `auto`: the start chooses it. */
    workers: kind === 'sqlite' ? 1 : wanted,
    /** The number of connections to PostgreSQL for all workers together. */
    databaseConnections: given ?? Math.max(storage.postgresConnections, needed),
  }
}

/** Reads where metrics can be read; `null` if metrics are neither read nor sent, so nothing is counted. */
function readMetrics({ METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token, ...fields }: Fields) {
  if (port === undefined && token === undefined && !readTelemetry(fields)?.metrics) return null
  if (port === fields.PORT)
    throw new ConfigError(`METRICS_PORT is "${port}", but that is PORT too; use another port.`)
  return {
    /** The address only for metrics. */
    listen: port === undefined ? null : { host, port, prefix: 'METRICS_' },
    /** The token that readers must send; with it, the main port also answers. */
    token: token ?? null,
    /** The clients that are counted by name. */
    clients: fields.METRICS_CLIENTS ?? [],
  }
}

/** CF-02: decides whether the demo is on. Its passwords are public, so it must not be reachable from other machines. */
function decideDemo(fields: Fields, isLoopback: boolean): boolean {
  const hasConfiguration = fields.LATCHKEY_CONFIG !== undefined
  if (!(fields.LATCHKEY_DEMO ?? (isLoopback && !hasConfiguration))) return false
  if (hasConfiguration) {
    throw new ConfigError('LATCHKEY_DEMO is "true", but LATCHKEY_CONFIG is set too; remove one of them.')
  }
  if (!isLoopback) {
    throw new ConfigError(
      `LATCHKEY_DEMO is "true", but the issuer ${fields.ISSUER} is public, and so are the demo's passwords; remove LATCHKEY_DEMO.`,
    )
  }
  const open = openHost(listenAddresses(fields.PORT, fields.HOST))
  if (open !== null) {
    throw new ConfigError(
      `HOST is "${open}", but the demo's passwords are public, so it binds only loopback addresses; use HOST=127.0.0.1, set LATCHKEY_CONFIG, or set LATCHKEY_DEMO=false.`,
    )
  }
  return true
}

/**
 * CF-01: checks the issuer, the public address from which every link and every `iss` is made.
 * @throws ConfigError unless it is an https origin, or an http origin that is loopback or allowed by the development
 * switch
 */
function checkIssuer(
  issuer: string,
  allowInsecureHttp: boolean,
): { isLoopback: boolean; insecureHttp: boolean } {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw issuerProblem(issuer, 'it must be an address such as "https://login.example.com"')
  }
  if (issuer.includes('@')) {
    throw issuerProblem(issuer, `it must not contain a user name or password, so use "${url.origin}"`)
  }
  if (url.origin !== issuer) {
    throw issuerProblem(
      issuer,
      `it must be an origin without path, slash or default port, so use "${url.origin}"`,
    )
  }
  const isLoopback = isLoopbackHost(url.hostname)
  const insecureHttp = url.protocol === 'http:' && !isLoopback
  if (insecureHttp && !allowInsecureHttp) {
    throw issuerProblem(
      issuer,
      'plain http is not encrypted; use https, or set LATCHKEY_INSECURE_HTTP=true for development',
    )
  }
  return { isLoopback, insecureHttp }
}

function issuerProblem(issuer: string, rule: string): ConfigError {
  // The part before "@" may be a password
  const shown = issuer.includes('@') ? '(not shown)' : JSON.stringify(issuer)
  return new ConfigError(`ISSUER is ${shown}, but ${rule}.`)
}

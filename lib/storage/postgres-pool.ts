/** The connections to PostgreSQL: how they begin, and which of them are not used again. */
import { Socket } from 'node:net'
import { constants } from 'node:os'
import pg from 'pg'
import { storage } from '#lib/config/limits.ts'
import { isReadOnlyState, isRefusedSetting } from './database-errors.ts'

export type PoolSettings = {
  /** The maximum number of connections. */
  readonly connections?: number | undefined
  /** Whether the first message of a connection has no settings, because a pooler in between refuses them. */
  readonly isBare?: boolean | undefined
}

/** Opens connections with their settings, and without them if a pooler in between refuses those, as PgBouncer does. */
export async function openPastPooler<T>(open: (settings: PoolSettings) => Promise<T>): Promise<T> {
  try {
    return await open({})
  } catch (error) {
    if (!isRefusedSetting(error)) throw error
    return open({ isBare: true })
  }
}

/** Opens the pool of a server process: connections to a server that can be written. */
export function openPool(url: string, settings: PoolSettings = {}): pg.Pool {
  const pool = new pg.Pool({
    ...poolOptions(url, settings, { statement_timeout: storage.postgresStatementMs }),
    verify: (client, done) => refuseStandby(client).then(() => done(), done),
  })
  // NOTE: without listeners an error event would end the process. Queries fail with the same error; the pool reports
  // errors of idle connections
  pool.on('connect', client => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  replaceReadOnlyConnections(pool)
  return pool
}

/** Returns the options of connections on which the database refuses to write, unless a pooler refuses this setting. */
export function readOnlyPoolOptions(url: string, settings: PoolSettings = {}): pg.PoolConfig {
  return poolOptions(url, settings, { options: '-c default_transaction_read_only=on' })
}

function poolOptions(
  url: string,
  { connections = storage.postgresConnections, isBare = false }: PoolSettings,
  sent: pg.ClientConfig,
): pg.PoolConfig {
  return {
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: storage.postgresConnectMs,
    idleTimeoutMillis: storage.postgresIdleMs,
    ...(isBare ? {} : sent),
    stream: socketWithTimeout,
  }
}

/**
 * HA-02: refuses a new connection to a standby. It would serve reads of the past, and after a failover a proxy may still lead
 * there.
 */
async function refuseStandby(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query('SELECT pg_is_in_recovery() AS "isStandby"')
  if (rows[0]?.isStandby !== true) return
  throw Object.assign(new Error('the database server is a standby'), { code: '25006' })
}

/**
 * HA-02: ends all connections, at most once a second, when one reports that it cannot write: after a failover, they all lead to the earlier
 * primary server. NOTE: Prisma returns the connection of a failed transaction to the pool, which would use it again.
 */
function replaceReadOnlyConnections(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>()
  const busy = new Set<pg.PoolClient>()
  const readOnly = new WeakSet<pg.PoolClient>()
  let endedAllAt = Number.NEGATIVE_INFINITY
  pool.on('connect', client => {
    connectionOf(client)?.on('errorMessage', ({ code }: { readonly code?: string }) => {
      if (!isReadOnlyState(code)) return
      readOnly.add(client)
      if (performance.now() - endedAllAt < storage.postgresEndAllMs) return
      endedAllAt = performance.now()
      for (const each of busy) readOnly.add(each)
      // The pool removes an idle connection that reports an error
      for (const each of [...idle]) each.emit('error', new Error('the database server is read-only'))
    })
  })
  pool.on('acquire', client => {
    idle.delete(client)
    busy.add(client)
  })
  pool.on('release', (_, client) => {
    busy.delete(client)
    // NOTE: the pool decides after this event, and keeps no connection that is ending
    if (readOnly.has(client) && client instanceof pg.Client) void client.end()
    else idle.add(client)
  })
  pool.on('remove', client => {
    idle.delete(client)
    busy.delete(client)
  })
}

/** Returns the part of a client that reads the protocol; the driver does not declare it. */
function connectionOf(client: pg.PoolClient): pg.Connection | undefined {
  const connection: unknown = Reflect.get(client, 'connection')
  return connection instanceof pg.Connection ? connection : undefined
}

/**
 * DB-01: creates a socket that fails with ETIMEDOUT when no data moves for `postgresSilenceMs`. A frozen server or a
 * network that drops every packet does not end a connection, so requests would never end. NOTE: the driver's
 * `query_timeout` would return the connection to the pool with its transaction open.
 */
function socketWithTimeout(): Socket {
  const socket = new Socket()
  return socket.setTimeout(storage.postgresSilenceMs, () => socket.destroy(silence()))
}

function silence(): Error {
  const fields = { code: 'ETIMEDOUT', errno: -constants.errno.ETIMEDOUT, syscall: 'read' }
  return Object.assign(new Error('the database server is silent'), fields)
}

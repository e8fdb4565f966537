/** The work of a node: processes, the database, maintenance, and requests to other servers. */

/** The time in which a hook of the extensions must answer. */
export const hookMs = 10_000
/** The size of a file that contains a secret of the environment; most are shorter than 100 bytes. */
export const longestSecretFileBytes = 65_536

/** The time for which `npm run health` waits for the server. `/readyz` waits for the database as long as requests do. */
export const healthCommandMs = 5000

/** The worker processes of one node: decision 91. */
export const workers = {
  most: 64,
  /** The maximum number of workers with `LATCHKEY_WORKERS=auto`. */
  mostAutomatic: 4,
  /**
   * The memory of one worker under load with a loaded dashboard; and that of the primary process, with room for the
   * system.
   */
  megabytesEach: 350,
  megabytesBeside: 200,
  /** A worker needs one connection for a transaction, one for a group of rows, and one for other statements. */
  fewestConnections: 3,
  pingEveryMs: 1000,
  /** The number of unanswered pings above which a worker is ended and replaced. */
  mostUnanswered: 10,
  /** The time without a message of the primary process after which a worker is not ready. */
  wordMs: 5000,
  /** The node ends if this number of workers end within this time. */
  deaths: 5,
  deathsWithinMs: 60_000,
  /**
   * The time after which the workers of a stopping node are killed: enough for the notice, the running requests and the
   * last writes.
   */
  endMs: 18_000,
  /** The length above which a line of the log is passed on in parts. */
  longestLine: 1_048_576,
} as const

/** The number of rows that a step of the purge deletes, and the pause after it. Decision 056. */
export const purge = {
  rows: { first: 50, least: 20, most: 500 },
  /** The time that a step should not exceed: the number of rows is adapted to it. */
  stepMs: 10,
  /**
   * The factor by which a pause, unless it reaches `longestPauseMs`, is longer than the step before it: the purge uses a
   * tenth of the time of SQLite's only writer.
   */
  pauseFactor: 9,
  longestPauseMs: 100,
  /** The time after which a purge makes its pauses half as long; after twice this time a third, and so on. */
  hurryAfterMs: 60_000,
} as const

/** The outbox: messages such as mails that are sent after the change that causes them. */
export const outbox = {
  /** The number of messages that one process sends at the same time: some mail services allow three connections. */
  atOnce: 3,
  /** The time after which a message is sent again if the process that leased it has ended; longer than an attempt. */
  leaseSeconds: 60,
  attemptMs: 40_000,
  /** The time for which a server that stops waits for the attempts in progress. */
  stopMs: 5000,
  /** The interval at which a process looks for messages that are due. */
  everyMs: 1000,
  /** The pauses after the first, second, … attempt: those of Standard Webhooks 1.0.0. */
  retrySeconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
  /** The number of attempts, also those without a result because their process ended, after which a message is given up. */
  mostAttempts: 20,
  /** The random part of a pause, so that messages to one receiver do not arrive together. */
  jitter: 0.2,
  /** The time for which a message is listed after it was delivered or given up. */
  keptSeconds: 30 * 86_400,
  answerCharacters: 500,
  /** The number of messages in the list of the dashboard, and in that on the page of a user. */
  listed: 100,
  listedOfUser: 10,
} as const

/** The shortest and the longest pause before work that follows a response. */
export const afterwards = { leastMs: 50, mostMs: 1000 } as const

export const storage = {
  /** The number of parsed clients that one process caches. */
  cachedDocuments: 5000,
  /** The number of rows that one statement writes for several requests. */
  groupedWrites: 100,
  /**
   * The number of rows that one statement writes for one call, such as an import: larger statements are hardly faster.
   */
  batchedRows: 500,
  /**
   * The number of grouped statements in progress at which only full groups are still sent. On PostgreSQL each statement
   * uses a connection.
   */
  groupsUnderWay: 2,
  /** The number of waiting changes that are sent to the writer thread of SQLite without waiting for further ones. */
  changesTogether: 64,
  /** The number of pending requests that one statement deletes. */
  deletedTogether: 500,
  /** The number of rate limit counters that one process caches. */
  cachedCounters: 10_000,
  /** The shortest time between two writes of a session's last use. */
  sessionTouchSeconds: 60,
  /** The longest wait for the start of a transaction, and the longest time for which one may stay open. */
  transactionWaitMs: 10_000,
  transactionMs: 10_000,
  applyConfigurationMs: 60_000,
  /** The longest transaction of an import: half a million users take two minutes. */
  importMs: 600_000,
  /** How often an admin's change is attempted if other transactions cause write conflicts. */
  commitAttempts: 4,
  /** The time for which a start waits for another node's migration, or a migration for a table that is in use. */
  migrationWaitMs: 60_000,
  /** The longest time for which requests wait behind a migration that waits for their table. */
  migrationLockMs: 2000,
  /** The time between two attempts of a migration, or two questions for the end of another node's. */
  migrationPauseMs: 250,
  /**
   * The time after which a further connection that can only read ends all others again. A database that stays read-only would
   * otherwise end them at each write.
   */
  postgresEndAllMs: 1000,
  /** The number of connections of a node: enough for `workers.mostAutomatic` workers. */
  postgresConnections: 12,
  postgresConnectMs: 3000,
  postgresStatementMs: 8000,
  /** The time after which idle connections are closed, before `postgresSilenceMs` ends them. */
  postgresIdleMs: 8000,
  /**
   * The time without data after which a connection counts as dead. It is longer than the database's own limit for a
   * statement.
   */
  postgresSilenceMs: 9000,
  /** `Retry-After` while the database is unavailable. */
  retryAfterSeconds: 2,
} as const

/**
 * The time for which a start of the server, a command and the writer thread wait for a SQLite file that another process
 * has locked, for example Litestream during a WAL checkpoint; Litestream recommends this time. No other work of the
 * process waits with them.
 */
export const sqliteBusyTimeoutMs = 5000
/**
 * The time for which a start of the server waits for another process that uses the database: a command ends soon,
 * another server does not.
 */
export const sqliteLeaseWaitMs = 1000
/**
 * The time for which a read waits for a locked file; every request of the process waits with it. Only an exclusive lock
 * stops a read.
 */
export const sqliteReadTimeoutMs = 200
export const outboundTimeoutMs = 5000
export const outboundBodyBytes = 1_048_576

/**
 * Backups. `scrypt`: RFC 7914 with 128 MB, because a passphrase can be guessed without the server. `endStateMs`: the time in
 * which a restore ends grants, sessions and codes.
 */
export const backups = {
  chunkBytes: 1_048_576,
  headerBytes: 262_144,
  scrypt: { cost: 131_072, blockSize: 8 },
  passphraseCharacters: 12,
  endStateMs: 600_000,
} as const

/** The time within which MASTER_KEY_COMMAND must print the key. */
export const masterKeyCommandMs = 10_000

/**
 * A move from SQLite to PostgreSQL. `rowsTogether`, `charactersTogether`: what one transaction writes; it ends with the first of
 * the two.
 */
export const moves = { rowsTogether: 1000, charactersTogether: 4_000_000, readBytes: 1_048_576 } as const

/** Metrics. `possibleSeries`: more than the lists of labels allow. A window of the event loop is as long as a usual scrape interval. */
export const metrics = {
  series: 2000,
  possibleSeries: 20_000,
  eventLoopSampleMs: 10,
  eventLoopWindowMs: 15_000,
  /** The interval at which states are read from the database. */
  statesEveryMs: 15_000,
  fewestTokenCharacters: 32,
  /** The share of traces that are sampled. */
  sampledShare: 0.05,
  /** The number of clients that can be counted by name. */
  mostClients: 50,
  /** The time for which a worker waits for the values of all workers. */
  collectMs: 2000,
  /** The limits of the port for metrics. */
  connections: 20,
  requestMs: 5000,
} as const

/** Data that is sent to a collector. `endMs`: the time for which a process that ends waits for the collector. */
export const telemetry = { attributeCharacters: 200, reportEveryMs: 60_000, endMs: 2000 } as const

/** The checks of `npm run doctor`. */
export const doctor = {
  timeoutMs: 10_000,
  bodyBytes: 262_144,
  /** Long enough for a request with an ID token as a hint; proxies often allow 8 KB. */
  queryBytes: 7000,
  clockWarningSeconds: 5,
  clockErrorSeconds: 30,
  certificateDays: 21,
  /** The time for one group of checks. */
  groupMs: 25_000,
  /** The time after which the lease of a run ends by itself. */
  leaseSeconds: 60,
  /** The time for a self-test. Its client, user and session end by themselves after it. */
  selfTestSeconds: 120,
} as const

/** The maximum number of connections of a node; a slow connection takes about 25 kB. */
export const maxConnections = 5000

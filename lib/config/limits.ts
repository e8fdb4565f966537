/** Every limit and lifetime with its source. The names contain the units. */

/** The longest value of a parameter for which `parameterRules` has no length, in characters. */
export const unknownParameterLength = 8192

/** LIM-04: recursive functions read such values, and the stack is limited. */
export const jsonDepth = 64
export const bodyBytes = { form: 65_536, token: 131_072, admin: 4_194_304 } as const
/** The rest of `requestHead.addressCharacters` after the longest path. */
export const queryCharacters = 28_672
/** Parameters of a query or a form, empty ones included. */
export const mostParameters = 200
/** Validation by GET: RFC 9110 4.1 recommends at least 8,000. */
export const validationQueryCharacters = 8_192

export const lifetimeSeconds = {
  /** The time in which a user must sign in and answer. */
  pendingRequest: 3600,
  externalSignIn: 600,
  partialSignIn: 900,
  signOutRequest: 900,
  /** How long a browser is known to the accounts that signed in there. */
  knownBrowser: 31_536_000,
  /** How long a provider's discovery document is kept. */
  providerMetadata: 600,
  /** IdentityServer3: 10 hours, and 30 days when remembered. */
  session: 36_000,
  rememberedSession: 2_592_000,
  /** Idle limit of a session that is not remembered: 2 hours. */
  sessionIdle: 7200,
  rememberedSessionIdle: 1_209_600,
  /** FAPI 2.0 Security Profile 5.3.2.1: at most 60 s. RFC 6749 4.1.2: at most 10 minutes. */
  authorizationCode: 60,
  maximumAuthorizationCode: 600,
  /** As in IdentityServer3. */
  identityToken: 300,
  accessToken: 3600,
  /** Access tokens from the front channel: at most 10 minutes. */
  frontChannelAccessToken: 600,
  absoluteRefreshToken: 2_592_000,
  slidingRefreshToken: 1_296_000,
  /** How long a verifier may cache the key set. */
  keySetCache: 300,
} as const

/** AD-09: shorter than a user's session. OWASP ASVS 7.3 does not define the figures. */
export const adminSession = {
  absoluteSeconds: 28_800,
  idleSeconds: 1800,
  /** The maximum age of the sign-in that starts an admin session. */
  entrySeconds: 3600,
  /** AD-04: how long after a sign-in a sensitive action needs no new one. */
  freshSignInSeconds: 300,
  /** The time to sign in to the dashboard. */
  departureSeconds: 900,
  /** Rejected input, and secrets that are shown once. */
  pageStateSeconds: 900,
  /** Stored for one browser at the same time; a sealed configuration has up to 11 million characters. */
  pageStatesKept: 100,
  pageStateCharacters: 16_777_216,
  /** The time to complete a client test. */
  clientTestSeconds: 600,
  invitationSeconds: 86_400,
  firstOwnerSeconds: 3600,
} as const

/** Rows of one page of the dashboard's lists, unless asked otherwise, and at most. */
export const adminList = {
  page: 25,
  largestPage: 200,
  counted: 10_000,
  exported: 10_000,
  namedUsers: 100,
  /** Results of each kind in the search for everything. */
  found: 8,
} as const
/** Counting stops at this number. */
export const countedAtMost = 10_000
/** Last uses of clients and secrets. */
export const usageMarks = { everyMs: 60_000, writeEveryMs: 1000, most: 20_000 } as const

/** When the overview shows an alert. */
export const attention = {
  /** Two weeks ahead. */
  secretSeconds: 1_209_600,
  failingShare: 0.2,
  fewestRefusals: 5,
  /** Of the clients with the most refusals. */
  refusedLookedAt: 50,
  /** How long the refusal of a client without PKCE needs attention. */
  withoutPkceSeconds: 86_400,
  most: 5,
  /** It runs every minute. */
  purgeLateSeconds: 600,
  auditLateSeconds: 172_800,
  /** Keys are maintained every hour. */
  keyLateSeconds: 86_400,
  freeBytes: 1_073_741_824,
} as const

/** Lines of the log that are written together. */
export const logBuffer = { characters: 65_536, longestMs: 50 } as const
/** How often the server verifies the audit chain. */
export const auditCheck = { everySeconds: 86_400 } as const
/** Events that are not in the database yet. A process that is killed loses those of the last quarter of a second. */
export const events = { writeEveryMs: 250, mostWaiting: 20_000, writtenTogether: 250 } as const
/** How long the next userinfo responses for a grant to an address have no row, and how many such pairs a process remembers. */
export const repeatedUserinfo = { withinMs: 60_000, remembered: 20_000 } as const

/** Of one kind from one address in a minute, more than users and a failing app cause; and how many kinds are counted. */
export const refusalEventLimits = { perMinute: 300, kinds: 10_000 } as const
/** Stored events of started sign-ins in a minute: from one address, and from all addresses. */
export const pausedEventLimits = { fromOneAddress: 300, fromAll: 3000 } as const
/** Users counted today that one process remembers. */
export const visitors = { remembered: 100_000 } as const
/** For the busiest clients of a period: the number of clients read for each day, and of those added up. */
export const aggregates = { leadersOfDay: 50, candidates: 100 } as const

/** The longest lifetimes that a client can have. CD-05 limits codes; the other limits prevent lifetimes of decades through a typing error. */
export const longestLifetimeSeconds = {
  authorizationCode: lifetimeSeconds.maximumAuthorizationCode,
  identityToken: 86_400,
  accessToken: 2_592_000,
  refreshToken: 31_622_400,
  consent: 315_360_000,
} as const

/** Within this time a repeated refresh token counts as a retry, later as theft. Not in RFC 9700 4.14.2: see decision 037. */
export const refreshRetryWindowSeconds = 60
/**
 * The same for public clients without `refresh_retry_window`. Their tokens work for anyone who has them (RFC 9700 4.14): a thief who
 * repeats each token within the window receives the same answers. It covers parallel requests and one that is sent again immediately.
 */
export const publicRefreshRetryWindowSeconds = 5
export const longestRefreshRetryWindowSeconds = 600
export const clockSkewSeconds = 60
/** The time in which a hook of the extensions must answer. */
export const hookMs = 10_000
/** IdentityServer3: how long its validation endpoints accept a JWT after its end, and before its start. */
export const identityServer3SkewSeconds = 300
/** How long tokens without a grant are remembered as revoked. By then those that this server issued are no longer accepted. */
export const revocationMarkSeconds =
  longestLifetimeSeconds.accessToken + identityServer3SkewSeconds + clockSkewSeconds
/** The number of failed redemptions after which a code is invalid. */
export const codeRedemptionAttempts = 5

/** How many can exist at the same time; the oldest are deleted for the newest (LIM-06). */
export const liveAtOnce = {
  /** Codes of one user for one client. */
  codes: 20,
  /** Unanswered authorization requests of one browser. */
  pendingRequestsOfBrowser: 30,
  /** Authorization requests of all browsers, answered or not, until they expire. */
  pendingRequests: 100_000,
  /** After this number of new requests a node compares the total with the limit. */
  requestsBetweenChecks: 1000,
  /** Networks with the most requests, which lose theirs first. */
  networksCompared: 100,
} as const

/** Failed attempts within the window, per key. */
export const rateLimits = {
  account: { limit: 10, windowSeconds: 900 },
  /**
   * In addition, once `account` is used up: one attempt for each network that has not failed then, and so many of all networks, so that a
   * flood from a few networks refuses the user nowhere else. OWASP ASVS 6.3.1 (4.0: 2.2.1): at most 100 failures of one account in an hour.
   */
  accountSpareFromNetwork: { limit: 1, windowSeconds: 900 },
  accountSpare: { limit: 15, windowSeconds: 900 },
  accountAndAddress: { limit: 5, windowSeconds: 300 },
  address: { limit: 100, windowSeconds: 600 },
  /** A browser in which the account signed in before: others cannot use up its attempts. */
  knownBrowser: { limit: 10, windowSeconds: 900 },
  /** All known browsers of one account: anyone who knows the password can create many. */
  knownBrowsers: { limit: 20, windowSeconds: 900 },
  /** One address with links that make an administrator. */
  setUp: { limit: 20, windowSeconds: 600 },
  client: { limit: 100, windowSeconds: 600 },
  /** In addition, once `client` is used up: a right secret is never refused because of others. */
  clientSpareFromNetwork: { limit: 1, windowSeconds: 300 },
  clientAndAddress: { limit: 20, windowSeconds: 300 },
  /** One address with any client IDs: invented ones must not circumvent the two limits above. */
  clientAddress: { limit: 200, windowSeconds: 600 },
  validationAddress: { limit: 300, windowSeconds: 60 },
  /** LIM-06: pending requests of one address. A completed one no longer counts. */
  pendingRequestsPerAddress: { limit: 600, windowSeconds: 60 },
} as const

/** How many times the limit of an address the IPv6 networks around it have: /64, /56, /48. */
export const networkFactors = [1, 2, 4] as const

/**
 * Attempts whose password or secret is being checked: at most `perNode` of one rule on each of several nodes, or a tenth of its
 * limit if that is more; the others wait. `knownMs`: a node knows the failures on other nodes after this time (decision 054).
 */
export const attemptsInFlight = { perNode: 4, waiting: 500, longestWaitMs: 10_000, knownMs: 1000 } as const

/** Argon2id: OWASP's 19 MiB, 2 passes, 1 lane. */
export const passwordHashing = {
  memoryKiB: 19_456,
  passes: 2,
  lanes: 1,
  retryAfterSeconds: 2,
} as const
/**
 * The queues of expensive checks: passwords, passwords with a slow imported hash, and secrets of clients and APIs, so that requests with
 * invented clients cannot delay sign-ins. A network with `busyFrom` failures and other checks is busy: all busy networks have a share of
 * the processors in each queue, one quarter. Slow checks leave threads of the pool for others.
 */
export const checkQueue = {
  passwords: { inFlight: 4, waiting: 100, busyFrom: 10 },
  slowPasswords: { inFlight: 2, waiting: 100, busyFrom: 1 },
  secrets: { inFlight: 2, waiting: 50, busyFrom: 10 },
  busyShare: 0.25,
  longestWaitMs: 30_000,
} as const
/** Failed checks that a process remembers of a network: at most `most`, one less after each `forgetOneMs`. */
export const checkFailures = { networks: 10_000, most: 20, forgetOneMs: 60_000 } as const
/**
 * PBKDF2 of other servers. MembershipReboot doubles its iterations every two years: 8,192,000 in 2026, 3 s. `slowIterations`: about ten
 * times the time of one Argon2id hash. `kinds`: the most frequent ones that the time of a sign-in with an unknown name imitates.
 */
export const importedHashes = {
  mostIterations: 10_000_000,
  slowIterations: 1_000_000,
  kinds: 50,
  /** Users that one statement reads to count them, and the pause after it. */
  countedTogether: 1000,
  countPauseMs: 50,
  countEverySeconds: 3600,
  fewestBytes: 16,
  mostBytes: 64,
} as const
export const passwordCharacters = { minimum: 8, maximumBytes: 1024 } as const

export const server = {
  requestTimeoutMs: 15_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 65_000,
  /** SHUT-02: a proxy reads `/readyz` every few seconds. Without a proxy, open connections still get `connection: close`. */
  proxyNoticeMs: 5000,
  noticeMs: 250,
  drainDeadlineMs: 10_000,
  /** A signal that comes later than this after the first one ends the process immediately. */
  secondSignalMs: 500,
  /** How long a refused connection can continue to send before it is closed. */
  lingerMs: 2000,
  /** How much more of a refused body is read in that time. */
  lingerBytes: 16_777_216,
  /**
   * A longer address to continue at is sent in a page, so that the head of every answer has less than 8 kB: nginx accepts 4 or
   * 8 kB by default (`proxy_buffer_size`), Apache 8 kB.
   */
  locationCharacters: 6144,
  /** Request line and headers together. */
  maxHeaderBytes: 65_536,
} as const

/** Read before any other code sees a request, whatever its path: code behind it gets no more than this. */
export const requestHead = {
  /** RFC 9110 4.1 recommends at least 8,000. The longest ID token with the claims of a user has 15,000. */
  addressCharacters: 32_768,
  /** PATH_MAX of Linux. The longest path of this server names a user whose ID is percent-encoded: 2,300. */
  pathCharacters: 4096,
  /** As in Apache (`LimitRequestFields`). */
  headers: 100,
  /** As in Apache (`LimitRequestFieldSize`) and nginx, except for `Authorization` and `Cookie`. */
  headerCharacters: 8190,
  /** SE-08: this server's cookies take less than 1,000; above these numbers the browser is asked to delete them. */
  cookieCharacters: 16_384,
  /** Browsers keep at most 180 of one domain. RFC 6265 6.1 recommends at least 50. */
  cookies: 200,
} as const

/** Processes that serve on one node: decision 91. */
export const workers = {
  most: 64,
  /** Unless the setting asks for more. */
  mostAutomatic: 4,
  /** One under load with a loaded dashboard, and the primary process with room for the system. */
  megabytesEach: 350,
  megabytesBeside: 200,
  /** Each needs one for a transaction, one for a group of rows, and one for other statements. */
  fewestConnections: 3,
  pingEveryMs: 1000,
  /** After this number of unanswered pings a worker is ended and replaced. */
  mostUnanswered: 10,
  /** A worker that has not heard of its primary process for this time is not ready. */
  wordMs: 5000,
  /** This number of workers that end within this time ends the node. */
  deaths: 5,
  deathsWithinMs: 60_000,
  /** The time for the notice, the running requests and the last writes. */
  endMs: 18_000,
  /** A line of the log that is longer is passed on in parts. */
  longestLine: 1_048_576,
} as const

/** JW-10: a key is published long before it signs, and until its last token has expired. Rotation as in Duende. */
export const signingKeys = {
  rotationSeconds: 7_776_000,
  propagationSeconds: 1_209_600,
  /** A rotation by an admin waits twice the time for which verifiers can cache the key set. */
  promptPropagationSeconds: 2 * lifetimeSeconds.keySetCache,
  retentionSeconds: longestLifetimeSeconds.accessToken + lifetimeSeconds.keySetCache,
  /** The longest time until this node no longer uses a key that another node removed (KEY-03). */
  freshnessMs: 500,
  /** JW-08: at least 2048, new ones 3072. */
  rsaBits: 3072,
} as const

/** Cached secrets that were verified, so that not every request of a client needs a password hash. */
export const knownSecrets = 10_000
/** The number of verified tokens that one process caches. */
export const verifiedTokens = 5000

/** The steps of the purge: how many rows a step deletes, and how long the pause after it is. Decision 056. */
export const purge = {
  rows: { first: 50, least: 20, most: 500 },
  /** Steps become smaller when they take longer. */
  stepMs: 10,
  /** A pause is this many times as long as the step before it: the purge takes a tenth of the time of SQLite's only writer. */
  pauseFactor: 9,
  longestPauseMs: 100,
  /** After this time a purge makes its pauses half as long, after twice this time a third, and so on. */
  hurryAfterMs: 60_000,
} as const

export const storage = {
  /** Parsed clients, scopes and providers that one process keeps. */
  cachedDocuments: 5000,
  /** Rows that one statement writes together. */
  groupedWrites: 100,
  /** The same for rows that one call writes, such as an import: a larger number is hardly faster. */
  batchedRows: 500,
  /** The number of such statements in progress. On PostgreSQL each uses a connection. */
  groupsUnderWay: 2,
  /** On SQLite, changes of requests that wait for others before they are sent to the thread that writes. */
  changesTogether: 64,
  /** Pending requests that one statement deletes. */
  deletedTogether: 500,
  /** Rate limit counters that one process caches. */
  cachedCounters: 10_000,
  /** The last use of a session is written at most this often. */
  sessionTouchSeconds: 60,
  /** The longest wait for a transaction's start, and the longest time it may stay open. */
  transactionWaitMs: 10_000,
  transactionMs: 10_000,
  applyConfigurationMs: 60_000,
  /** The same for an import: half a million users take two minutes. */
  importMs: 600_000,
  /** How often the change of an admin is attempted if others write at the same time. */
  commitTries: 4,
  /** How long a start waits for another node's migration. */
  migrationWaitMs: 60_000,
  /** Of a node: enough for the workers that it has at most unless more are set. */
  postgresConnections: 12,
  postgresConnectMs: 3000,
  postgresStatementMs: 8000,
  /** Idle connections are closed before `postgresSilenceMs` ends them. */
  postgresIdleMs: 8000,
  /** The time without data after which a connection is considered dead: the database ends a statement earlier. */
  postgresSilenceMs: 9000,
  /** `Retry-After` while the database is unavailable. */
  retryAfterSeconds: 2,
} as const

/** LG-07: how long the database keeps events. Changes by admins are kept permanently. */
export const retentionSeconds = {
  /** PCI DSS 10.5.1: three months at hand. */
  events: 7_776_000,
  /** Hourly, because the quarter that is compared begins in the middle of a day. */
  hourlyCounts: 8_640_000,
  /** Thirteen months, so that each can be compared with the same month of the year before. */
  dailyCounts: 34_560_000,
} as const

/**
 * Additional fields of the sign-in form. `keptBytes`: of their values, which a failed attempt keeps in its cookie; browsers accept 4096
 * bytes for all of it (RFC 6265 6.1).
 */
export const signInFields = { most: 5, characters: 255, labelCharacters: 100, keptBytes: 600 } as const

export const claimLimits = { most: 100, userBytes: 6144, clientBytes: 3072 } as const
/** Secrets of one client or API, and how long a rotated secret can stay valid. */
export const secretList = { most: 10, longestOverlapHours: 720 } as const

/**
 * How long a start, a command and the writing thread wait for a SQLite file that another process has locked, such as a replication
 * that moves the log into the database; Litestream recommends this time. No other work of the process waits with them.
 */
export const sqliteBusyTimeoutMs = 5000
/** How long a start waits for another process that uses the database: a command does so for a moment, another server for good. */
export const sqliteLeaseWaitMs = 1000
/** How long a read waits for a locked file, and every request of the process with it. Only an exclusive lock stops a read. */
export const sqliteReadTimeoutMs = 200
/** For one provider: an ID token with an unknown `kid` leads to one fetch of the keys in this time, for at most this many. */
export const providerKeyLookups = { seconds: 60, most: 10 } as const
export const outboundTimeoutMs = 5000
export const outboundBodyBytes = 1_048_576

/** The search for users and clients by words. The index has a row for each word: these limit its size. */
export const search = {
  /** Of one text, stored or searched for. */
  characters: 500,
  termCharacters: 64,
  termsStored: 12,
  wordsAsked: 5,
  /** Rows of the index that one statement reads; a search begins with the word that the fewest rows have. */
  examined: 8000,
  /** Events that are counted to find the condition that the fewest of them meet. */
  eventsWeighed: 2000,
  /** How many times `examined` rows are read before a page is shown incomplete. */
  stretches: 2,
  /** ITU-T E.164: the lowest number of digits of a subscriber's number. */
  phoneDigits: 7,
} as const

/** An export of another server: the length of one row, and the number of tables and rows. */
export const importLimits = { rowCharacters: 1_048_576, tables: 200, rows: 10_000_000 } as const

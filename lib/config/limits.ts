/** The limits and lifetimes of the server. */

/** The longest value of a parameter that has no length in `parameterRules`, in characters. */
export const unknownParameterLength = 8192

/** LIM-04: the deepest nesting of JSON. Recursive functions read such values, and the stack is limited. */
export const jsonDepth = 64
export const bodyBytes = { form: 65_536, token: 131_072, admin: 4_194_304 } as const
/** The longest name of a client. CN-09: consent pages show it. */
export const clientNameCharacters = 200
/** The longest query: `requestHead.addressCharacters` without the longest path. */
export const queryCharacters = 28_672
/** The maximum number of parameters of a query or a form, including empty ones. */
export const mostParameters = 200
/** The longest query of validation by GET: RFC 9110 4.1 recommends at least 8,000. */
export const validationQueryCharacters = 8_192

export const lifetimeSeconds = {
  /** The time in which a user must sign in and answer. */
  pendingRequest: 3600,
  externalSignIn: 600,
  partialSignIn: 900,
  signOutRequest: 900,
  /** The time for which a browser is a known browser of the accounts that signed in with it. */
  knownBrowser: 31_536_000,
  /** The time for which a browser can skip the question for a second factor after its user trusted it. */
  trustedBrowser: 2_592_000,
  /** The time to set up an authenticator app, and that for which new recovery codes can be shown again in their browser. */
  authenticatorSetUp: 900,
  recoveryCodesShown: 600,
  /** The time for which a provider's discovery document is cached. */
  providerMetadata: 600,
  /** The absolute lifetime of sessions as in IdentityServer3: 10 hours, and 30 days when remembered. */
  session: 36_000,
  rememberedSession: 2_592_000,
  /** The idle timeout of a session that is not remembered: 2 hours. */
  sessionIdle: 7200,
  rememberedSessionIdle: 1_209_600,
  /** FAPI 2.0 Security Profile 5.3.2.1: at most 60 s. RFC 6749 4.1.2: at most 10 minutes. */
  authorizationCode: 60,
  maximumAuthorizationCode: 600,
  /** The lifetimes of tokens as in IdentityServer3. */
  identityToken: 300,
  accessToken: 3600,
  /** Access tokens from the front channel: at most 10 minutes. */
  frontChannelAccessToken: 600,
  absoluteRefreshToken: 2_592_000,
  slidingRefreshToken: 1_296_000,
  /** The time for which a verifier may cache the key set. */
  keySetCache: 300,
} as const

/** The sessions of other accounts that a browser keeps: their handles fill two cookies of together at most 300 bytes. */
export const browserAccounts = { others: 5 } as const

/**
 * AD-09: the lifetimes of an admin session, which are shorter than those of a user's session. OWASP ASVS 7.3 does not
 * define the figures.
 */
export const adminSession = {
  absoluteSeconds: 28_800,
  idleSeconds: 1800,
  /** The maximum age of the sign-in that starts an admin session. */
  entrySeconds: 3600,
  /** The time from the first start in production until administrators need a second factor. */
  secondFactorNoticeSeconds: 1_209_600,
  /** AD-04: how long after a sign-in a sensitive action does not require a new one. */
  freshSignInSeconds: 300,
  /** The time to sign in to the dashboard. */
  departureSeconds: 900,
  /** The lifetime of stored page states, such as rejected input and secrets that are shown once. */
  pageStateSeconds: 900,
  /**
   * The maximum number and total size of the page states of one browser; the newest is always kept. One with a sealed
   * configuration has up to 11 million characters.
   */
  pageStatesKept: 100,
  pageStateCharacters: 16_777_216,
  /** The time to complete a client test. */
  clientTestSeconds: 600,
  invitationSeconds: 86_400,
  firstOwnerSeconds: 3600,
} as const

/** MF-04: how long after a sign-in users can change their ways to sign in without a new one; as for `adminSession`. */
export const freshSignInSeconds = adminSession.freshSignInSeconds

/**
 * Limits of the dashboard's lists. `page`, `largestPage`: the default and the maximum number of rows on a page.
 * `counted`: the number of users up to which an export of the configuration can contain them. `exported`: the rows of a
 * CSV export. `namedUsers`: the clients that are named as users of a scope or provider.
 */
export const adminList = {
  page: 25,
  largestPage: 200,
  counted: 10_000,
  exported: 10_000,
  namedUsers: 100,
  /** The maximum number of results of each kind in the dashboard's global search. */
  found: 8,
} as const
/** The number at which counts of rows for the dashboard stop. */
export const countedAtMost = 10_000
/**
 * Last uses of clients, secrets, users and sessions. `everyMs`: the shortest time between two stored uses of the same
 * object. `writeEveryMs`: the time for which uses are collected before they are written. `most`: the number of objects
 * of each kind whose last use a process remembers.
 */
export const usageMarks = { everyMs: 60_000, writeEveryMs: 1000, most: 20_000 } as const

/** The conditions under which the overview shows an alert. */
export const attention = {
  /** Secrets that expire within two weeks. */
  secretSeconds: 1_209_600,
  failingShare: 0.2,
  fewestRefusals: 5,
  /**
   * The number of clients that are checked: those with the most refusals. Also the number of refusals for missing PKCE
   * that are checked.
   */
  refusedLookedAt: 50,
  /** How long a refusal for missing PKCE can cause an alert about its client. */
  withoutPkceSeconds: 86_400,
  most: 5,
  /** The time after which a purge is overdue. The purge runs every minute. */
  purgeLateSeconds: 600,
  auditLateSeconds: 172_800,
  /** The time for which a change that a user took back causes an alert. */
  takenBackSeconds: 604_800,
  /** The time for which a message that was given up causes an alert. */
  givenUpSeconds: 86_400,
  /** The time after which the publication of a planned key is overdue. Keys are maintained every hour. */
  keyLateSeconds: 86_400,
  freeBytes: 1_073_741_824,
} as const

/** The log is buffered until it has this number of characters, or for this time. */
export const logBuffer = { characters: 65_536, longestMs: 50 } as const
/** The interval at which the server verifies the audit chain. */
export const auditCheck = { everySeconds: 86_400 } as const
/**
 * The buffer of events before they are stored. `writeEveryMs`: the time after which they are written, so a process that
 * is killed loses the events of the last quarter of a second. `mostWaiting`: the number above which events are dropped.
 * `writtenTogether`: the number of events that are written together.
 */
export const events = { writeEveryMs: 250, mostWaiting: 20_000, writtenTogether: 250 } as const
/**
 * The time in which the events of repeated userinfo responses for the same grant and address are not stored, and the
 * number of such pairs that a process remembers.
 */
export const repeatedUserinfo = { withinMs: 60_000, remembered: 20_000 } as const

/**
 * `perMinute`: the maximum number of stored refusals of one kind from one address in a minute, which is more than users
 * and a failing app cause. `kinds`: the number of pairs of a kind and an address that a process counts.
 */
export const refusalEventLimits = { perMinute: 300, kinds: 10_000 } as const
/** The maximum number of stored events of started sign-ins in a minute: from one address, and from all addresses. */
export const pausedEventLimits = { fromOneAddress: 300, fromAll: 3000 } as const
/** The maximum number of users of whom one process remembers the last day on which they were counted. */
export const visitors = { remembered: 100_000 } as const
/**
 * Limits of the query for the busiest clients of a period. `leadersOfDay`: the number of clients with the highest count
 * that are read for each day. `candidates`: the number of these whose counts are summed over the period.
 */
export const aggregates = { leadersOfDay: 50, candidates: 100 } as const

/**
 * The longest lifetimes that a client can have. CD-05 limits codes; the other limits prevent lifetimes of decades
 * through a typing error.
 */
export const longestLifetimeSeconds = {
  authorizationCode: lifetimeSeconds.maximumAuthorizationCode,
  identityToken: 86_400,
  accessToken: 2_592_000,
  refreshToken: 31_622_400,
  consent: 315_360_000,
} as const

/**
 * The time in which a repeated refresh token counts as a retry; afterwards it counts as theft. Not in RFC 9700 4.14.2:
 * see decision 037.
 */
export const refreshRetryWindowSeconds = 60
/**
 * The longest retry window of public clients that do not set `refresh_retry_window`. Their tokens work for anyone who has them
 * (RFC 9700 4.14): a thief who repeats each token within the window receives the same responses. It is long enough for
 * parallel requests and for an immediate retry.
 */
export const publicRefreshRetryWindowSeconds = 5
export const longestRefreshRetryWindowSeconds = 600
export const clockSkewSeconds = 60
/** The time in which a hook of the extensions must answer. */
export const hookMs = 10_000
/** The time for which a JWT in the format of IdentityServer3 is accepted before its start and after its expiry. */
export const identityServer3SkewSeconds = 300
/**
 * The time for which the revocation of tokens without a grant is stored. Afterwards all tokens that were issued before
 * the revocation have expired.
 */
export const revocationMarkSeconds =
  longestLifetimeSeconds.accessToken + identityServer3SkewSeconds + clockSkewSeconds
/** The number of failed redemptions after which a code is invalid. */
export const codeRedemptionAttempts = 5

/** The maximum number of objects at the same time; older ones are deleted for newer ones (LIM-06). */
export const liveAtOnce = {
  /** Codes of one user for one client. */
  codes: 20,
  /** Unanswered authorization requests of one browser. */
  pendingRequestsOfBrowser: 30,
  /** Authorization requests of all browsers, answered or not, until they expire. */
  pendingRequests: 100_000,
  /** The number of new authorization requests after which a node compares the total with `pendingRequests`. */
  requestsBetweenChecks: 1000,
  /** The number of networks whose requests are counted then: those with the most, which lose requests first. */
  networksCompared: 100,
} as const

/** The most failed attempts of one key within the window, or requests where a comment says so. */
export const rateLimits = {
  account: { limit: 10, windowSeconds: 900 },
  /**
   * Additional attempts after `account` is used up: one for each network that has not failed since then, and a total
   * for all networks, so that a flood from a few networks does not block the user elsewhere. OWASP ASVS 6.3.1 (4.0:
   * 2.2.1): at most 100 failures of one account in an hour.
   */
  accountSpareFromNetwork: { limit: 1, windowSeconds: 900 },
  accountSpare: { limit: 15, windowSeconds: 900 },
  accountAndAddress: { limit: 5, windowSeconds: 300 },
  address: { limit: 100, windowSeconds: 600 },
  /** Attempts with a browser in which the account signed in before: other browsers cannot use them up. */
  knownBrowser: { limit: 10, windowSeconds: 900 },
  /** Attempts with all known browsers of one account: anyone who knows the password can create many. */
  knownBrowsers: { limit: 20, windowSeconds: 900 },
  /** Mails for a forgotten password that were asked for from one address. */
  recoveryAddress: { limit: 20, windowSeconds: 600 },
  /**
   * Mails for a forgotten password to one account. The window is not longer than a link is valid: while no further mail is
   * sent, the link of the last one works, so that a stranger who asks for many cannot keep the user out.
   */
  recoveryAccount: { limit: 3, windowSeconds: 1800 },
  /** Downloads of the data of one account. */
  ownData: { limit: 10, windowSeconds: 3600 },
  /** Mails to one account about sign-ins from new browsers. */
  newDevices: { limit: 5, windowSeconds: 3600 },
  /** Registrations from one address: each computes a hash, and can ask whether a user name is taken. */
  registrationAddress: { limit: 20, windowSeconds: 600 },
  /**
   * Mails about a registration to one address, asked for from one network, and from all. A stranger who asks for many does not
   * use up the mails that the owner of the address asks for from another network.
   */
  registrationMailFromNetwork: { limit: 3, windowSeconds: 1800 },
  registrationMail: { limit: 10, windowSeconds: 86_400 },
  /**
   * Mails to confirm a new address: those that one account asks for, and those to one address, so that no one can fill the
   * mailbox of a stranger.
   */
  emailChangeAccount: { limit: 5, windowSeconds: 3600 },
  emailChangeAddress: { limit: 3, windowSeconds: 3600 },
  /**
   * Wrong codes of the second factor, after a correct password. Three of 10^6 codes are right at a time: with the limits of a
   * day, guessing for a year succeeds with a probability of 5 % (NIST SP 800-63B 3.2.2 limits consecutive failures to 100).
   */
  secondFactor: { limit: 10, windowSeconds: 900 },
  secondFactorOfDay: { limit: 50, windowSeconds: 86_400 },
  /** Requests from one address with unknown links for new administrators. Requests with a valid link are not counted. */
  setUp: { limit: 20, windowSeconds: 600 },
  client: { limit: 100, windowSeconds: 600 },
  /**
   * Additional attempts after `client` is used up, so that failures from other networks never block a correct secret.
   */
  clientSpareFromNetwork: { limit: 1, windowSeconds: 300 },
  clientAndAddress: { limit: 20, windowSeconds: 300 },
  /**
   * Attempts from one address with any client IDs: invented IDs must not circumvent `client` and `clientAndAddress`.
   */
  clientAddress: { limit: 200, windowSeconds: 600 },
  validationAddress: { limit: 300, windowSeconds: 60 },
  /** LIM-06: pending requests of one address. A request that ended with a grant no longer counts. */
  pendingRequestsPerAddress: { limit: 600, windowSeconds: 60 },
} as const

/** The limits of the IPv6 networks /64, /56 and /48, as multiples of the limit of one IPv4 address. */
export const networkFactors = [1, 2, 4] as const

/**
 * Attempts whose password or secret is being checked. If there are several nodes, each checks at most `perNode`
 * attempts of a rate limit rule at a time, or a tenth of the rule's limit if that is more. Further attempts wait: at
 * most `waiting` for one rule, for at most `longestWaitMs`. `knownMs`: the maximum age of a node's copy of a counter,
 * which other nodes can change (decision 054).
 */
export const attemptsInFlight = { perNode: 4, waiting: 500, longestWaitMs: 10_000, knownMs: 1000 } as const

/**
 * The parameters of Argon2id that OWASP recommends: 19 MiB, 2 passes, 1 lane. `retryAfterSeconds`: `Retry-After` while
 * the queue of checks is full.
 */
export const passwordHashing = {
  memoryKiB: 19_456,
  passes: 2,
  lanes: 1,
  retryAfterSeconds: 2,
} as const
/**
 * The queues of expensive checks: passwords, passwords with a slow imported hash, and secrets of clients and APIs. They
 * are separate so that requests with invented clients cannot delay sign-ins. A network is busy when its recent failures
 * and its other checks in the queue add up to `busyFrom`; all busy networks together get a quarter of the processors in
 * each queue. `slowPasswords.inFlight` is low enough that other work still gets threads of Node's thread pool.
 */
export const checkQueue = {
  passwords: { inFlight: 4, waiting: 100, busyFrom: 10 },
  slowPasswords: { inFlight: 2, waiting: 100, busyFrom: 1 },
  secrets: { inFlight: 2, waiting: 50, busyFrom: 10 },
  busyShare: 0.25,
  longestWaitMs: 30_000,
} as const
/**
 * The failed checks that a process remembers for each of at most `networks` networks: at most `most`, and one less
 * after each `forgetOneMs`.
 */
export const checkFailures = { networks: 10_000, most: 20, forgetOneMs: 60_000 } as const
/**
 * Password hashes of other servers. MembershipReboot doubles its iterations every two years: 8,192,000 in 2026, which
 * take 3 s. `slowIterations` take about ten times as long as one Argon2id hash. `kinds`: the number of frequent kinds
 * whose time a sign-in with an unknown name imitates.
 */
export const importedHashes = {
  mostIterations: 10_000_000,
  slowIterations: 1_000_000,
  kinds: 50,
  /** The number of users that one statement reads to count them, and the pause after it. */
  countedTogether: 1000,
  countPauseMs: 50,
  countEverySeconds: 3600,
  /** Django has salts of 12 characters and more, phpass of 8. */
  fewestSaltBytes: 8,
  fewestKeyBytes: 16,
  mostBytes: 64,
  /** The memory of one check, which at most six run at the same time. */
  mostMemoryKiB: 131_072,
  mostBcryptCost: 14,
  mostPhpassExponent: 18,
  /** The costs from which a check takes about as long as `slowIterations`. */
  slowScryptBlocks: 1_048_576,
  slowArgon2KiB: 393_216,
  slowBcryptCost: 12,
} as const
/**
 * Lists of breached passwords. `samples`: the places at which a start checks the order. `recordBytes`: what is read at one place, and
 * more than any line has. `searchedBytes`: the part that is read as a whole. `entryBytes`: the bytes of each hash in a filter.
 */
export const breachedPasswords = {
  samples: 64,
  recordBytes: 160,
  searchedBytes: 4096,
  headerBytes: 32,
  entryBytes: 6,
} as const
export const passwordCharacters = { minimum: 8, maximumBytes: 1024 } as const

export const server = {
  requestTimeoutMs: 15_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 65_000,
  /**
   * SHUT-02: the time for which a stopping server still accepts requests. Behind a proxy it is `proxyNoticeMs`, because
   * proxies read `/readyz` every few seconds; otherwise `noticeMs`, so that open connections get `connection: close`.
   */
  proxyNoticeMs: 5000,
  noticeMs: 250,
  drainDeadlineMs: 10_000,
  /** A signal that arrives later than this after the first one ends the process immediately. */
  secondSignalMs: 500,
  /** The time for which a refused connection can continue to send before it is closed. */
  lingerMs: 2000,
  /** The log has one line in this time for all connections that were closed because there were too many. */
  reportDroppedMs: 60_000,
  /** The number of further bytes of a refused body that are read within `lingerMs`. */
  lingerBytes: 16_777_216,
  /**
   * The longest address in a redirect: nginx accepts 4 or 8 kB for the head of a response by default
   * (`proxy_buffer_size`), Apache 8 kB.
   */
  locationCharacters: 6144,
  /** The size of request line and headers together. */
  maxHeaderBytes: 65_536,
} as const

/** Limits that are checked before any other code handles a request, whatever its path. */
export const requestHead = {
  /**
   * The longest URL of a request, without scheme and host. RFC 9110 4.1 recommends at least 8,000. The longest ID token
   * with the claims of a user, which can be in it as `id_token_hint`, has 15,000.
   */
  addressCharacters: 32_768,
  /** PATH_MAX of Linux. The longest path of this server names a user whose ID is percent-encoded: 2,300. */
  pathCharacters: 4096,
  /** The number of headers, as in Apache (`LimitRequestFields`). */
  headers: 100,
  /**
   * The length of a header, as in Apache (`LimitRequestFieldSize`) and nginx, except for `Authorization` and `Cookie`.
   */
  headerCharacters: 8190,
  /**
   * SE-08: this server's cookies need less than 3,000; above these limits the browser is asked to delete its cookies.
   */
  cookieCharacters: 16_384,
  /** Browsers store at most 180 cookies of one domain. RFC 6265 6.1 recommends at least 50. */
  cookies: 200,
} as const

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

/** JW-10: a key is published long before it signs, and until its last token has expired. Rotation as in Duende. */
export const signingKeys = {
  rotationSeconds: 7_776_000,
  propagationSeconds: 1_209_600,
  /** A rotation by an admin waits twice the time for which verifiers can cache the key set. */
  promptPropagationSeconds: 2 * lifetimeSeconds.keySetCache,
  retentionSeconds: longestLifetimeSeconds.accessToken + lifetimeSeconds.keySetCache,
  /** The longest time until this node no longer uses a key that another node removed (KEY-03). */
  freshnessMs: 500,
  /** JW-08: at least 2048; new keys have 3072. */
  rsaBits: 3072,
} as const

/** The number of verified secrets that are cached, so that not every request of a client needs a password hash. */
export const knownSecrets = 10_000
/** The number of verified tokens that one process caches. */
export const verifiedTokens = 5000

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

/**
 * Links and codes in mails. `code`: 40 random bits, with five attempts for each mail. `remindAfterSeconds`: the time after
 * which a user can ask again.
 */
export const mailProof = {
  lifetimeSeconds: 1800,
  /** AU-14: a code can be read over the shoulder, and is typed soon after it was asked for. */
  codeSeconds: 600,
  codeCharacters: 8,
  attempts: 5,
  resendSeconds: 60,
  /** The number of accounts with one address that a mail names. */
  mostAccounts: 10,
} as const

/**
 * Invitations of users. `keptSeconds`: how long administrators see an invitation after its end. `mostRows` and `csvCharacters`: the
 * size of a CSV file with users to invite.
 */
export const userInvitation = {
  lifetimeSeconds: 7 * 86_400,
  keptSeconds: 30 * 86_400,
  mostRows: 500,
  csvCharacters: 200_000,
} as const

/**
 * The link “This wasn’t me” in mails about changes of an account. `marginSeconds`: a passkey or an app that was added so long
 * before the time in the mail belongs to the change, which is stored before or after the mail is written.
 */
export const undoLink = { lifetimeSeconds: 7 * 86_400, marginSeconds: 60 } as const

/** The time between two offers to add an email address, 30 days. */
export const emailOfferSeconds = 2_592_000

/**
 * Lost passkeys: the days until the passkeys of a user who lost all of them are removed, in which the user learns of it by mail,
 * and the number of due changes that a node carries out at a time.
 */
export const lostPasskeys = { waitDays: 3 } as const
export const plannedChanges = { carriedOutAtOnce: 100 } as const

/** Mails: the time limits of a connection to the SMTP server, and the number of files that development keeps. */
export const mail = {
  /** The time after which a mail about a change of the account is no longer sent: it still informs the user days later. */
  securityNoticeSeconds: 3 * 86_400,
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 15_000,
  answerBytes: 65_536,
  keptFiles: 100,
} as const

/**
 * Passkeys. `ceremonySeconds`: the time to answer a challenge; Web Authentication Level 3, 15.1, recommends 5 to 10 minutes.
 * `most`: the number of passkeys of one user. `offerSeconds`: the time between two offers to create one, 30 days.
 */
export const passkeys = {
  ceremonySeconds: 300,
  most: 20,
  nameCharacters: 60,
  offerSeconds: 2_592_000,
} as const

/**
 * Linked identities. `most`: the number of one user. `labelCharacters`: the longest name of an identity. `proofSeconds`: the
 * time to confirm a link after the sign-in at the provider.
 */
export const accountLinks = {
  most: 10,
  labelCharacters: 80,
  proofSeconds: 600,
} as const

/**
 * Second factors. `recoveryCodes`: the number of codes in a set. `typedCharacters`: the part of a typed code that is read.
 * `trustedUsers`: the number of users for whom one browser can be trusted. `wrongCodesBeforeNotice`: after this number of wrong
 * codes, the user is informed by mail of a right one. `fewRecoveryCodes`: the account page recommends new ones.
 */
export const secondFactors = {
  recoveryCodes: 10,
  fewRecoveryCodes: 3,
  typedCharacters: 64,
  trustedUsers: 5,
  wrongCodesBeforeNotice: 5,
} as const

/** The length of one field of a profile that its user changes. */
export const profile = { fieldCharacters: 200 } as const

/**
 * Accounts that their users delete. `known`: the number of planned deletions that a process knows; above it, each sign-in reads
 * the database. `knownSeconds`: after this time they are read again. `longestSeconds`: longer than any of them waits. `remindSeconds`:
 * the time before the end at which a mail reminds the user. `together`: how many are carried out in one run of the maintenance.
 */
export const accountDeletion = {
  known: 1000,
  knownSeconds: 30,
  longestSeconds: 100 * 86_400,
  remindSeconds: 86_400,
  together: 100,
} as const

/** The data that a user downloads: the number of events, and how many one statement reads. */
export const ownData = { events: 5000, eventsTogether: 500 } as const

/** The number of events that one page of a user's activity is made of. */
export const activity = { events: 100 } as const

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
  /** The time for which a start waits for another node's migration. */
  migrationWaitMs: 60_000,
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

/** LG-07: how long the database stores events. Changes by admins are stored permanently. */
export const retentionSeconds = {
  /** PCI DSS 10.5.1: three months must be available immediately. */
  events: 7_776_000,
  /**
   * Longer than a quarter: the previous quarter, with which the current one is compared, ends in the middle of a day,
   * and the later hours of that day are subtracted.
   */
  hourlyCounts: 8_640_000,
  /** Thirteen months, so that each can be compared with the same month of the year before. */
  dailyCounts: 34_560_000,
} as const

/**
 * Additional fields of the sign-in form. `most`: the number of fields. `keptBytes`: the maximum size of the values that
 * a failed attempt stores in its cookie; larger values are not stored. Browsers accept 4096 bytes for the whole cookie
 * (RFC 6265 6.1).
 */
export const signInFields = { most: 5, characters: 255, labelCharacters: 100, keptBytes: 600 } as const

export const claimLimits = { most: 100, userBytes: 6144, clientBytes: 3072 } as const
/** The number of secrets of one client or API, the length of their names, and how long a rotated secret can stay valid. */
export const secretList = { most: 10, longestName: 100, longestOverlapHours: 720 } as const

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
/**
 * Limits fetches of a provider's keys: in `seconds`, each unknown `kid` of ID tokens causes one fetch, and at most
 * `most` unknown `kid`s cause a fetch.
 */
export const providerKeyLookups = { seconds: 60, most: 10 } as const
/** Client secrets that a private key signs for a provider. Apple accepts them for up to half a year. */
export const signedSecretSeconds = { lifetime: 3600, renewedAfter: 3000 } as const
export const outboundTimeoutMs = 5000
export const outboundBodyBytes = 1_048_576

/** Limits of the search for users and clients by words, of its index, and of the search for events. */
export const search = {
  /** The length of one text, stored or searched for. */
  characters: 500,
  termCharacters: 64,
  termsStored: 12,
  wordsAsked: 5,
  /** The number of index rows that one statement reads; a search begins with the word that the fewest rows have. */
  examined: 8000,
  /** The number of events that are counted to find the condition that the fewest of them meet. */
  eventsWeighed: 2000,
  /** The number of times that `examined` rows are read before a page is shown incomplete. */
  stretches: 2,
  /** ITU-T E.164: the lowest number of digits of a subscriber's number. */
  phoneDigits: 7,
} as const

/** The limits of an import: the length of one row, and the number of tables and rows. */
export const importLimits = { rowCharacters: 1_048_576, tables: 200, rows: 10_000_000 } as const

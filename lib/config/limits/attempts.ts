/** Limits against guessing and floods: attempts, expensive checks, and objects at the same time. */

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
  /**
   * Forms for a registration from one address, including those with mistakes: each can compute a hash, and ask whether a user name
   * is taken or a password was breached.
   */
  registrationAddress: { limit: 40, windowSeconds: 600 },
  /**
   * Mails about a registration to one address, asked for from one network, and from all. A stranger who asks for many does not
   * use up the mails that the owner of the address asks for from another network.
   */
  registrationMailFromNetwork: { limit: 3, windowSeconds: 1800 },
  registrationMail: { limit: 10, windowSeconds: 86_400 },
  /**
   * Mails to confirm a new address: those that one account asks for, and those of them to the same address. A stranger does
   * not use up the mails of the address's owner. The limit of an address in a day is only for its mailbox.
   */
  emailChangeAccount: { limit: 5, windowSeconds: 3600 },
  emailChangeAddress: { limit: 3, windowSeconds: 3600 },
  emailChangeMailbox: { limit: 20, windowSeconds: 86_400 },
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
 * The queues of expensive checks: passwords, passwords with a slow imported hash, those with a hash that one thread computes, and
 * secrets of clients and APIs. They are separate so that requests with invented clients cannot delay sign-ins, nor checks that wait
 * for the thread those that do not need it. A network is busy when its recent failures
 * and its other checks in the queue add up to `busyFrom`; all busy networks together get a quarter of the processors in
 * each queue. `slowPasswords.inFlight` is low enough that other work still gets threads of Node's thread pool.
 */
export const checkQueue = {
  passwords: { inFlight: 4, waiting: 100, busyFrom: 10 },
  slowPasswords: { inFlight: 2, waiting: 100, busyFrom: 1 },
  threadPasswords: { inFlight: 2, waiting: 100, busyFrom: 2 },
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

/** The number of verified secrets that are cached, so that not every request of a client needs a password hash. */
export const knownSecrets = 10_000
/** The number of verified tokens that one process caches. */
export const verifiedTokens = 5000

/**
 * Limits fetches of a provider's keys: in `seconds`, each unknown `kid` of ID tokens causes one fetch, and at most
 * `most` unknown `kid`s cause a fetch.
 */
export const providerKeyLookups = { seconds: 60, most: 10 } as const

/** The dashboard: its sessions, lists and alerts, the search, and imports. */

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

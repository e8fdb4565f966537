/** The accounts of users: their mails, passkeys, factors, links, and changes that happen later. */

/** The sessions of other accounts that a browser keeps: their handles fill two cookies of together at most 300 bytes. */
export const browserAccounts = { others: 5 } as const

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
 * before the time in the mail belongs to the change, which is stored before or after the mail is written. The clocks of two
 * nodes may differ by as much: a link about a change up to so long after another was taken back does not work either.
 */
export const undoLink = { lifetimeSeconds: 7 * 86_400, marginSeconds: 60 } as const

/** The time between two offers to add an email address, 30 days. */
export const emailOfferSeconds = 2_592_000

/**
 * Lost passkeys: the days until the passkeys of a user who lost all of them are removed, in which the user learns of it by mail,
 * and the number of due changes that a node reads at a time.
 */
export const lostPasskeys = { waitDays: 3 } as const
export const plannedChanges = { readTogether: 100 } as const

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
 * the time before the end at which a mail reminds the user. `repeatSeconds`: the time after which a custom user service that failed
 * to delete an account is asked again.
 */
export const accountDeletion = {
  known: 1000,
  knownSeconds: 30,
  longestSeconds: 100 * 86_400,
  remindSeconds: 86_400,
  repeatSeconds: 300,
} as const

/** The data that a user downloads: the number of events, and how many one statement reads. */
export const ownData = { events: 5000, eventsTogether: 500 } as const

/** The number of events that one page of a user's activity is made of. */
export const activity = { events: 100 } as const

/** Administrators, their sessions, invitations and form states, and the state of the database. */
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import type { Digest, SessionId, SubjectId } from '#lib/protocol/ids.ts'

export type Administrator = {
  readonly subject: SubjectId
  readonly role: AdminRole
  readonly createdAt: Date
  readonly lastSeenAt: Date | null
}

export type Administrators = {
  readonly find: (subject: SubjectId) => Promise<Administrator | null>
  /**
   * Returns the administrators, of whom there are few: sorted by role, owners first, then by the time of their
   * appointment.
   */
  readonly all: () => Promise<readonly Administrator[]>
}

/** An admin session. It belongs to the browser session in which the admin signed in, and ends with it. */
export type AdminSession = {
  readonly digest: Digest
  readonly subject: SubjectId
  readonly sessionId: SessionId
  /** The last sign-in; sensitive actions require a recent one (AD-04). */
  readonly authenticatedAt: Date
  readonly createdAt: Date
  readonly lastSeenAt: Date
  /** The absolute expiry, which no use extends. */
  readonly expiresAt: Date
}

export type AdminSessions = {
  /** Stores the session and marks the administrator as seen now. */
  readonly create: (session: AdminSession) => Promise<void>
  /**
   * Returns the session with the administrator's current role, and the digest of its browser session. Returns `null` when the session is unknown, expired, or
   * idle too long, when its browser session has ended, or when its subject is locked or no longer an administrator.
   */
  readonly find: (
    digest: Digest,
    now: Date,
  ) => Promise<{
    readonly session: AdminSession
    readonly role: AdminRole
    readonly browserSession: Digest
  } | null>
  /**
   * Extends the idle time of the admin session and of its browser session, and updates the administrator's
   * `lastSeenAt`. Writes at most once a minute.
   */
  readonly touch: (digest: Digest, now: Date) => Promise<void>
  readonly end: (digest: Digest) => Promise<boolean>
}

/** A one-time link that creates an administrator. The link contains the handle, the store its digest. */
export type AdminInvitation = {
  readonly digest: Digest
  readonly role: AdminRole
  /** The administrator who invited; `null`: the operator, at a start of the server or at the command line. */
  readonly createdBy: SubjectId | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type AdminInvitations = {
  /** Returns an invitation; `null` when it is unknown, used or expired. */
  readonly find: (digest: Digest, now: Date) => Promise<AdminInvitation | null>
  readonly all: (now: Date) => Promise<readonly AdminInvitation[]>
}

/**
 * The state of a form for the next page: rejected input, or a result that is shown once. It is bound to the admin
 * session, sealed, and short-lived.
 */
export type AdminPageState = {
  readonly digest: Digest
  readonly sessionDigest: Digest
  readonly sealedContent: string
  readonly expiresAt: Date
}

export type AdminPageStates = {
  readonly create: (state: AdminPageState) => Promise<void>
  /** Returns the state; `null` when it is unknown, expired, or from a different admin session. */
  readonly find: (digest: Digest, sessionDigest: Digest, now: Date) => Promise<AdminPageState | null>
  /** Removes and returns the state: only one caller gets it. */
  readonly take: (digest: Digest, sessionDigest: Digest, now: Date) => Promise<AdminPageState | null>
}

export type DatabaseState = {
  readonly kind: 'sqlite' | 'postgresql'
  /** The path of the SQLite file; `null` for a database server. */
  readonly file: string | null
  /** The size of the data in bytes. */
  readonly bytes: number
  /** The free space on the disk; `null` if only the database server knows it. */
  readonly freeBytes: number | null
}

/** The connections to PostgreSQL of a process, and the requests that wait for one. */
export type ConnectionCounts = { readonly used: number; readonly idle: number; readonly waiting: number }

export type DatabaseStatus = {
  /**
   * Returns the number of connections that the database accepts from accounts without special rights; `null` on SQLite.
   */
  readonly mostConnections: () => Promise<number | null>
  /** Whether the database ends statements that take too long; `true` on SQLite, which has one process. */
  readonly endsLongStatements: () => Promise<boolean>
  /** The time when this process opened the database. */
  readonly openedAt: Date
  readonly database: () => Promise<DatabaseState>
  /** Returns the time when the deletion of expired rows was last completed; `null`: never. */
  readonly purgedAt: () => Promise<Date | null>
}

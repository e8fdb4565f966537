/** The tables of the plain statements, and the columns that frequent reads need. */
import type {
  AuthorizationCode,
  Consent,
  Grant,
  PendingRequest,
  ReferenceToken,
  RefreshToken,
  Session,
  User,
} from '#prisma/generated/sqlite/client.ts'
import { table } from './table.ts'

export const grantTable = table<Grant>('Grant', {
  authenticatedAt: 'time',
  isOffline: 'boolean',
  createdAt: 'time',
  expiresAt: 'time',
  revokedAt: 'time',
})

export const codeTable = table<AuthorizationCode>('AuthorizationCode', {
  expiresAt: 'time',
  usedAt: 'time',
})

export const userTable = table<User>('User', {
  mustChangePassword: 'boolean',
  enabled: 'boolean',
  createdAt: 'time',
  updatedAt: 'time',
  lastSignInAt: 'time',
})

export const refreshTable = table<RefreshToken>('RefreshToken', {
  absoluteExpiresAt: 'time',
  expiresAt: 'time',
  createdAt: 'time',
  spentAt: 'time',
  answerExpiresAt: 'time',
})

export const referenceTable = table<ReferenceToken>('ReferenceToken', { expiresAt: 'time' })

export const pendingTable = table<PendingRequest>('PendingRequest', {
  createdAt: 'time',
  expiresAt: 'time',
  finishedAt: 'time',
})

export const sessionTable = table<Session>('Session', {
  authenticatedAt: 'time',
  isPersistent: 'boolean',
  createdAt: 'time',
  lastSeenAt: 'time',
  expiresAt: 'time',
})

export const consentTable = table<Consent>('Consent', {
  createdAt: 'time',
  updatedAt: 'time',
  expiresAt: 'time',
})

/** See `Account`. */
export const accountColumns = userTable.pick('subject', 'username', 'enabled', 'claims')
/** See `GrantOfToken`. */
export const grantOfToken = grantTable.pick(
  'id',
  'clientId',
  'subject',
  'authenticatedAt',
  'expiresAt',
  'revokedAt',
  'details',
)
export const tokenColumns = referenceTable.pick('clientId', 'grantId', 'claims', 'expiresAt')

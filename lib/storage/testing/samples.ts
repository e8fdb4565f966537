/** Sample rows. Every call makes new IDs; a test sets the fields that it is about. */
import { createHash, randomBytes } from 'node:crypto'
import type { AuditEntry } from '#lib/ports/admin-store.ts'
import type { StoredSecret } from '#lib/ports/clients.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import type { AuthorizationCode, Consent, Grant, ReferenceToken, RefreshToken } from '#lib/ports/grants.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { ExternalSignIn, PartialSignIn, PendingRequest, Session } from '#lib/ports/sessions.ts'
import type { Account, StoredUser } from '#lib/ports/users.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import {
  clientIdSchema,
  grantIdSchema,
  providerSchemeSchema,
  scopeNameSchema,
  sessionIdSchema,
  subjectIdSchema,
} from '#lib/protocol/ids.ts'
import { eventIdMark } from '#lib/protocol/request-context.ts'

export const now = new Date('2030-01-02T03:04:05.678Z')
export const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)

const random = (bytes: number) => randomBytes(bytes).toString('base64url')
export const digestOf = (handle: string) => createHash('sha256').update(handle).digest('base64url') as Digest
export const newDigest = (): Digest => digestOf(random(32))
export const newSubject = () => subjectIdSchema.parse(`user-${random(8)}`)
export const newSessionId = () => sessionIdSchema.parse(random(16))
export const web = clientIdSchema.parse('web')
export const openid = scopeNameSchema.parse('openid')

export function sampleGrant(given: Partial<Grant> = {}): Grant {
  return {
    id: grantIdSchema.parse(`g${random(16)}`),
    clientId: web,
    subject: newSubject(),
    idp: 'latchkey',
    amr: ['pwd', 'otp'],
    acr: null,
    authenticatedAt: now,
    sessionId: null,
    scopes: [openid],
    isOffline: false,
    createdAt: now,
    expiresAt: later(3600),
    revokedAt: null,
    ...given,
  }
}

export function sampleCode(grant: Grant, given: Partial<AuthorizationCode> = {}): AuthorizationCode {
  return {
    digest: newDigest(),
    grantId: grant.id,
    clientId: grant.clientId,
    redirectUri: 'https://app.example/callback',
    nonce: 'n-0S6_WzA2Mj',
    codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    expiresAt: later(60),
    usedAt: null,
    failedAttempts: 0,
    ...given,
  }
}

export function sampleRefreshToken(grant: Grant, given: Partial<RefreshToken> = {}): RefreshToken {
  return {
    digest: newDigest(),
    grantId: grant.id,
    clientId: grant.clientId,
    absoluteExpiresAt: later(3600),
    expiresAt: later(1800),
    createdAt: now,
    accessTokenClaims: { zulu: 1, alpha: [true, null, { nested: 'ü' }] },
    spentAt: null,
    successor: null,
    sealedAnswer: null,
    answerExpiresAt: null,
    ...given,
  }
}

export function sampleReferenceToken(given: Partial<ReferenceToken> = {}): ReferenceToken {
  return {
    digest: newDigest(),
    grantId: null,
    subject: null,
    clientId: web,
    claims: { iss: 'https://id.example', zulu: 1, alpha: 2 },
    expiresAt: later(3600),
    ...given,
  }
}

export function sampleConsent(given: Partial<Consent> = {}): Consent {
  return {
    subject: newSubject(),
    clientId: web,
    scopes: [openid],
    createdAt: now,
    updatedAt: now,
    expiresAt: null,
    ...given,
  }
}

export function sampleSession(given: Partial<Session> = {}): Session {
  return {
    digest: newDigest(),
    sessionId: newSessionId(),
    subject: newSubject(),
    name: 'Alice Liddell',
    idp: 'latchkey',
    amr: ['pwd'],
    acr: null,
    authenticatedAt: now,
    isPersistent: false,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: later(36_000),
    userAgent: 'Mozilla/5.0',
    address: '192.0.2.1',
    details: { claims: { shift: 'night' } },
    ...given,
  }
}

export function samplePendingRequest(given: Partial<PendingRequest> = {}): PendingRequest {
  return {
    digest: newDigest(),
    browser: newDigest(),
    sealedParameters: 'sealed',
    createdAt: now,
    expiresAt: later(3600),
    finishedAt: null,
    chosenSubject: null,
    network: null,
    consent: null,
    ...given,
  }
}

export function sampleExternalSignIn(given: Partial<ExternalSignIn> = {}): ExternalSignIn {
  return {
    state: newDigest(),
    browser: newDigest(),
    scheme: providerSchemeSchema.parse('acme'),
    sealedPending: null,
    nonce: 'nonce',
    sealedCodeVerifier: 'sealed',
    expiresAt: later(600),
    ...given,
  }
}

export function samplePartialSignIn(given: Partial<PartialSignIn> = {}): PartialSignIn {
  return {
    digest: newDigest(),
    browser: newDigest(),
    subject: newSubject(),
    idp: 'latchkey',
    sealedPending: 'sealed',
    sealedDetails: 'sealed too',
    remember: true,
    expiresAt: later(900),
    ...given,
  }
}

export function sampleUser(given: Partial<StoredUser> = {}): StoredUser {
  const subject = newSubject()
  return {
    subject,
    username: subject,
    passwordHash: '$argon2id$…',
    mustChangePassword: false,
    enabled: true,
    claims: { name: 'A' },
    ...given,
  }
}

export function sampleAuditEntry(given: Partial<AuditEntry> = {}): AuditEntry {
  return {
    action: 'clients.update',
    actor: null,
    actorRole: null,
    targetKind: 'client',
    targetId: web,
    before: null,
    after: { client_name: 'Web' },
    requestId: '7QK4-M2P9',
    address: null,
    ...given,
  }
}

/** Returns a unique name: the first characters of a digest. */
export const newName = (): string => newDigest().slice(0, 8)

export function sampleClientRecord(
  fields: Record<string, string | boolean | string[] | Record<string, string>> = {},
  secrets: StoredSecret[] = [],
) {
  const clientId = clientIdSchema.parse(`client-${newName()}`)
  const metadata = { client_id: clientId, redirect_uris: ['https://app.example/cb'], ...fields }
  return { clientId, metadata, secrets }
}

export function sampleProvider() {
  return {
    scheme: providerSchemeSchema.parse(`p-${newName()}`.replaceAll(/[^A-Za-z0-9._-]/g, 'x')),
    displayName: 'Acme',
    preset: 'oauth2' as const,
    issuer: 'https://acme.example',
    clientId: 'latchkey',
    clientSecret: 'sealed',
    authorizationEndpoint: 'https://acme.example/authorize',
    tokenEndpoint: 'https://acme.example/token',
    userinfoEndpoint: 'https://acme.example/me',
    clientAuthentication: 'client_secret_basic' as const,
    claimNames: { sub: 'id', name: 'profile.name' },
    pkce: false,
    tenants: ['acme.example'],
    teamId: 'TEAM123456',
    keyId: 'KEY1234567',
    scope: 'openid profile groups',
    domains: [`${newName()}.example`, `${newName()}.test`],
    reauthentication: 'select_account' as const,
    signOutAtProvider: true,
    secondFactorValues: ['mfa', 'https://refeds.org/profile/mfa'],
    hidden: true,
    trustsEmail: true,
    enabled: true,
  }
}

/** Returns the part of a user that requests read after the sign-in. */
export function accountOf({ subject, username, enabled, claims }: StoredUser): Account {
  return { subject, username, enabled, claims }
}

export function sampleEvent(given: Partial<StoredEvent> = {}): StoredEvent {
  const time = given.time ?? now
  return {
    id: `${eventIdMark(time)}-${newDigest().slice(0, 12)}`,
    time,
    name: 'sign_in_succeeded',
    outcome: 'success',
    clientId: 'web',
    subject: null,
    grantType: null,
    reason: null,
    requestId: newDigest(),
    flow: null,
    grantId: null,
    address: '192.0.2.1',
    userAgent: 'Mozilla/5.0',
    details: {},
    checks: null,
    ...given,
  }
}

/** A mail about a change of the ways to sign in. */
export function sampleNotice(): NewDelivery {
  return {
    id: `w-${newDigest()}`,
    kind: 'mail',
    target: 'alice@example.org',
    content: 'test',
    sealedBody: 'sealed',
    createdAt: now,
    deadlineAt: later(3600),
  }
}

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AdminWrite } from '#lib/ports/admin-store.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import type { Database } from '../../database.ts'
import type { Storage } from '../../open.ts'
import type { Host } from '../host.ts'
import {
  later,
  newDigest,
  newName,
  newSessionId,
  now,
  sampleAuditEntry,
  sampleClientRecord,
  sampleCode,
  sampleConsent,
  sampleExternalSignIn,
  sampleGrant,
  samplePartialSignIn,
  samplePendingRequest,
  sampleProvider,
  sampleReferenceToken,
  sampleRefreshToken,
  sampleSession,
  sampleUser,
} from '../samples.ts'

/** Filters of Prisma that match every row, as JSON. */
const filters = ['{"contains":""}', '{"not":""}', '{"gte":""}', '{"startsWith":""}'] as const
/** Values that are not strings, as JSON or as `undefined`. */
const hostile = [
  ...filters,
  '{"not":null}',
  '{"set":"a"}',
  '{"equals":"a"}',
  '["a"]',
  '[]',
  'null',
  '{}',
  '0',
  'true',
  'undefined',
]

export function hostileValuesContract(host: () => Host): void {
  describe('values that are not strings', () => {
    let stored: Stored
    before(async () => {
      stored = await storeOneOfEach(host().storage)
    })

    for (const text of filters) {
      test(`FW-03 ${text} finds every row when used as a filter`, async () => {
        const { session } = host().tables
        const found = await session.count({ where: { digest: JSON.parse(text) } })
        assert.ok(found > 0)
        assert.equal(found, await session.count())
      })
    }

    for (const text of hostile) {
      const value = text === 'undefined' ? JSON.parse('{}').missing : JSON.parse(text)
      test(`FW-03 refuses ${text} in look-ups and changes, and finds and changes nothing`, async () => {
        const { storage, tables } = host()
        const untouched = await everyRow(tables)
        for (const look of [...lookUps(storage, stored, value), ...changes(storage, stored, value)])
          await assert.rejects(look, String(look))
        for (const write of adminWrites(value))
          await assert.rejects(commit(storage, write), JSON.stringify(write))
        for (const look of comparisons(storage, stored, value)) assert.ok(!(await look()), String(look))
        storage.usage.client(value, now)
        storage.usage.session(value, later(3600))
        storage.usage.secret({ owner: value, id: value }, now)
        await storage.usage.flush()
        assert.deepEqual(await everyRow(tables), untouched)
      })
    }
  })
}

type Stored = Awaited<ReturnType<typeof storeOneOfEach>>

/** Stores one row of each kind, which a filter would find. */
async function storeOneOfEach(storage: Storage) {
  const grant = sampleGrant()
  await storage.codes.issue(sampleCode(grant), grant)
  await storage.tokens.store({ grantId: null, refreshToken: sampleRefreshToken(grant) })
  await storage.tokens.store({ grantId: null, referenceToken: sampleReferenceToken() })
  await storage.revokedTokens.add(newDigest(), later(60))
  const consent = sampleConsent()
  await storage.consents.store(consent)
  const session = sampleSession()
  await storage.sessions.create(session)
  const [pending, external, partial] = [samplePendingRequest(), sampleExternalSignIn(), samplePartialSignIn()]
  await storage.pendingRequests.create(pending)
  await storage.externalSignIns.create(external)
  await storage.partialSignIns.create(partial)
  const { user, key } = await storeConfiguration(storage)
  const state = { digest: newDigest(), sessionDigest: newDigest(), sealedContent: 'x', expiresAt: later(60) }
  await storage.adminPageStates.create(state)
  await storeAdministration(storage)
  await storage.meta.replace(newName(), 'x')
  return { grant, consent, session, pending, external, partial, user, key, state }
}

async function storeConfiguration(storage: Storage) {
  const [user, provider] = [sampleUser({ passwordHash: 'hash' }), sampleProvider()]
  const name = scopeNameSchema.parse(`scope-${newName()}`)
  const secrets = [{ id: newName(), digest: 'plain$x', expiresAt: null }]
  const clients = [sampleClientRecord({}, secrets)]
  const scopes = [{ name, metadata: { name }, secrets }]
  await storage.configuration.apply({ put: { clients, scopes, providers: [provider] }, remove: {} }, now)
  const key = { scheme: provider.scheme, issuer: provider.issuer, subject: newName() }
  await storage.users.createExternal(user, key, now)
  return { user, key }
}

async function storeAdministration(storage: Storage): Promise<void> {
  const { subject } = sampleSession()
  const times = { createdAt: now, expiresAt: later(60) }
  const invitation = { digest: newDigest(), role: 'auditor', createdBy: null, ...times } as const
  const visit = { digest: newDigest(), subject, sessionId: newSessionId(), ...times }
  await commit(storage, { kind: 'put_administrator', subject, role: 'owner' })
  await commit(storage, { kind: 'put_invitation', invitation })
  await storage.adminSessions.create({ ...visit, authenticatedAt: now, lastSeenAt: now })
  await storage.signingKeys.create({
    kid: newDigest(),
    algorithm: 'RS256',
    generation: 1,
    publicJwk: { kty: 'RSA', n: 'n', e: 'e' },
    sealedPrivateJwk: 'sealed',
    createdAt: now,
    activatesAt: now,
    retiresAt: null,
    expiresAt: null,
  })
}

function commit({ adminStore }: Storage, write: AdminWrite) {
  return adminStore.commit({ writes: [write], audit: [sampleAuditEntry()] }, now)
}

type LookUps = readonly (() => Promise<unknown>)[]

// biome-ignore lint/suspicious/noExplicitAny: the point of these is a value that the types would refuse
type Hostile = any

/** Look-ups with a hostile value. The other parts of a key are valid, except in those of revoked tokens. */
function lookUps(storage: Storage, stored: Stored, value: Hostile): LookUps {
  const { consent, external, state, key, partial, pending } = stored
  return [
    () => storage.clients.find(value),
    () => storage.users.findBySubject(value),
    () => storage.users.findByUsername(value),
    () => storage.users.findByVerifiedEmail(value),
    () => storage.users.findByExternal({ ...key, scheme: value }),
    () => storage.users.findByExternal({ ...key, issuer: value }),
    () => storage.users.findByExternal({ ...key, subject: value }),
    () => storage.grants.find(value),
    () => storage.grants.liveOf(value, now),
    () => storage.codes.find(value),
    () => storage.refreshTokens.find(value),
    () => storage.referenceTokens.find(value),
    () => storage.revokedTokens.findOfOwner(value, value),
    () => storage.revokedTokens.findOfGrant(value, value),
    () => storage.consents.find(value, consent.clientId, now),
    () => storage.consents.find(consent.subject, value, now),
    () => storage.consents.allOf(value, now),
    () => storage.sessions.find(value, now),
    () => storage.sessions.allOf(value, now),
    () => storage.sessions.clientsOf([value]),
    () => storage.pendingRequests.find(value, pending.browser),
    () => storage.pendingRequests.find(pending.digest, value),
    () => storage.externalSignIns.take(value, external.browser, now),
    () => storage.externalSignIns.take(external.state, value, now),
    () => storage.partialSignIns.find(value, partial.browser, now),
    () => storage.partialSignIns.find(partial.digest, value, now),
    () => storage.administrators.find(value),
    () => storage.adminSessions.find(value, now),
    () => storage.adminInvitations.find(value, now),
    () => storage.adminPageStates.find(value, state.sessionDigest, now),
    () => storage.adminLists.client(value),
    () => storage.adminLists.scope(value),
    () => storage.adminLists.user(value),
    () => storage.adminLists.sessionOwner(value),
    () => storage.meta.find(value),
  ]
}

function changes(storage: Storage, stored: Stored, value: Hostile): LookUps {
  const { consent, session, state, grant, user } = stored
  const ends = { retiresAt: now, expiresAt: now }
  const hashes = { replaced: 'hash', successor: 'other' }
  const successor = sampleRefreshToken(grant)
  const used = { sealedAnswer: 'sealed', answerExpiresAt: now }
  const remove = (names: object) => storage.configuration.apply({ put: {}, remove: names }, now)
  return [
    () => storage.users.replacePasswordHash(value, hashes, now),
    () => storage.users.replacePasswordHash(user.subject, { ...hashes, replaced: value }, now),
    () => storage.users.replaceClaims(value, { replaced: {}, successor: {} }, now),
    () => storage.users.choosePassword(value, hashes, { now, notices: [] }),
    () => storage.users.choosePassword(user.subject, { ...hashes, replaced: value }, { now, notices: [] }),
    () => storage.grants.revoke({ id: value }, now),
    () => storage.grants.revoke({ subject: value }, now),
    () => storage.codes.redeem(value, { grantId: null }, now),
    () => storage.codes.countFailure(value),
    // `null` is a valid value here: tokens that a client got for itself have no grant
    ...(value === null ? [] : [() => storage.tokens.store({ grantId: value, refreshToken: successor })]),
    () => storage.tokens.store({ grantId: null, slid: { digest: value, expiresAt: later(100_000) } }),
    () =>
      storage.refreshTokens.rotate(
        { ...used, digest: value },
        { grantId: null, refreshToken: successor },
        now,
      ),
    () => storage.referenceTokens.remove(value),
    () => storage.consents.narrow({ ...consent, subject: value }, [], now),
    () => storage.consents.narrow({ ...consent, clientId: value }, [], now),
    () => storage.consents.remove(value, consent.clientId),
    () => storage.consents.remove(consent.subject, value),
    () => storage.sessions.replace(value, sampleSession()),
    () => storage.sessions.create(sampleSession(), { passkeys: [value] }),
    () => storage.sessions.end({ digest: value, sessionId: session.sessionId }, now),
    () => storage.sessions.end({ digest: session.digest, sessionId: value }, now),
    () => storage.pendingRequests.recordChoice(value, user.subject),
    () => storage.pendingRequests.finish(value, now),
    () => storage.partialSignIns.take(value),
    () => storage.adminSessions.touch(value, later(3600)),
    () => storage.adminSessions.end(value),
    () => storage.adminPageStates.take(value, state.sessionDigest, now),
    () => storage.signingKeys.schedule(value, ends),
    () => storage.meta.settle(value, 'x'),
    () => storage.meta.replace(value, 'x'),
    () => remove({ clients: [value] }),
    () => remove({ scopes: [value] }),
    () => remove({ users: [value] }),
    () => remove({ providers: [value] }),
  ]
}

function adminWrites(value: Hostile): readonly AdminWrite[] {
  const kinds = ['end_sessions', 'revoke_grants', 'remove_consents'] as const
  return [
    ...kinds.map(kind => ({ kind, selection: { subject: value } })),
    { kind: 'end_sessions', selection: { sessionId: value } },
    { kind: 'revoke_grants', selection: { clientId: value } },
    { kind: 'revoke_grants', selection: { grantId: value } },
    { kind: 'remove_consents', selection: { clientId: value } },
    { kind: 'remove_administrator', subject: value },
    { kind: 'remove_invitation', digest: value },
    { kind: 'accept_invitation', digest: value, subject: sampleUser().subject, newUser: null },
    { kind: 'schedule_key', kid: value, retiresAt: now, expiresAt: now },
    { kind: 'remove_key', kid: value },
  ]
}

/** Look-ups whose value is not sent to the database, but compared in this process: with cached data, or with a row. */
function comparisons(storage: Storage, { state }: Stored, value: Hostile): LookUps {
  return [
    () => storage.clients.allowsOrigin(value),
    () => storage.scopes.find(value),
    () => storage.providers.find(value),
    () => storage.adminPageStates.find(state.digest, value, now),
    () => storage.adminPageStates.take(state.digest, value, now),
  ]
}

function everyRow(tables: Database) {
  const { administrator, adminPageState, adminInvitation, adminSession, auditRow, authorizationCode } = tables
  const { client, clientSecret, consent, externalLogin, externalSignIn, grant, identityProvider } = tables
  const { meta, partialSignIn, pendingRequest, referenceToken, refreshToken, revokedToken, scope } = tables
  const { scopeSecret, session, signingKey, user } = tables
  return Promise.all([
    administrator.findMany(),
    adminPageState.findMany(),
    adminInvitation.findMany(),
    adminSession.findMany(),
    auditRow.findMany(),
    authorizationCode.findMany(),
    client.findMany(),
    clientSecret.findMany(),
    consent.findMany(),
    externalLogin.findMany(),
    externalSignIn.findMany(),
    grant.findMany(),
    identityProvider.findMany(),
    meta.findMany(),
    partialSignIn.findMany(),
    pendingRequest.findMany(),
    referenceToken.findMany(),
    refreshToken.findMany(),
    revokedToken.findMany(),
    scope.findMany(),
    scopeSecret.findMany(),
    session.findMany(),
    signingKey.findMany(),
    user.findMany(),
  ])
}

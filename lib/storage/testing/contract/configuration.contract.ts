import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isConfigurationConflict, isConfigurationOutdated } from '#lib/ports/configuration-store.ts'
import { clientIdSchema, scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import {
  later,
  newName,
  now,
  sampleClientRecord,
  sampleGrant,
  sampleProvider,
  sampleReferenceToken,
  sampleSession,
  sampleUser,
} from '../samples.ts'

export function configurationContract(host: () => Host): void {
  describe('configuration', () => {
    const configuration = () => host().storage.configuration
    const put = (changes: Parameters<ReturnType<typeof configuration>['apply']>[0]['put']) =>
      configuration().apply({ put: changes, remove: {} }, now)

    test('a client is read as it was stored, with its secrets in order', async () => {
      const secrets = [
        { id: 'b', name: null, digest: 'plain$1', expiresAt: null },
        { id: 'a', name: 'Spare', digest: 'plain$2', expiresAt: later(60) },
      ]
      const record = sampleClientRecord({ client_name: 'Ünder' }, secrets)
      await put({ clients: [record] })
      const found = await host().storage.clients.find(record.clientId)
      assert.equal(found?.client.clientName, 'Ünder')
      assert.deepEqual(found?.secrets, secrets)
      assert.equal(await host().storage.clients.find(clientIdSchema.parse('unknown')), null)
    })

    test('a change takes effect with the next call', async () => {
      const record = sampleClientRecord({ client_name: 'Before' })
      await put({ clients: [record] })
      await host().storage.clients.find(record.clientId)
      await put({ clients: [{ ...record, metadata: { ...record.metadata, client_name: 'After' } }] })
      assert.equal((await host().storage.clients.find(record.clientId))?.client.clientName, 'After')
    })

    test('an unknown client is read once, and found as soon as it is registered', async () => {
      const record = sampleClientRecord()
      const { clientId } = record
      const find = () => host().storage.clients.find(clientId)
      assert.equal(await find(), null)
      const columns = { name: '', sortKey: clientId, enabled: true, kind: 'web', position: 1_000_000 }
      const row = { ...columns, clientId, metadata: '{}', version: 1, createdAt: now, updatedAt: now }
      await host().tables.client.create({ data: row })
      assert.equal(await find(), null, 'the row without a new revision is not read')
      await host().tables.client.delete({ where: { clientId } })
      await put({ clients: [record] })
      assert.equal((await find())?.client.clientId, clientId)
    })

    test('an unchanged document does not change the revision', async () => {
      const changes = {
        clients: [sampleClientRecord({}, [{ id: 's', digest: 'd', expiresAt: later(1) }])],
        scopes: [{ name: scopeNameSchema.parse(`scope-${newName()}`), metadata: { name: '' }, secrets: [] }],
        users: [sampleUser()],
        providers: [sampleProvider()],
      }
      const [scope] = changes.scopes
      if (scope !== undefined) scope.metadata.name = scope.name
      assert.deepEqual(await put(changes), { written: 4, removed: 0 })
      const revision = await configuration().revision()
      assert.deepEqual(await put(changes), { written: 0, removed: 0 })
      assert.equal(await configuration().revision(), revision)
    })

    test('more clients than one batch are stored in order, and only changed ones are written again', async () => {
      const secrets = [{ id: '1', name: null, digest: 'd', expiresAt: null }]
      const many = Array.from({ length: 230 }, () => sampleClientRecord({}, secrets))
      assert.deepEqual(await put({ clients: many }), { written: 230, removed: 0 })
      const renamed = many.map((record, index) =>
        index % 100 === 7
          ? { ...record, metadata: { ...record.metadata, client_name: `Renamed ${index}` } }
          : record,
      )
      const added = [sampleClientRecord(), sampleClientRecord()]
      assert.deepEqual(await put({ clients: [...added, ...renamed] }), { written: 5, removed: 0 })
      const wanted = new Map([...renamed, ...added].map(record => [record.clientId, record]))
      const stored = (await configuration().read()).clients.filter(({ clientId }) => wanted.has(clientId))
      assert.deepEqual(stored, [...wanted.values()])
      const search = (text: string) =>
        host().storage.adminLists.countClients({ search: text, kind: null, enabled: null })
      for (const { clientId } of [...many.slice(-1), ...added])
        assert.equal((await search(clientId)).count, 1)
    })

    test('a problem of one client prevents the storage of all', async () => {
      const [user, many] = [sampleUser(), Array.from({ length: 120 }, () => sampleClientRecord())]
      await put({ users: [user] })
      const clientId = clientIdSchema.parse(user.subject)
      const taken = { ...sampleClientRecord({ client_id: clientId }), clientId }
      await assert.rejects(put({ clients: [...many, taken] }), isConfigurationConflict)
      assert.equal(await host().storage.clients.find(many[0]?.clientId ?? clientId), null)
    })

    test('keeps the order of the members of a document', async () => {
      const record = sampleClientRecord({ scope: 'zulu alpha', enabled: true, client_name: 'Order' })
      await put({ clients: [record] })
      const read = (await configuration().read()).clients.find(client => client.clientId === record.clientId)
      assert.equal(JSON.stringify(read), JSON.stringify(record))
    })

    test('applies a document completely or not at all', async () => {
      const record = sampleClientRecord()
      const user = sampleUser({ subject: subjectIdSchema.parse(record.clientId) })
      await assert.rejects(put({ clients: [record], users: [user] }), isConfigurationConflict)
      assert.equal(await host().storage.clients.find(record.clientId), null)
    })

    test('refuses a client_id that is a subject, and a user name that is taken', async () => {
      const user = sampleUser()
      await put({ users: [user] })
      const clientId = clientIdSchema.parse(user.subject)
      const clients = [
        { clientId, metadata: { client_id: clientId, redirect_uris: ['https://a.example/'] }, secrets: [] },
      ]
      await assert.rejects(put({ clients }), isConfigurationConflict)
      // A client manager without users:read must not see the user's name
      await assert.rejects(put({ clients }), { message: /is already the subject of a user\.$/ })
      await assert.rejects(
        put({ users: [sampleUser({ username: user.username.toUpperCase() })] }),
        isConfigurationConflict,
      )
    })

    test('one of several concurrent writes of the same document changes something', async () => {
      const record = sampleClientRecord()
      const results = await atOnce(5, () => put({ clients: [record] }))
      assert.equal(results.filter(result => result.written === 1).length, 1)
    })

    test('stores meta values in the same transaction as the change', async () => {
      const { meta } = host().storage
      const fact = `fact-${newName()}`
      const [one, two] = [sampleUser(), sampleUser()]
      const apply = (value: string, users: (typeof one)[]) =>
        configuration().apply({ put: { users }, remove: {}, meta: { [fact]: value } }, now)
      await apply('first', [one])
      await assert.rejects(apply('second', [two, { ...sampleUser(), username: one.username }]))
      assert.equal(await meta.find(fact), 'first')
      await apply('second', [two])
      assert.equal(await meta.find(fact), 'second')
    })

    test('refuses a change that is based on a meta value that was changed since', async () => {
      const { meta } = host().storage
      const name = `meta-${newName()}`
      const user = sampleUser()
      const apply = (before: string | null, value: string) =>
        configuration().apply(
          { put: { users: [user] }, remove: {}, meta: { [name]: value }, basedOn: { [name]: before } },
          now,
        )
      await apply(null, 'first')
      await assert.rejects(apply(null, 'second'), isConfigurationOutdated)
      assert.equal(await meta.find(name), 'first')
      await apply('first', 'second')
      assert.equal(await meta.find(name), 'second')
      const results = await Promise.allSettled(
        Array.from({ length: 5 }, (_, index) => apply('second', `third-${index}`)),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    })

    test('removing a client ends what was issued to it', async () => {
      const record = sampleClientRecord()
      await put({ clients: [record] })
      const { grants, referenceTokens, tokens } = host().storage
      const { clientId } = record
      const [grant, token] = [sampleGrant({ clientId }), sampleReferenceToken({ clientId })]
      await grants.open(grant)
      await tokens.store({ grantId: null, referenceToken: token })
      const remove = { clients: [record.clientId] }
      assert.deepEqual(await configuration().apply({ put: {}, remove }, now), { written: 0, removed: 1 })
      assert.equal(await host().storage.clients.find(record.clientId), null)
      assert.deepEqual((await grants.find(grant.id))?.revokedAt, now)
      assert.equal(await referenceTokens.find(token.digest), null)
    })

    test('AU-03 keeping the password keeps the stored one, also under concurrent changes', async () => {
      const user = sampleUser({ passwordHash: 'temporary', mustChangePassword: true })
      const kept = { ...user, keepsPassword: true, passwordHash: 'seen', mustChangePassword: false }
      await put({ users: [user] })
      const stored = () => host().storage.users.findBySubject(user.subject)
      assert.deepEqual(await put({ users: [kept] }), { written: 0, removed: 0 })
      const hashes = { replaced: 'temporary', successor: 'chosen' }
      const change = async (index: number): Promise<unknown> =>
        index === 3
          ? host().storage.users.choosePassword(user.subject, hashes, { now, notices: [] })
          : put({ users: [{ ...kept, claims: { round: index } }] })
      await atOnce(6, change)
      const { passwordHash, mustChangePassword } = (await stored()) ?? {}
      assert.deepEqual([passwordHash, mustChangePassword], ['chosen', false])
    })

    test('SE-06 RT-08 changing the password, disabling and removing an account end its sessions and grants', async () => {
      const user = sampleUser()
      await put({ users: [user] })
      const ending = [
        () => put({ users: [{ ...user, passwordHash: 'other' }] }),
        () => put({ users: [{ ...user, passwordHash: 'other', enabled: false }] }),
        () => configuration().apply({ put: {}, remove: { users: [user.subject] } }, now),
      ]
      for (const end of ending) {
        const [session, grant] = [
          sampleSession({ subject: user.subject }),
          sampleGrant({ subject: user.subject }),
        ]
        await host().storage.sessions.create(session)
        await host().storage.grants.open(grant)
        await end()
        assert.equal(await host().storage.sessions.find(session.digest, now), null)
        assert.deepEqual((await host().storage.grants.find(grant.id))?.revokedAt, now)
      }
    })

    test('allows the CORS origins of enabled clients only', async () => {
      const origin = `https://${newName()
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, 'x')}.example`
      const record = sampleClientRecord({ allowed_cors_origins: [origin] })
      await put({ clients: [record] })
      assert.equal(await host().storage.clients.allowsOrigin(origin), true)
      assert.equal(await host().storage.clients.allowsOrigin(`${origin}:8443`), false)
      await put({ clients: [{ ...record, metadata: { ...record.metadata, enabled: false } }] })
      assert.equal(await host().storage.clients.allowsOrigin(origin), false)
    })

    test('returns scopes and providers in the order of their creation', async () => {
      const names = ['zulu', 'alpha'].map(word => scopeNameSchema.parse(`${word}-${newName()}`))
      const secrets = [{ id: '1', name: null, digest: 'd', expiresAt: null }]
      await put({ scopes: names.map(word => ({ name: word, metadata: { name: word }, secrets })) })
      const all = await host().storage.scopes.all()
      assert.deepEqual(
        all.map(({ scope }) => scope.name).filter(word => names.includes(word)),
        names,
      )
      const [zulu] = names
      if (zulu !== undefined) assert.deepEqual((await host().storage.scopes.find(zulu))?.secrets, secrets)
      const acme = sampleProvider()
      await put({ providers: [acme] })
      assert.deepEqual(await host().storage.providers.find(acme.scheme), acme)
      assert.deepEqual((await host().storage.providers.all()).at(-1), acme)
    })

    test('of ten providers created concurrently for one domain one succeeds', async () => {
      const domains = [`${newName()}.example`.toLowerCase()]
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, () => put({ providers: [{ ...sampleProvider(), domains }] })),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      const owners = (await host().storage.providers.all()).filter(it =>
        it.domains.includes(domains[0] ?? ''),
      )
      assert.equal(owners.length, 1)
    })

    test('AD-03 no client can have the subject of an administrator of a custom user store', async () => {
      const subject = subjectIdSchema.parse(`owner-${newName()}`.replaceAll(/[^A-Za-z0-9-]/g, 'x'))
      await host().tables.administrator.create({ data: { subject, role: 'owner', createdAt: now } })
      const clientId = clientIdSchema.parse(subject)
      const metadata = { client_id: clientId, grant_types: ['client_credentials'] }
      await assert.rejects(put({ clients: [{ clientId, metadata, secrets: [] }] }), /of an administrator/)
      await host().tables.administrator.deleteMany({ where: { subject } })
    })
  })

  describe('meta', () => {
    test('settling a key keeps the value that is stored', async () => {
      const { meta } = host().storage
      const key = newName()
      assert.equal(await meta.find(key), null)
      const settled = await atOnce(5, index => meta.settle(key, `value ${index}`))
      assert.equal(new Set(settled).size, 1)
      await meta.replace(key, 'other')
      assert.equal(await meta.settle(key, 'late'), 'other')
    })

    test('of several callers that exchange the same value, one succeeds', async () => {
      const { meta } = host().storage
      const key = newName()
      const exchange = (expected: string | null) =>
        atOnce(5, index => meta.exchange(key, expected, `${expected} ${index}`))
      assert.equal((await exchange(null)).filter(Boolean).length, 1)
      const stored = await meta.find(key)
      assert.equal((await exchange(stored)).filter(Boolean).length, 1)
      assert.deepEqual(await exchange(stored), Array(5).fill(false))
      assert.match((await meta.find(key)) ?? '', /^null \d \d$/)
    })
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasswords } from '#lib/crypto/passwords/passwords.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { secretFormOf } from '#lib/ports/clients.ts'
import { clientIdSchema, providerSchemeSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { cheap, installation, load, now } from '../testing/installation.ts'
import { demoConfiguration } from './demo.ts'
import { managedBy, withoutUnaskedDemo } from './managed-names.ts'

const passwords = createPasswords(cheap)

const app = {
  client_id: 'app',
  client_secret: 'a chosen secret',
  redirect_uris: ['https://app.example/cb'],
  scope: 'openid orders',
}
const orders = { name: 'orders', secrets: ['secret of the API'] }
const carol = { username: 'carol', password: 'rainy tuesday in november', claims: { name: 'Carol' } }
const corp = {
  scheme: 'corp',
  issuer: 'https://id.corp.example',
  client_id: 'latchkey',
  client_secret: 'theirs',
  domains: ['Corp.Example'],
}
const everything = { clients: [app], scopes: [orders], users: [carol], identity_providers: [corp] }

test('writes everything, secrets and passwords hashed or sealed', async () => {
  const { apply, storage, secrets, providers, client, scope } = await installation()
  await apply(everything)
  const found = await client('app')
  assert.ok(found)
  assert.deepEqual(found.client.scopes, ['openid', 'orders'])
  assert.equal(await secrets.verify('a chosen secret', found.secrets, now), true)
  assert.equal(await secrets.verify('secret of the API', (await scope('orders'))?.secrets ?? [], now), true)
  const user = await storage.users.findByUsername('CAROL')
  assert.equal(await passwords.verify('rainy tuesday in november', user?.passwordHash ?? null), true)
  const scheme = providerSchemeSchema.parse('corp')
  assert.match((await storage.providers.find(scheme))?.clientSecret ?? '', /^sealed1\./)
  assert.equal((await providers.find(scheme))?.clientSecret, 'theirs')
  assert.deepEqual((await providers.all())[0]?.domains, ['corp.example'])
  const stored = JSON.stringify(await everythingStored(storage))
  for (const secret of ['a chosen secret', 'secret of the API', 'rainy tuesday', 'theirs'])
    assert.ok(!stored.includes(secret))
})

test('applying the same file twice changes nothing: hashes, sealed values and subjects stay', async () => {
  const { apply, storage } = await installation()
  assert.ok((await apply(everything)).written > 0)
  const before = await everythingStored(storage)
  const revision = await storage.configuration.revision()
  assert.deepEqual(await apply(everything), { written: 0, removed: 0 })
  assert.deepEqual(await everythingStored(storage), before)
  assert.equal(await storage.configuration.revision(), revision)
})

test('secrets of which only the hash is known are stored as they are, in their order', async () => {
  const { apply, client, scope, secrets } = await installation()
  const sha256 = 'K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols='
  const expires_at = '2030-01-01T00:00:00Z'
  const known = [{ sha256, expires_at }, 'a second secret', { sha256 }]
  const file = {
    clients: [{ ...app, client_secrets: known }],
    scopes: [{ ...orders, secrets: [{ sha256 }] }],
  }
  await apply(file)
  const stored = (await client('app'))?.secrets ?? []
  assert.deepEqual(
    stored.map(({ digest, expiresAt }) => [secretFormOf({ digest }), expiresAt]),
    [
      ['argon2id', null],
      ['sha256', null],
      ['argon2id', null],
    ],
  )
  for (const secret of ['a chosen secret', 'secret', 'a second secret'])
    assert.equal(await secrets.verify(secret, stored, now), true, secret)
  assert.equal(await secrets.verify('secret', (await scope('orders'))?.secrets ?? [], now), true)
  assert.deepEqual(await apply(file), { written: 0, removed: 0 })
})

test('a changed field changes only its record', async () => {
  const { apply, client } = await installation()
  await apply(everything)
  const before = await client('app')
  assert.deepEqual(await apply({ ...everything, clients: [{ ...app, client_name: 'Renamed' }] }), {
    written: 1,
    removed: 0,
  })
  const after = await client('app')
  assert.equal(after?.client.clientName, 'Renamed')
  assert.deepEqual(after?.secrets, before?.secrets)
})

test('TK-06 a second secret is added to the first, and an expiry that is set later applies', async () => {
  const { apply, client, secrets } = await installation()
  await apply(everything)
  const rotating = {
    ...app,
    client_secret_expires_at: now.getTime() / 1000 + 60,
    client_secrets: ['the one that follows'],
  }
  await apply({ ...everything, clients: [rotating] })
  const stored = (await client('app'))?.secrets ?? []
  const later = new Date(now.getTime() + 61_000)
  assert.equal(await secrets.verify('a chosen secret', stored, now), true)
  assert.equal(await secrets.verify('a chosen secret', stored, later), false)
  assert.equal(await secrets.verify('the one that follows', stored, later), true)
})

test('TK-02 all chosen secrets of one client share a salt, also those that are added later', async () => {
  const { apply, client } = await installation()
  await apply(everything)
  const first = (await client('app'))?.secrets ?? []
  const further = ['the one that follows', `lks_${'a'.repeat(43)}`, 'a third one', 'a chosen secret']
  await apply({ ...everything, clients: [{ ...app, client_secrets: further }] })
  const all = (await client('app'))?.secrets ?? []
  assert.deepEqual(all[0], first[0])
  const salts = all.flatMap(({ digest }) => digest.split('$')[4] ?? [])
  assert.deepEqual([all.length, salts.length, new Set(salts).size], [4, 3, 1])
})

test('a changed password replaces the earlier one, a missing one ends password sign-in; the sub stays', async () => {
  const { apply, storage } = await installation()
  await apply(everything)
  const before = await storage.users.findByUsername('carol')
  await apply({ ...everything, users: [{ ...carol, password: 'windy friday in may' }] })
  const changed = await storage.users.findByUsername('carol')
  assert.equal(changed?.subject, before?.subject)
  assert.equal(await passwords.verify('windy friday in may', changed?.passwordHash ?? null), true)
  await apply({ ...everything, users: [{ username: 'carol' }] })
  assert.equal((await storage.users.findByUsername('carol'))?.passwordHash, null)
})

test('objects that the file no longer names are removed; users are locked and keep their sub', async () => {
  const { apply, storage, client, scope, providers } = await installation()
  await apply(everything)
  const before = await storage.users.findByUsername('carol')
  await apply({})
  assert.equal(await client('app'), null)
  assert.equal(await scope('orders'), null)
  assert.deepEqual(await providers.all(), [])
  const disabled = await storage.users.findByUsername('carol')
  assert.deepEqual([disabled?.enabled, disabled?.subject], [false, before?.subject])
  await apply(everything)
  const back = await storage.users.findByUsername('carol')
  assert.deepEqual([back?.enabled, back?.subject], [true, before?.subject])
})

test('objects that no file created are not changed', async () => {
  const { apply, storage, client } = await installation()
  const foreign = {
    clientId: clientIdSchema.parse('made-elsewhere'),
    metadata: { client_id: 'made-elsewhere', grant_types: [] },
    secrets: [],
  }
  await storage.configuration.apply({ put: { clients: [foreign] }, remove: {} }, now)
  await apply(everything)
  await apply({})
  assert.ok(await client('made-elsewhere'))
})

test('CF-02 the demo is removed completely when a configuration, or no configuration, replaces it', async () => {
  for (const source of ['file', 'none'] as const) {
    const { apply, storage, client } = await installation()
    await apply(demoConfiguration('http://localhost:3000'), 'demo')
    assert.ok(await client('demo-web'))
    assert.ok(await storage.users.findByUsername('alice'))
    await apply({}, source)
    assert.equal(await client('demo-web'), null)
    assert.equal(await storage.users.findByUsername('alice'), null)
  }
})

test('the configuration that overwrites an object at the next start is found by kind and id', async () => {
  const { apply, storage } = await installation()
  const by = (kind: 'clients' | 'scopes' | 'providers', id: string) => managedBy(storage.meta, kind, id)
  await apply(everything)
  assert.deepEqual(
    [await by('clients', 'app'), await by('scopes', 'orders'), await by('providers', 'corp')],
    ['file', 'file', 'file'],
  )
  assert.deepEqual([await by('clients', 'orders'), await by('scopes', 'openid')], [null, null])
  await apply(demoConfiguration('http://localhost:3000'), 'demo')
  assert.deepEqual([await by('clients', 'app'), await by('clients', 'demo-web')], [null, 'demo'])
})

test('a refused start changes nothing that the dashboard created', async () => {
  const { apply, storage, client } = await installation()
  await apply(everything)
  const user = await storage.users.findByUsername('carol')
  assert.ok(user)
  const erin = { ...user, subject: subjectIdSchema.parse('erin'), username: 'erin' }
  const clientId = clientIdSchema.parse('shop')
  const clients = [{ clientId, metadata: { client_id: clientId, grant_types: [] }, secrets: [] }]
  await storage.configuration.apply({ put: { users: [erin], clients }, remove: {} }, now)
  const users = [
    { username: 'erin', sub: erin.subject },
    { username: 'carol', sub: 'another-carol' },
  ]
  await assert.rejects(apply({ ...everything, clients: [{ ...app, client_id: clientId }], users }), /carol/)
  await apply(everything)
  assert.ok(await client('shop'))
  assert.equal((await storage.users.findBySubject(erin.subject))?.enabled, true)
})

test('a new user with the previous name of another user does not get that account', async () => {
  const { apply, storage } = await installation()
  await apply({ users: [{ username: 'carol', sub: 's1', password: 'rainy tuesday in november' }] })
  const users = [
    { username: 'caroline', sub: 's1', password: 'rainy tuesday in november' },
    { username: 'carol', password: 'windy friday in may' },
  ]
  await assert.rejects(apply({ users }), /users\[1\]: has the name under which users\[0\] \(sub "s1"\)/)
  const { passwordHash = null } = (await storage.users.findByUsername('carol')) ?? {}
  assert.ok(await passwords.verify('rainy tuesday in november', passwordHash))
})

test('a start without the file keeps the objects that it created', async () => {
  const { apply, client } = await installation()
  await apply(everything)
  assert.deepEqual(await apply({}, 'none'), { written: 0, removed: 0 })
  assert.ok(await client('app'))
  await apply({}, 'file')
  assert.equal(await client('app'), null)
})

test('CF-02 without LATCHKEY_CONFIG the demo is not applied to objects that a file created', async () => {
  const { apply, storage, client } = await installation()
  const demo = load(demoConfiguration('http://localhost:3000'), 'demo')
  assert.equal(await withoutUnaskedDemo(storage.meta, demo, false), demo, 'an empty database')
  await apply(everything)
  const kept = await withoutUnaskedDemo(storage.meta, demo, false)
  assert.equal(kept.source, 'none')
  assert.deepEqual(await apply(kept.configuration, kept.source), { written: 0, removed: 0 })
  assert.deepEqual([(await client('app')) !== null, await client('demo-web')], [true, null])
  assert.equal(await withoutUnaskedDemo(storage.meta, demo, true), demo, 'when it is asked for by name')
})

test('AU-02 refuses a bad password with its place in the file, when it is set and never again', async () => {
  const { apply } = await installation()
  for (const password of ['sunshine1', 'carol2026']) {
    await assert.rejects(apply({ users: [{ ...carol, password }] }), error => {
      assert.ok(isConfigError(error))
      assert.match(error.message, /^users\[0\]\.password: /)
      assert.ok(!error.message.includes(password))
      return true
    })
  }
})

test('AU-02 reports all rejected passwords together', async () => {
  const { apply, storage } = await installation()
  const users = [
    carol,
    { username: 'dan', password: 'sunshine1' },
    { username: 'eve', password: 'password123' },
  ]
  await assert.rejects(
    apply({ users: users }),
    /^ConfigError: users\[1\]\.password: .*\.\nusers\[2\]\.password: .*\.$/,
  )
  assert.equal(await storage.users.findByUsername('carol'), null)
})

test('TK-11 refuses a client id that is the sub of a user, and stores nothing', async () => {
  const { apply, client } = await installation()
  await apply({ users: [{ ...carol, sub: 'taken' }] })
  await assert.rejects(
    apply({
      clients: [
        { ...app, scope: 'openid' },
        { ...app, client_id: 'taken', scope: '' },
      ],
    }),
    isConfigError,
  )
  assert.equal(await client('app'), null)
})

type Stored = Pick<Awaited<ReturnType<typeof installation>>['storage'], 'configuration'>

async function everythingStored({ configuration }: Stored) {
  return { ...(await configuration.read()), users: await configuration.readUsers() }
}

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { applyDocument, compareConfiguration } from '../configuration/apply-document.ts'
import { exportConfiguration } from '../configuration/export-configuration.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { createProvider, updateProvider } from './write-providers.ts'

let opened: AdminTestPorts
let owner: Caller
before(async () => {
  opened = await openAdminTestPorts()
  owner = await opened.caller('owner')
})
after(() => opened.close())

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
const secret = 'the secret that the provider gave us'
const apple = {
  preset: 'apple',
  client_id: 'com.house',
  team_id: 'TEAM123456',
  key_id: 'KEY1234567',
} as const
const oauth = {
  preset: 'oauth2',
  client_id: 'latchkey',
  authorization_endpoint: 'https://house.example/authorize',
  token_endpoint: 'https://house.example/token',
  userinfo_endpoint: 'https://api.house.example/me',
} as const

async function stored(scheme: string) {
  return (await opened.ports.providers.find(providerSchemeSchema.parse(scheme))) ?? assert.fail(scheme)
}

async function create(document: Parameters<typeof createProvider.call>[1]) {
  const created = await createProvider.call(opened.ports, document, owner)
  assert.equal(created.kind, 'ok', JSON.stringify(created))
  return created.kind === 'ok' ? created.value : assert.fail()
}

async function errorsOf(result: ReturnType<typeof createProvider.call>) {
  const { kind, ...rest } = await result
  assert.equal(kind, 'invalid')
  return 'errors' in rest ? rest.errors.map(({ path }) => path) : []
}

test('a preset gives the values that an administrator leaves out', async () => {
  await create({ scheme: 'google', preset: 'google', client_id: 'latchkey', client_secret: secret })
  const { issuer, scope, reauthentication } = await stored('google')
  assert.deepEqual(
    [issuer, scope, reauthentication],
    ['https://accounts.google.com', 'openid profile email', 'select_account'],
  )
})

test('a form without the fields of the preset is refused at each of them', async () => {
  const { authorization_endpoint: _, ...incomplete } = oauth
  const document = { ...incomplete, scheme: 'incomplete', client_secret: secret }
  assert.deepEqual(await errorsOf(createProvider.call(opened.ports, document, owner)), [
    'authorization_endpoint',
  ])
  const keyless = { ...apple, scheme: 'keyless', client_secret: secret }
  assert.deepEqual(await errorsOf(createProvider.call(opened.ports, keyless, owner)), ['client_secret'])
})

test('AD-05 the private key of Apple is stored sealed, and kept by a change without one', async () => {
  const { version } = await create({ ...apple, scheme: 'apple', client_secret: key })
  const sealed = (await opened.ports.adminLists.providers()).find(({ scheme }) => scheme === 'apple')
  assert.ok(sealed?.clientSecret != null && !sealed.clientSecret.includes('PRIVATE KEY'))
  const change = { ...apple, scheme: 'apple', display_name: 'Apple', version }
  assert.equal((await updateProvider.call(opened.ports, change, owner)).kind, 'ok')
  assert.equal((await stored('apple')).clientSecret, key)
})

const moves: readonly (readonly [string, object])[] = [
  ['another token endpoint', { token_endpoint: 'https://evil.example/token' }],
  ['another preset with the same issuer', { preset: 'openid_connect', issuer: 'https://api.house.example' }],
]
for (const [name, change] of moves)
  test(`AD-05 the stored secret is not sent to ${name}`, async () => {
    const scheme = `moved-${moves.findIndex(([other]) => other === name)}`
    const { version } = await create({ ...oauth, scheme, client_secret: secret })
    const endpoints = 'preset' in change ? { client_id: 'latchkey', scope: 'openid' } : oauth
    const input = { ...endpoints, ...change, scheme, version }
    const refused = await callUntyped(updateProvider, opened.ports, input, owner)
    assert.ok(refused.kind === 'invalid', JSON.stringify(refused))
    assert.deepEqual(
      refused.errors.map(({ path }) => path),
      ['client_secret'],
    )
    const document = { identity_providers: [{ ...endpoints, ...change, scheme }] }
    const compared = await compareConfiguration.call(opened.ports, { document }, owner)
    assert.ok(compared.kind === 'ok', JSON.stringify(compared))
    assert.match(compared.value.plan.changes[0]?.note ?? '', /stored secret cannot be used/)
  })

test('an exported configuration with presets changes nothing when it is applied again', async () => {
  const exported = await exportConfiguration.call(opened.ports, { users: false }, owner)
  assert.ok(exported.kind === 'ok')
  const document = { identity_providers: exported.value.identity_providers }
  const compared = await compareConfiguration.call(opened.ports, { document }, owner)
  assert.ok(compared.kind === 'ok', JSON.stringify(compared))
  assert.deepEqual(compared.value.plan.changes, [])
  const { digest } = compared.value.plan
  assert.equal((await applyDocument.call(opened.ports, { document, digest }, owner)).kind, 'ok')
  assert.equal((await stored('apple')).clientSecret, key)
})

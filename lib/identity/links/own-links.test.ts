import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { context } from '#lib/core/testing/ports.ts'
import type { RemainingWays } from '#lib/ports/account-links.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { canStillSignIn, ownLinks, removeLink } from './own-links.ts'

let setup: TestSignIn
let made = 0

before(async () => {
  setup = await openTestSignIn()
  await setup.addProvider('partner')
  await setup.addProvider('closed', { enabled: false })
  await setup.addProvider('quiet', { hidden: true })
})
after(() => setup.close())

/** A signed-in user with links to these providers, and a password if one is given. */
async function signedIn(schemes: readonly string[], password?: string) {
  made += 1
  const username = `user-${made}`
  await setup.addUser(username, password === undefined ? {} : { password })
  const session = await setup.openSession(username)
  for (const scheme of schemes) {
    const key = { ...keyOf(scheme), subject: `${username}-${scheme}`, label: null }
    const change = { now: setup.ports.clock.now(), most: 10, notices: [], mayLink: () => true }
    assert.equal(await setup.ports.users.links.add(session.subject, key, change), 'added')
  }
  return session
}

function keyOf(scheme: string) {
  return { scheme: providerSchemeSchema.parse(scheme), issuer: `https://${scheme}.example`, subject: scheme }
}

const idOf = async (session: Awaited<ReturnType<typeof signedIn>>, scheme: string) =>
  (await ownLinks(setup.ports, session))?.links.find(link => link.scheme === scheme)?.id

test('the panel lists every link, and offers enabled providers that are not hidden', async () => {
  const session = await signedIn(['partner', 'closed'])
  const { links = [], providers } = (await ownLinks(setup.ports, session)) ?? {}
  assert.deepEqual(links.map(({ scheme }) => scheme).toSorted(), ['closed', 'partner'])
  assert.deepEqual(providers, [], 'a provider with an identity is not offered again')
  const newcomer = await signedIn([])
  const offered = (await ownLinks(setup.ports, newcomer))?.providers
  assert.deepEqual(offered, [{ scheme: 'partner', preset: 'openid_connect', name: 'partner' }])
})

test('a user with a password unlinks the only identity, which is recorded', async () => {
  const session = await signedIn(['partner'], 'seven gray herons at noon')
  const id = await idOf(session, 'partner')
  assert.equal(await removeLink(setup.ports, { session, id }, context), 'removed')
  const { name, subject, details } = setup.events.at(-1) ?? {}
  assert.deepEqual([name, subject, details], ['provider_unlinked', session.subject, { scheme: 'partner' }])
  assert.equal(await removeLink(setup.ports, { session, id }, context), 'unknown')
})

test('the only identity of a user without a password stays, also next to one of a disabled provider', async () => {
  const session = await signedIn(['partner', 'closed'])
  const id = await idOf(session, 'partner')
  assert.equal(await removeLink(setup.ports, { session, id }, context), 'last')
  const closed = await idOf(session, 'closed')
  assert.equal(await removeLink(setup.ports, { session, id: closed }, context), 'removed')
})

test('a user does not unlink an identity of another user', async () => {
  const [owner, other] = [
    await signedIn(['partner'], 'seven gray herons'),
    await signedIn([], 'seven red herons'),
  ]
  const id = await idOf(owner, 'partner')
  assert.equal(await removeLink(setup.ports, { session: other, id }, context), 'unknown')
  assert.equal((await ownLinks(setup.ports, owner))?.links.length, 1)
})

const none = { hasPassword: false, links: [], passkeys: [] } as const
const on = { kind: 'on', id: 'id.example', origins: [] } as const
const rows: readonly (readonly [string, RemainingWays, Partial<typeof settings>, boolean])[] = [
  ['nothing', none, {}, false],
  ['a password', { ...none, hasPassword: true }, {}, true],
  ['a password where local sign-in is off', { ...none, hasPassword: true }, { localLogin: false }, false],
  ['a passkey', { ...none, passkeys: [{ idp: 'latchkey' }] }, {}, true],
  ['a passkey that is only a second factor', { ...none, passkeys: [{ idp: 'partner' }] }, {}, false],
  [
    'a passkey at an address without passkeys',
    { ...none, passkeys: [{ idp: 'latchkey' }] },
    { relyingParty: { kind: 'off', why: 'not_https' } },
    false,
  ],
  ['a link to an enabled provider', { ...none, links: [keyOf('partner')] }, {}, true],
  ['a link to a disabled provider', { ...none, links: [keyOf('closed')] }, {}, false],
  [
    'a link to an earlier issuer of a provider',
    { ...none, links: [{ ...keyOf('partner'), issuer: 'https://earlier.example' }] },
    {},
    false,
  ],
]
test('a link to one organization of a provider for several ones is a way to sign in', async () => {
  const host = 'https://login.microsoftonline.com'
  const provider = await setup.addProvider('entra', { preset: 'microsoft', issuer: `${host}/common/v2.0` })
  const link = (issuer: string) => ({ ...none, links: [{ ...keyOf('entra'), issuer }] })
  assert.equal(canStillSignIn(settings, [provider], link(`${host}/9188040d/v2.0`)), true)
  assert.equal(canStillSignIn(settings, [provider], link('https://other.example/9188040d/v2.0')), false)
})

const settings: Parameters<typeof canStillSignIn>[0] = { localLogin: true, relyingParty: on }
for (const [name, remaining, changes, expected] of rows) {
  test(`a user who has only ${name} ${expected ? 'can' : 'cannot'} sign in`, async () => {
    const providers = await setup.ports.providers.all()
    assert.equal(canStillSignIn({ ...settings, ...changes }, providers, remaining), expected)
  })
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Session } from '#lib/ports/sessions.ts'
import type { UserService } from '#lib/ports/users.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { openTestPorts, type TestPorts } from '../testing/ports.ts'
import { loginHintDiffers } from './login-hint.ts'

let t: TestPorts
let client: Client
let alice: Session
before(async () => {
  t = await openTestPorts()
  client = await t.addClient()
  const claims = {
    email: 'Alice@Partner.example',
    preferred_username: 'liddell',
    phone_number: '+4930123456',
  }
  await t.addUser('alice', { claims: { ...claims, name: 'Alice Liddell' } })
  await t.addUser('bob', { claims: { email: 'bob@partner.example' } })
  alice = await t.openSession('alice')
})
after(() => t.close())

const names = ['alice', 'ALICE', ' alice ', 'ａｌｉｃｅ', 'alice@partner.example', 'Liddell', '+4930123456']

for (const loginHint of [null, ' ', '\u200b', ...names]) {
  test(`AZ-19 the hint ${JSON.stringify(loginHint)} names alice`, async () => {
    assert.equal(await loginHintDiffers(t.ports, { loginHint, client, session: alice }), false)
  })
}

for (const loginHint of [
  'bob',
  'bob@partner.example',
  'unknown',
  'alice@elsewhere.example',
  'ali',
  'Alice L',
]) {
  test(`AZ-19 the hint ${JSON.stringify(loginHint)} does not name alice`, async () => {
    assert.equal(await loginHintDiffers(t.ports, { loginHint, client, session: alice }), true)
  })
}

test('AZ-19 a hint can be a subject or a claim from an identity provider', async () => {
  const identity = { scheme: 'corp', issuer: 'https://corp.example', subject: 'una', authenticatedAt: null }
  const scheme = (await t.addProvider('corp')).scheme
  const claims = { email: 'una@corp.example', preferred_username: 'una.upn@corp.example' }
  const known = await t.ports.userService.authenticateExternal(
    { ...identity, scheme, scopes: [], claims },
    { client, tenant: null, acrValues: [] },
  )
  assert.equal(known.kind, 'full')
  const subject = known.kind === 'full' ? known.subject : ''
  const session = await t.openSession(subject, { idp: scheme })
  for (const loginHint of [subject, 'Una@corp.example', 'una.upn@corp.example']) {
    assert.equal(await loginHintDiffers(t.ports, { loginHint, client, session }), false)
  }
})

test('S4 a custom user service decides by which names users are known', async () => {
  const canonical: Readonly<Record<string, string>> = { 'una@corp.example': 'u-17', una: 'u-17' }
  const userService: UserService = {
    ...t.ports.userService,
    profile: async ({ caller }): Promise<Claims> =>
      caller === 'login_hint' ? { email: 'office@corp.example' } : {},
    canonicalUsername: async name => canonical[name] ?? name,
  }
  const ports = { users: t.ports.users, userService }
  const session = { ...alice, subject: subjectIdSchema.parse('u-17') }
  for (const [loginHint, differs] of [
    ['una', false],
    ['una@corp.example', false],
    ['office@corp.example', false],
    ['ursula', true],
  ] as const) {
    assert.equal(await loginHintDiffers(ports, { loginHint, client, session }), differs, loginHint)
  }
})

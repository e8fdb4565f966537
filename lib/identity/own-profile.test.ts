/** Tests the profile that users change themselves. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { context, withPolicies } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { ProfileField } from '#lib/protocol/registration/policies.ts'
import { changeOwnProfile, ownProfile } from './own-profile.ts'
import { openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
let users = 0
before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

const granted: Claims = { role: 'staff', groups: ['crew'], email: 'a@example.org', email_verified: true }

async function newUser(claims: Claims = { name: 'Robin' }) {
  users += 1
  const { subject } = await setup.addUser(`user-${users}`, { claims: { ...granted, ...claims } })
  const session = await setup.openSession(subject, { name: 'Robin' })
  const stored = async () => (await setup.ports.users.findBySubject(subject))?.claims ?? {}
  return { session, stored }
}

/** Opens the form, and sends it with these values. */
async function change(
  session: Session,
  entered: Partial<Record<ProfileField | 'email' | 'role', string>>,
  ports: Ports = setup.ports,
) {
  const own = (await ownProfile(ports, session)) ?? assert.fail()
  const sent = new Map(Object.entries(entered)) as ReadonlyMap<ProfileField, string>
  return changeOwnProfile(ports, { session, version: own.version, entered: sent }, context)
}

test('a user changes, adds and removes claims of the profile, and other claims stay', async () => {
  const { session, stored } = await newUser({ name: 'Robin', nickname: 'Rob' })
  const entered = { name: ' Robin Hood ', nickname: '', website: 'https://example.org/robin' }
  assert.deepEqual(await change(session, entered), { kind: 'saved' })
  assert.deepEqual(await stored(), { ...granted, name: 'Robin Hood', website: 'https://example.org/robin' })
  const event = setup.events.at(-1)
  assert.deepEqual([event?.name, event?.details], ['profile_changed', { claims: 'name nickname website' }])
})

test('all sessions of the user get the new display name', async () => {
  const { session } = await newUser()
  await setup.openSession(session.subject, { name: 'Robin' })
  await change(session, { name: 'Robyn' })
  const sessions = await setup.ports.sessions.allOf(session.subject, setup.ports.clock.now())
  assert.deepEqual(
    sessions.map(({ name }) => name),
    ['Robyn', 'Robyn'],
  )
})

test('AU-18 no form changes the email address, roles or groups', async () => {
  const { session, stored } = await newUser()
  assert.deepEqual(await change(session, { email: 'victim@example.org', role: 'admin' }), {
    kind: 'unchanged',
  })
  assert.deepEqual(await stored(), { ...granted, name: 'Robin' })
})

test('a new phone number is not verified', async () => {
  const { session, stored } = await newUser({ phone_number: '+44 20 7946 0000', phone_number_verified: true })
  await change(session, { phone_number: '+44 20 7946 0001' })
  const { phone_number: number, phone_number_verified: isVerified } = await stored()
  assert.deepEqual([number, isVerified], ['+44 20 7946 0001', undefined])
})

test('all invalid values are reported together, and nothing is stored', async () => {
  const { session, stored } = await newUser()
  const entered = {
    ...{ name: 'a\u0007b', birthdate: '1990-02-31', website: 'javascript:alert(1)', zoneinfo: 'Mars/Base' },
    ...{ phone_number: 'call me', nickname: 'x'.repeat(201), family_name: 'Fine' },
  }
  assert.deepEqual(await change(session, entered), {
    kind: 'unfit',
    fields: ['name', 'nickname', 'birthdate', 'phone_number', 'website', 'zoneinfo'],
  })
  assert.deepEqual(await stored(), { ...granted, name: 'Robin' })
})

test('a form that was shown before another change stores nothing', async () => {
  const { session, stored } = await newUser()
  const { version = '' } = (await ownProfile(setup.ports, session)) ?? {}
  await change(session, { name: 'First' })
  const late = { session, version, entered: new Map([['nickname', 'Late'] as const]) }
  assert.deepEqual(await changeOwnProfile(setup.ports, late, context), { kind: 'changed_meanwhile' })
  assert.deepEqual(await stored(), { ...granted, name: 'First' })
})

test('of two changes at the same time one is stored', async () => {
  const { session } = await newUser()
  const outcomes = await Promise.all(['One', 'Two'].map(name => change(session, { name })))
  assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['changed_meanwhile', 'saved'])
})

test('only the claims of the policy can be changed, and none without it', async () => {
  const { session, stored } = await newUser()
  const limited = { ...setup.ports, policies: withPolicies({ profile_fields: ['nickname'] }) }
  assert.deepEqual(await change(session, { name: 'Other', nickname: 'Rob' }, limited), { kind: 'saved' })
  assert.deepEqual(await stored(), { ...granted, name: 'Robin', nickname: 'Rob' })
  const none = { ...setup.ports, policies: withPolicies({ profile_fields: [] }) }
  assert.equal(await ownProfile(none, session), null)
})

test('a user of the configuration file, and one of a service without profiles, can change nothing', async () => {
  const { session, stored } = await newUser()
  const managed = { ...setup.ports, managedUsers: { has: async () => true } }
  assert.equal((await ownProfile(managed, session))?.isManaged, true)
  assert.deepEqual(await change(session, { name: 'Other' }, managed), { kind: 'unavailable' })
  const { ownProfile: _left, ...others } = setup.ports.userService
  const custom = { ...setup.ports, userService: others }
  assert.equal(await ownProfile(custom, session), null)
  const sent = { session, version: '', entered: new Map([['name', 'Other'] as const]) }
  assert.deepEqual(await changeOwnProfile(custom, sent, context), { kind: 'unavailable' })
  assert.deepEqual(await stored(), { ...granted, name: 'Robin' })
})

test('a claim that is not a text is not part of the form', async () => {
  const { session } = await newUser({ name: 'Robin', birthdate: 1990 })
  const own = await ownProfile(setup.ports, session)
  assert.equal(own?.values.has('birthdate'), false)
  assert.equal(own?.values.get('name'), 'Robin')
})

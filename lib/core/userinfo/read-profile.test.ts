import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileRequest } from '#lib/ports/users.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { openTestFlow, type TestFlow } from '../testing/token-flow.ts'
import { readProfile } from './read-profile.ts'

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addUser('alice', { claims: { name: 'Alice' } })
  await flow.addUser('carol', { claims: { preferred_username: 'caz' } })
  await flow.addUser('dave', { enabled: false })
})
after(() => flow.close())

const asking = (user: string, changes: Partial<ProfileRequest> = {}): ProfileRequest => ({
  subject: subjectIdSchema.parse(user),
  claims: ['preferred_username', 'name'],
  allClaims: false,
  client: flow.client,
  caller: 'userinfo',
  ...changes,
})
/** Makes ports with a user service that returns this profile for every user. */
const elsewhere = (profile: Claims) => ({
  ...flow.ports,
  userService: { ...flow.ports.userService, profile: async () => profile },
})

test('preferred_username is the user name of an account without that claim', async () => {
  assert.deepEqual(await readProfile(flow.ports, asking('alice')), {
    name: 'Alice',
    preferred_username: 'alice',
  })
  assert.equal(
    (await readProfile(flow.ports, asking('alice', { claims: [], allClaims: true }))).preferred_username,
    'alice',
  )
})

test('a preferred_username that was set by hand is used', async () => {
  assert.deepEqual(await readProfile(flow.ports, asking('carol')), { preferred_username: 'caz' })
})

test('a request without preferred_username and a locked account do not get it', async () => {
  assert.deepEqual(await readProfile(flow.ports, asking('alice', { claims: ['name'] })), { name: 'Alice' })
  assert.deepEqual(await readProfile(flow.ports, asking('dave')), {})
})

test('the profile of a custom user service gets the user name of the account here, unless it has the claim', async () => {
  const rows: ReadonlyArray<readonly [profile: Claims, expected: Claims]> = [
    [{ name: 'A' }, { name: 'A', preferred_username: 'alice' }],
    [{ preferred_username: 'al' }, { preferred_username: 'al' }],
    [{ preferred_username: null }, { preferred_username: null }],
  ]
  for (const [profile, expected] of rows)
    assert.deepEqual(await readProfile(elsewhere(profile), asking('alice')), expected)
  assert.deepEqual(await readProfile(elsewhere({ name: 'E' }), asking('elsewhere')), { name: 'E' })
})

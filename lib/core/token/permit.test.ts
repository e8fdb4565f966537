import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unrecorded } from '#lib/errors/checks.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import { scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { openTestPorts, type TestPorts } from '../testing/ports.ts'
import { testClient } from '../testing/registrations.ts'
import { permitTokens } from './permit.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
})
after(() => t.close())

const alice = subjectIdSchema.parse('alice')
const scopes = ['openid', 'api'].map(name => scopeNameSchema.parse(name))

type Required = Client['requireAcr']
type Level = NonNullable<GrantDetails['level']>

const permit = (client: Client, isActive = true, grantType = 'authorization_code', level?: Level) => {
  const userService: Ports['userService'] = { ...t.ports.userService, isActive: async () => isActive }
  const request = { client, grantType, checks: unrecorded }
  return permitTokens({ ...t.ports, userService }, request, { subject: alice, granted: { scopes, level } })
}

test('tokens are made for an active user, with the scopes that the client may still have', async () => {
  assert.deepEqual((await permit(testClient())).granted.scopes, scopes)
  assert.deepEqual((await permit(testClient({ scope: 'openid' }))).granted.scopes, ['openid'])
})

test('no token is made once user, client, grant type or every scope is no longer allowed', async () => {
  const rows: ReadonlyArray<readonly [Promise<unknown>, string]> = [
    [permit(testClient(), false), 'subject_inactive'],
    [permit(testClient({ enabled: false })), 'client_disabled'],
    [permit(testClient(), true, 'password'), 'grant_type_not_allowed'],
    [permit(testClient({ scope: 'profile' })), 'no_scope_left'],
  ]
  for (const [made, reason] of rows) await assert.rejects(made, { reason })
})

test('MF-06 no token is made for a sign-in below the level that the client requires now', async () => {
  const at = (require_acr: Required, level?: Level) =>
    permit(testClient({ require_acr }), true, 'authorization_code', level)
  const rows: ReadonlyArray<readonly [Required, Level | undefined, boolean]> = [
    [null, undefined, true],
    ['urn:latchkey:pwd', undefined, true],
    ['urn:latchkey:mfa', undefined, false],
    ['urn:latchkey:mfa', 'mfa', true],
    ['urn:latchkey:mfa', 'passkey', true],
    ['urn:latchkey:passkey', 'mfa', false],
    ['phr', 'passkey', true],
  ]
  for (const [required, level, isPermitted] of rows) {
    const made = at(required, level)
    if (isPermitted) assert.equal((await made).client.requireAcr, required)
    else await assert.rejects(made, { reason: 'level_not_reached' })
  }
})

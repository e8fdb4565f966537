import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unrecorded } from '#lib/errors/checks.ts'
import type { Ports } from '#lib/ports/ports.ts'
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

const permit = (client: Client, isActive = true, grantType = 'authorization_code') => {
  const userService: Ports['userService'] = { ...t.ports.userService, isActive: async () => isActive }
  const request = { client, grantType, checks: unrecorded }
  return permitTokens({ ...t.ports, userService }, request, { subject: alice, granted: { scopes } })
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

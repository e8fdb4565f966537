/** Tests the scopes that exist without a configuration. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installation } from '../testing/installation.ts'

test('the standard scopes exist even if a file does not name them, and are reset when it no longer does', async () => {
  const { apply, scope } = await installation()
  await apply({ scopes: [{ name: 'email', kind: 'identity', display_name: 'Mail', claims: ['email'] }] })
  for (const name of ['openid', 'profile', 'email', 'phone', 'address', 'roles', 'groups', 'offline_access'])
    assert.ok(await scope(name), name)
  assert.equal((await scope('openid'))?.scope.required, true)
  assert.equal((await scope('email'))?.scope.displayName, 'Mail')
  await apply({})
  assert.equal((await scope('email'))?.scope.displayName, null)
  assert.deepEqual((await scope('email'))?.scope.claims, ['email', 'email_verified'])
})

test('a built-in scope is extended without repeating its kind and claims', async () => {
  const { apply, scope } = await installation()
  await apply({
    scopes: [
      { name: 'email', always_include_in_id_token: ['email'] },
      { name: 'groups', display_name: 'Teams' },
      {
        name: 'profile',
        additional_claims: ['department', 'name'],
        always_include_in_id_token: ['department'],
      },
      { name: 'phone', claims: ['phone_number'] },
      { name: 'orders', claims: ['team'], additional_claims: ['region'] },
    ],
  })
  const [email, groups, profile, phone, orders] = await Promise.all(
    ['email', 'groups', 'profile', 'phone', 'orders'].map(async name => (await scope(name))?.scope),
  )
  assert.deepEqual([email?.kind, email?.claims], ['identity', ['email', 'email_verified']])
  assert.deepEqual(email?.alwaysIncludeInIdToken, ['email'])
  assert.deepEqual(
    [groups?.kind, groups?.claims, groups?.emphasize, groups?.displayName],
    ['identity', ['groups'], true, 'Teams'],
  )
  assert.deepEqual(profile?.claims.slice(-2), ['updated_at', 'department'])
  assert.equal(profile?.claims.length, 15)
  assert.deepEqual([phone?.claims, phone?.emphasize], [['phone_number'], true])
  assert.deepEqual([orders?.kind, orders?.claims], ['resource', ['team', 'region']])
  await apply({})
  assert.deepEqual((await scope('profile'))?.scope.claims.includes('department'), false)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestPorts, type TestPorts } from '#lib/core/testing/ports.ts'
import { missingFunctions } from './missing-functions.ts'

let opened: TestPorts
before(async () => {
  opened = await openTestPorts()
})
after(() => opened.close())

test('the built-in user service has every function', () => {
  assert.deepEqual(missingFunctions(opened.ports.userService), [])
})

test('a user service without own profiles and deletion is reported with both, and with what its users cannot do', () => {
  const { ownProfile: _profile, deletion: _deletion, ...others } = opened.ports.userService
  const missing = missingFunctions(others)
  assert.deepEqual(
    missing.map(({ name }) => name),
    ['ownProfile', 'deletion'],
  )
  for (const { consequence } of missing) assert.match(consequence, /^its users cannot/)
})

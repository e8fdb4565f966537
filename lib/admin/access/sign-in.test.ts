import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestPorts, type TestPorts } from '#lib/core/testing/ports.ts'
import { startSignIn } from './sign-in.ts'

let opened: TestPorts
before(async () => {
  opened = await openTestPorts()
})
after(() => opened.close())

function askedFor(leaving: Parameters<typeof startSignIn>[1]): URLSearchParams {
  return new URL(startSignIn(opened.ports, leaving).location, 'https://id.example').searchParams
}

test('AD-04 a fresh sign-in asks for the password of the current user', () => {
  const asked = askedFor({ back: '/admin/users', isFreshSignIn: true, loginHint: 'alice' })
  assert.deepEqual([asked.get('prompt'), asked.get('login_hint')], ['login', 'alice'])
})

test('the first sign-in to the dashboard has no login_hint', () => {
  const asked = askedFor({ back: null, isFreshSignIn: false, loginHint: null })
  assert.deepEqual([asked.get('prompt'), asked.get('login_hint')], [null, null])
})

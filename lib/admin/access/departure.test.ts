import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestPorts, type TestPorts } from '#lib/core/test-ports.ts'
import { depart } from './departure.ts'

let opened: TestPorts
before(async () => {
  opened = await openTestPorts()
})
after(() => opened.close())

function askedFor(leaving: Parameters<typeof depart>[1]): URLSearchParams {
  return new URL(depart(opened.ports, leaving).location, 'https://id.example').searchParams
}

test('AD-04 a step-up asks for the password of who is there already', () => {
  const asked = askedFor({ back: '/admin/users', isStepUp: true, loginHint: 'alice' })
  assert.deepEqual([asked.get('prompt'), asked.get('login_hint')], ['login', 'alice'])
})

test('the first sign-in to the dashboard has no login_hint', () => {
  const asked = askedFor({ back: null, isStepUp: false, loginHint: null })
  assert.deepEqual([asked.get('prompt'), asked.get('login_hint')], [null, null])
})

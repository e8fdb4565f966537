import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { lifetimeSeconds, adminSession as limits } from '#lib/config/limits.ts'
import { sampleAuditEntry } from '#lib/storage/testing/samples.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { callbackOf, finishSignInWith, signInAsAdmin } from '../testing/sign-in.ts'
import { currentAdminSession, endAdminSession, peekAdminSession } from './admin-session.ts'
import { appointSubject } from './operator.ts'
import { finishSignIn } from './sign-in.ts'

let opened: AdminTestPorts
beforeEach(async () => {
  opened = await openAdminTestPorts()
})
afterEach(() => opened.close())

async function owner() {
  const { subject } = await opened.actor('owner')
  return { subject, ...(await signInAsAdmin(opened, subject)) }
}

describe('AD-09 an admin session', () => {
  test('an admin session has the role and the time of the sign-in', async () => {
    const { subject, cookies, session } = await owner()
    const signedIn = await currentAdminSession(opened.ports, cookies)
    const seconds = Math.floor(session.authenticatedAt.getTime() / 1000)
    assert.deepEqual(signedIn?.actor, { subject, role: 'owner', authenticatedAt: new Date(seconds * 1000) })
  })
  test('an admin session ends without activity', async () => {
    const { cookies } = await owner()
    opened.advance(limits.idleSeconds - 1)
    assert.ok(await currentAdminSession(opened.ports, cookies))
    opened.advance(limits.idleSeconds)
    assert.equal(await currentAdminSession(opened.ports, cookies), null)
  })
  test('polling by a page does not extend an admin session', async () => {
    const { cookies } = await owner()
    for (const passed of [0.3, 0.6, 0.9]) {
      opened.advance(limits.idleSeconds * 0.3)
      assert.ok(await peekAdminSession(opened.ports, cookies), `after ${passed} of the time`)
    }
    opened.advance(limits.idleSeconds * 0.3)
    assert.equal(await peekAdminSession(opened.ports, cookies), null)
    assert.equal(await currentAdminSession(opened.ports, cookies), null)
  })
  test('an admin session ends after its absolute lifetime, although it is used', async () => {
    const { cookies } = await owner()
    const step = limits.idleSeconds / 2
    for (let passed = step; passed < limits.absoluteSeconds; passed += step) {
      opened.advance(step)
      assert.ok(await currentAdminSession(opened.ports, cookies), `after ${passed} s`)
    }
    opened.advance(step)
    assert.equal(await currentAdminSession(opened.ports, cookies), null)
    assert.ok(limits.absoluteSeconds > lifetimeSeconds.sessionIdle)
  })
  test('an admin session ends with the browser session', async () => {
    const { cookies, session } = await owner()
    await opened.ports.sessions.end(session, opened.ports.clock.now())
    assert.equal(await currentAdminSession(opened.ports, cookies), null)
  })
  test('an admin session ends when the user is locked', async () => {
    const { cookies, subject } = await owner()
    await opened.addUser(subject, { enabled: false })
    assert.equal(await currentAdminSession(opened.ports, cookies), null)
  })
  test('an admin session ends when a custom user service reports the user as inactive', async () => {
    const { cookies } = await owner()
    const userService = { ...opened.ports.userService, isActive: async () => false }
    assert.equal(await currentAdminSession({ ...opened.ports, userService }, cookies), null)
    assert.equal(await currentAdminSession(opened.ports, cookies), null, 'and does not come back')
  })
  test('an admin session has the current role, and ends without a role', async () => {
    const { cookies, subject } = await owner()
    await opened.actor('owner')
    await appointSubject(opened.ports, { subject, role: 'auditor' }, 'start')
    assert.equal((await currentAdminSession(opened.ports, cookies))?.actor.role, 'auditor')
    const writes = [{ kind: 'remove_administrator', subject }] as const
    const audit = [sampleAuditEntry()]
    await opened.ports.adminStore.commit({ writes, audit }, opened.ports.clock.now())
    assert.equal(await currentAdminSession(opened.ports, cookies), null)
  })
  test('an admin session ends with sign-out', async () => {
    const { cookies } = await owner()
    await endAdminSession(opened.ports, cookies.admin)
    assert.equal(await currentAdminSession(opened.ports, cookies), null)
  })
})

describe('the callback of the sign-in', () => {
  test('a sign-in replaces the earlier admin session', async () => {
    const { cookies, session } = await owner()
    const entry = await finishSignInWith(opened, session, { replaced: cookies.admin })
    assert.ok(entry.kind === 'signed_in' && entry.session !== cookies.admin)
    assert.equal(await currentAdminSession(opened.ports, cookies), null)
  })
  test('a user who is not an administrator is refused, with an event', async () => {
    await opened.addUser('bob')
    const entry = await finishSignInWith(opened, await opened.openSession('bob'))
    assert.equal(entry.kind, 'not_an_administrator')
    assert.ok(
      opened.events.some(({ name, reason }) => name === 'admin_refused' && reason === 'not_an_administrator'),
    )
  })
  test('an expired request is refused', async () => {
    const { session } = await owner()
    const back = await callbackOf(opened, session)
    opened.advance(limits.departureSeconds)
    assert.equal(
      (await finishSignIn(opened.ports, back, { requestId: 'r', address: null, userAgent: null })).kind,
      'failed',
    )
  })
  test('the cookie of another request is refused', async () => {
    const { session } = await owner()
    const other = await callbackOf(opened, session)
    assert.equal((await finishSignInWith(opened, session, { request: other.request })).kind, 'failed')
    assert.equal((await finishSignInWith(opened, session, { request: null })).kind, 'failed')
  })
})

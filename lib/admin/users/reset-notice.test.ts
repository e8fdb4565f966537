/** Tests the mail to a user whose password an administrator reset. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAdminTestPorts } from '../testing/admin-ports.ts'
import { resetPassword } from './write-users.ts'

test('AU-16 the user of a reset password is informed by mail, at a verified address only', async t => {
  const opened = await openAdminTestPorts()
  t.after(() => opened.close())
  const support = await opened.caller('user_support')
  for (const verified of [true, false]) {
    const email = `${verified ? 'verified' : 'unsure'}@example.org`
    const { subject: sub } = await opened.addUser(`verified-${verified}`, {
      password: 'a first password',
      claims: { email, email_verified: verified },
    })
    assert.equal((await resetPassword.call(opened.ports, { sub }, support)).kind, 'ok')
  }
  const mails = await opened.storage.outbox.newest(9)
  assert.deepEqual(
    mails.map(({ target, content }) => [target, content]),
    [['verified@example.org', 'security_change']],
  )
})

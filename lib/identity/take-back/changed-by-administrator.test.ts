import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { SecurityChange } from '#lib/ports/mail.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { takeBackChange } from './take-back.ts'

let setup: TestSignIn

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

/** Makes the mail about a change, and returns its link. */
async function linkAbout(subject: SubjectId, change: SecurityChange): Promise<string> {
  const [notice] = await securityNotice(setup.ports, subject, change)
  const { sealedBody = '', id = '' } = notice ?? {}
  const { values } = JSON.parse(setup.ports.sealing.open(sealedBody, `delivery:body:${id}`))
  setup.advance(60)
  return values.undo
}

const takeBack = async (link: string) => (await takeBackChange(setup.ports, link, context)).kind

test('AU-15 an administrator who changes the address ends earlier links, which others may have read', async () => {
  const claims = { email: 'read-by-others@example.org', email_verified: true }
  const user = await setup.addUser('moved', { password: 'a first password of hers', claims })
  const { subject } = user
  setup.advance(3600)
  const link = await linkAbout(subject, 'password_changed')
  const safe = { ...claims, email: 'safe@example.org' }
  const put = { users: [{ ...user, claims: safe }] }
  await setup.storage.configuration.apply({ put, remove: {} }, setup.ports.clock.now())
  setup.advance(60)
  assert.equal(await takeBack(link), 'expired')
  const stored = await setup.ports.users.findBySubject(subject)
  assert.deepEqual(stored?.claims, safe)
  assert.equal(stored?.passwordHash, user.passwordHash)
  assert.equal(await takeBack(await linkAbout(subject, 'passkey_added')), 'taken_back')
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rateLimits } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import { requestRecovery } from '#lib/identity/password-recovery/request-recovery.ts'
import { isMailAllowed } from '#lib/identity/registration/registration-mail.ts'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { sampleAuditEntry } from '#lib/storage/testing/samples.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { allowSignIn, readUserLimits } from './user-limits.ts'
import { listUserMails } from './user-mails.ts'

let opened: AdminTestPorts
let support: Caller
before(async () => {
  opened = await openAdminTestPorts()
  support = await opened.caller('user_support')
})
after(() => opened.close())

const useUp = async (rule: RateLimitRule | undefined) => {
  assert.ok(rule)
  for (let count = 0; count < rule.limit; count += 1)
    await opened.ports.rateLimiter.consume([rule], opened.ports.clock.now())
}
const namesOf = async (sub: string) => {
  const read = await readUserLimits.call(opened.ports, { sub: subjectIdSchema.parse(sub) }, support)
  assert.ok(read.kind === 'ok')
  return read.value.limits.map(({ name }) => name)
}

test('admins see which limits a user has used up, and lift all of them', async () => {
  const { ports } = opened
  const { subject } = await opened.addUser('limited-user')
  assert.deepEqual(await namesOf(subject), [])
  const { second_factor: codes, recovery_mail: mails } = ports.limitsOfUser(subject, null)
  await useUp(mails[0])
  assert.deepEqual(await namesOf(subject), ['recovery_mail'])
  const account = await ports.userService.canonicalUsername('limited-user')
  const [ofCodes] = codes
  await useUp(ofCodes && { ...ofCodes, account })
  assert.deepEqual(await namesOf(subject), ['second_factor', 'recovery_mail'])
  await useUp({ key: 'a test', account, ...rateLimits.account })
  opened.advance(1)
  const lifted = await allowSignIn.call(ports, { sub: subject }, support)
  assert.ok(lifted.kind === 'ok')
  assert.deepEqual(await namesOf(subject), [])
  for (const rule of [...codes, ...mails])
    assert.equal((await ports.rateLimiter.consume([rule], ports.clock.now())).kind, 'allowed')
})

test('the limits of mails to confirm an address and about registrations are listed with the verified address, and lifted', async () => {
  const { ports } = opened
  const email = 'Limited.Mail@example.org'
  const claims = { email, email_verified: true }
  const { subject } = await opened.addUser('limited-mails', { claims })
  const request = { ...context, address: '192.0.2.77' }
  for (let count = 0; count < rateLimits.registrationMail.limit; count += 1) {
    const from = { ...request, address: `192.0.2.${count}` }
    assert.equal(await isMailAllowed(ports, email.toLowerCase(), from), true)
  }
  assert.equal(await isMailAllowed(ports, email, request), false)
  assert.deepEqual(await namesOf(subject), ['registration_mail'])
  await useUp(ports.limitsOfUser(subject, null).address_mail[0])
  assert.deepEqual(await namesOf(subject), ['address_mail', 'registration_mail'])
  assert.equal((await allowSignIn.call(ports, { sub: subject }, support)).kind, 'ok')
  assert.deepEqual(await namesOf(subject), [])
  assert.equal(await isMailAllowed(ports, email, request), true)
  await useUp(ports.limitsOfUser(subject, email).address_mail[1])
  assert.deepEqual(await namesOf(subject), ['address_mail'])
})

test('the limit of mails to an address of several accounts is listed with each of them, and lifted', async () => {
  const { ports } = opened
  const claims = { email: 'Shared.Limit@example.org', email_verified: true }
  const addUser = (name: string) => opened.addUser(name, { password: 'a quiet harbor at night', claims })
  const [{ subject }, { subject: other }] = [await addUser('one-of-two'), await addUser('two-of-two')]
  const typed = 'shared.limit@example.org'
  const asked = { typed, pending: null, back: null, locale: 'en', browser: null }
  for (let count = 0; count < rateLimits.recoveryAccount.limit; count += 1)
    await requestRecovery(ports, asked, { ...context, address: `192.0.2.${count}` })
  await opened.settle()
  for (const each of [subject, other]) assert.deepEqual(await namesOf(each), ['recovery_mail'])
  assert.equal((await allowSignIn.call(ports, { sub: subject }, support)).kind, 'ok')
  for (const each of [subject, other]) assert.deepEqual(await namesOf(each), [])
})

test('the limits of a user whom a custom user service has are lifted, too', async () => {
  const { ports } = opened
  const subject = subjectIdSchema.parse('elsewhere')
  await useUp(ports.limitsOfUser(subject, null).second_factor[0])
  assert.deepEqual(await namesOf(subject), ['second_factor'])
  assert.equal((await allowSignIn.call(ports, { sub: subject }, support)).kind, 'ok')
  assert.deepEqual(await namesOf(subject), [])
})

test('a limit that has ended is not listed', async () => {
  const subject = subjectIdSchema.parse('waited')
  await useUp(opened.ports.limitsOfUser(subject, null).recovery_mail[0])
  opened.advance(rateLimits.recoveryAccount.windowSeconds + 1)
  assert.deepEqual(await namesOf(subject), [])
})

test('the mails to a user are listed with the change that they are about, newest first, and without bodies', async () => {
  const { ports } = opened
  const caller = { ...support, actor: { ...support.actor, authenticatedAt: null } }
  const { subject } = await opened.addUser('mailed-user', {
    claims: { email: 'mailed@example.org', email_verified: true },
  })
  for (const change of ['passkey_added', 'password_changed'] as const) {
    const deliveries = await ports.securityNotice(subject, change)
    await ports.adminStore.commit(
      { writes: [{ kind: 'deliver', deliveries }], audit: [sampleAuditEntry()] },
      ports.clock.now(),
    )
    opened.advance(1)
  }
  const read = await listUserMails.call(ports, { sub: subject }, caller)
  assert.ok(read.kind === 'ok')
  assert.equal(read.value.address, 'mailed@example.org')
  assert.deepEqual(
    read.value.deliveries.map(({ content, detail, state }) => [content, detail, state]),
    [
      ['security_change', 'password_changed', 'waiting'],
      ['security_change', 'passkey_added', 'waiting'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(read.value), /sealed|body/i)
  const { subject: silent } = await opened.addUser('without-address')
  const none = await listUserMails.call(ports, { sub: silent }, caller)
  assert.deepEqual(none, { kind: 'ok', value: { address: null, deliveries: [] } })
})

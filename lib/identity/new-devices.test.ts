/** Tests when users are informed by mail of a sign-in from a new browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rateLimits } from '#lib/config/limits.ts'
import { context, withPolicies } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { noteDevice } from './new-devices.ts'
import { openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
let users = 0
before(async () => {
  setup = await openTestSignIn({ mail: { kind: 'folder', folder: 'none' } })
})
after(() => setup.close())

type Visit = { readonly hadSession?: boolean; readonly knownBrowser?: string | null; readonly ports?: Ports }

/** Completes a sign-in, and returns the new cookie of the browser. */
async function arrive(subject: SubjectId, visit: Visit = {}): Promise<string> {
  const { hadSession = false, knownBrowser = null, ports = setup.ports } = visit
  const mark = noteDevice(ports)({ begun: { subject, hadSession }, knownBrowser, marked: null }, context)
  await setup.settle()
  return mark
}

/** A user who has signed in before, in a browser with this cookie. */
async function newUser() {
  users += 1
  const email = `user-${users}@example.org`
  const { subject } = await setup.addUser(`user-${users}`, { claims: { email, email_verified: true } })
  const first = await arrive(subject)
  const mails = async () =>
    (await setup.storage.outbox.newest(100)).filter(({ target }) => target === email).length
  return { subject, first, mails }
}

test('AU-16 no mail is sent about the first browser of a user, and one about each further one', async () => {
  const { subject, mails } = await newUser()
  assert.equal(await mails(), 0)
  const second = await arrive(subject)
  assert.equal(await mails(), 1)
  await arrive(subject, { knownBrowser: second })
  assert.equal(await mails(), 1)
  await arrive(subject)
  assert.equal(await mails(), 2)
})

test('AU-16 a browser with a session of the user is known, and a mark of another user does not count', async () => {
  const { subject, first, mails } = await newUser()
  await arrive(subject, { hadSession: true })
  assert.equal(await mails(), 0)
  const stranger = await newUser()
  await arrive(subject, { knownBrowser: stranger.first })
  assert.equal(await mails(), 1)
  await arrive(subject, { knownBrowser: first })
  assert.equal(await mails(), 1)
})

test('AU-16 a forged or outdated mark does not count', async () => {
  const { subject, first, mails } = await newUser()
  await arrive(subject, { knownBrowser: `${first.slice(0, -4)}AAAA` })
  assert.equal(await mails(), 1)
  setup.advance(31_536_001)
  await arrive(subject, { knownBrowser: first })
  assert.equal(await mails(), 2)
})

test('AU-16 one browser is known to all of its users', async () => {
  const [one, two] = [await newUser(), await newUser()]
  const shared = await arrive(one.subject, { knownBrowser: two.first })
  assert.deepEqual([await one.mails(), await two.mails()], [1, 0])
  await arrive(two.subject, { knownBrowser: shared })
  await arrive(one.subject, { knownBrowser: shared })
  assert.deepEqual([await one.mails(), await two.mails()], [1, 0])
})

test('AU-16 the policy turns the mails off, and without mail nothing is stored', async () => {
  const { subject, mails } = await newUser()
  await arrive(subject, {
    ports: { ...setup.ports, policies: withPolicies({ mail_about_new_devices: false }) },
  })
  await arrive(subject, { ports: { ...setup.ports, mail: { kind: 'off' } } })
  assert.equal(await mails(), 0)
})

test('AU-16 the number of mails in an hour is limited', async () => {
  const { subject, mails } = await newUser()
  const { limit, windowSeconds } = rateLimits.newDevices
  for (let visit = 0; visit < limit + 3; visit++) await arrive(subject)
  // The first browser, about which no mail is sent, counts as well
  assert.equal(await mails(), limit - 1)
  setup.advance(windowSeconds + 1)
  await arrive(subject)
  assert.equal(await mails(), limit)
})

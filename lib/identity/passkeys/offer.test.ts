import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { passkeys as limits } from '#lib/config/limits.ts'
import { context, withPolicies } from '#lib/core/testing/ports.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { signIn } from '../sign-in.ts'
import { alicePassword, form, openTestSignIn, pendingRequest, type TestSignIn } from '../testing/sign-in.ts'
import { beginOffer, refuseOffers } from './offer.ts'
import { addPasskey } from './testing/passkeys.ts'

let setup: TestSignIn
let username: string
let subject: SubjectId
let users = 0

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())
beforeEach(async () => {
  users += 1
  username = `user-${users}`
  ;({ subject } = await setup.addUser(username, { password: alicePassword }))
})

async function isOffered(changes: Parameters<typeof form>[0] = {}, ports = setup.ports): Promise<boolean> {
  const outcome = await signIn(ports, form({ username, canCreatePasskeys: true, ...changes }), context)
  assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
  return outcome.offersPasskey === true
}

test('a passkey is offered after a sign-in with a password, and again after a month', async () => {
  assert.equal(await isOffered(), true)
  assert.equal(await isOffered(), false)
  setup.advance(limits.offerSeconds - 1)
  assert.equal(await isOffered(), false)
  setup.advance(1)
  assert.equal(await isOffered(), true)
})

test('a user who refused is never offered a passkey again', async () => {
  await refuseOffers(setup.ports, subject)
  setup.advance(10 * limits.offerSeconds)
  assert.equal(await isOffered(), false)
})

test('a user with a passkey is offered none', async () => {
  await addPasskey(setup.ports, { subject, browser: setup.browser })
  assert.equal(await isOffered(), false)
})

test('no passkey is offered where the browser, the address or the settings allow none', async () => {
  assert.equal(await isOffered({ canCreatePasskeys: false }), false)
  const { settings } = setup.ports
  const off = { kind: 'off', why: 'not_https' } as const
  for (const changes of [
    { settings: { ...settings, relyingParty: off } },
    { policies: withPolicies({ offer_passkeys: false }) },
  ]) {
    assert.equal(await isOffered({}, { ...setup.ports, ...changes }), false, JSON.stringify(changes))
  }
})

test('no passkey is offered after a sign-in whose age the app limits', async () => {
  const client = await setup.addClient()
  assert.equal(await isOffered(await pendingRequest(setup, client, { max_age: '60' })), false)
  assert.equal(await isOffered(await pendingRequest(setup, client)), true)
})

test('an offer that two sign-ins begin one after the other is made once', async () => {
  assert.equal(await beginOffer(setup.ports, subject), true)
  assert.equal(await beginOffer(setup.ports, subject), false)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { networkFactors, rateLimits } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { signIn } from './sign-in.ts'
import {
  alicePassword,
  form,
  instantUserService,
  openTestSignIn,
  type TestSignIn,
} from './testing/sign-in.ts'

let setup: TestSignIn
before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

let hosts = 0
/** Returns a context with a new network address, so that failures of other tests do not count. */
function fromNewAddress(): RequestContext {
  hosts += 1
  return { ...context, address: `198.51.100.${hosts}` }
}

async function signedIn(changes: Parameters<typeof form>[0] = {}, from = fromNewAddress()) {
  const outcome = await signIn(setup.ports, form(changes), from)
  assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
  return outcome
}

test('AU-05 an unknown user name is limited exactly like a known one', async () => {
  for (const username of ['known-later', 'alice']) {
    const from = fromNewAddress()
    const guess = () => signIn(setup.ports, form({ username, password: 'wrong' }), from)
    for (let attempts = 0; attempts < rateLimits.accountAndAddress.limit; attempts += 1) await guess()
    const outcome = await guess()
    assert.deepEqual(outcome, { kind: 'refused', why: 'limited', message: null, retryAfterSeconds: 300 })
  }
  setup.advance(3600)
})

test('AU-07 every spelling of a name shares one counter, and the limit also applies to the right password', async () => {
  const from = fromNewAddress()
  for (const username of ['alice', 'ALICE', ' Alice', 'ａlice', 'alicE']) {
    await signIn(setup.ports, form({ username, password: 'wrong' }), from)
  }
  const outcome = await signIn(setup.ports, form(), from)
  assert.equal(outcome.kind === 'refused' && outcome.why, 'limited')
  setup.advance(rateLimits.accountAndAddress.windowSeconds)
  await signedIn({}, from)
  setup.advance(3600)
})

test('AU-07 failed attempts by user name and by email address share one limit', async () => {
  const claims = { email: 'hal@example.org', email_verified: true }
  await setup.addUser('hal', { password: alicePassword, claims })
  const from = fromNewAddress()
  for (let failures = 0; failures < rateLimits.accountAndAddress.limit; failures += 1)
    await signIn(
      setup.ports,
      form({ username: failures % 2 === 0 ? 'hal' : 'HAL@example.org', password: 'x' }),
      from,
    )
  const outcome = await signIn(setup.ports, form({ username: 'hal@example.org' }), from)
  assert.equal(outcome.kind === 'refused' && outcome.why, 'limited')
})

test('AU-07 successful attempts are not counted', async () => {
  const from = fromNewAddress()
  for (let attempts = 0; attempts < 2 * rateLimits.account.limit; attempts += 1) await signedIn({}, from)
})

test('AU-07 two hundred concurrent right passwords of one account are all accepted', async () => {
  const from = fromNewAddress()
  await Promise.all(Array.from({ length: 200 }, () => signedIn({}, from)))
})

test('AU-07 right passwords are not refused for being parallel, even with one failure left', async () => {
  await setup.addUser('pipeline', { password: alicePassword })
  const from = fromNewAddress()
  for (let failures = 1; failures < rateLimits.accountAndAddress.limit; failures += 1)
    await signIn(setup.ports, form({ username: 'pipeline', password: 'wrong' }), from)
  await Promise.all(Array.from({ length: 12 }, () => signedIn({ username: 'pipeline' }, from)))
  await Promise.all(Array.from({ length: 12 }, () => signedIn({ username: 'pipeline' })))
})

/** Guesses from all these addresses in turn. Returns the number of attempts that were checked. */
async function guessFrom(places: readonly RequestContext[], attempts: number): Promise<number> {
  let checked = 0
  for (let count = 0; count < attempts; count += 1) {
    const from = places[count % places.length] ?? context
    const outcome = await signIn(setup.ports, form({ password: `guess ${count}` }), from)
    if (outcome.kind === 'refused' && outcome.why === 'credentials') checked += 1
  }
  return checked
}

test('AU-08 500 failures from ten addresses lock the user out neither elsewhere nor in a known browser', async () => {
  const { knownBrowser } = await signedIn()
  const addresses = Array.from({ length: 10 }, fromNewAddress)
  assert.equal(await guessFrom(addresses, 500), rateLimits.account.limit + addresses.length)
  await signedIn()
  await signedIn({ knownBrowser }, addresses[0])
  const there = await signIn(setup.ports, form(), addresses[0] ?? context)
  assert.equal(there.kind === 'refused' && there.why, 'limited')
  setup.advance(rateLimits.account.windowSeconds)
})

test('AU-08 500 failures from 50 addresses do not lock the user out in a known browser, and few are checked', async () => {
  const { knownBrowser } = await signedIn()
  const { account, accountSpare } = rateLimits
  const botnet = Array.from({ length: 50 }, fromNewAddress)
  assert.equal(await guessFrom(botnet, 500), account.limit + accountSpare.limit)
  const elsewhere = await signIn(setup.ports, form(), fromNewAddress())
  assert.equal(elsewhere.kind === 'refused' && elsewhere.why, 'limited', 'an unknown browser has to wait')
  await signedIn({ knownBrowser }, botnet[0])
  setup.advance(rateLimits.account.windowSeconds)
  await signedIn()
})

test('AU-08 failures from new /64 networks of one /48 are limited together, and do not lock the user out elsewhere', async () => {
  const inSite = (network: number) => ({ ...context, address: `2001:db8:5:${network.toString(16)}::1` })
  const most = rateLimits.address.limit * networkFactors[2]
  const guess = (number: number) =>
    signIn(setup.ports, form({ username: `invented-${number}`, password: 'x' }), inSite(number * 150))
  const outcomes = []
  for (let number = 0; number < most + 10; number += 1) outcomes.push(await guess(number))
  const checked = outcomes.filter(outcome => outcome.kind === 'refused' && outcome.why === 'credentials')
  assert.equal(checked.length, most)
  await signedIn({}, { ...context, address: '2001:db8:6::1' })
  setup.advance(3600)
})

test('AU-08 a known browser has a separate limit', async () => {
  const { knownBrowser } = await signedIn()
  const guess = () => signIn(setup.ports, form({ knownBrowser, password: 'wrong' }), fromNewAddress())
  for (let attempts = 0; attempts < rateLimits.knownBrowser.limit; attempts += 1) {
    const outcome = await guess()
    assert.equal(outcome.kind === 'refused' && outcome.why, 'credentials')
  }
  const outcome = await guess()
  assert.equal(outcome.kind === 'refused' && outcome.why, 'limited')
  await signedIn()
})

test('AU-07 all known browsers of one account share a limit', async () => {
  await setup.addUser('dora', { password: alicePassword })
  const marks: (string | null)[] = []
  for (let count = 0; count < 5; count += 1) marks.push((await signedIn({ username: 'dora' })).knownBrowser)
  let tried = 0
  for (const knownBrowser of marks) {
    for (let attempts = 0; attempts < rateLimits.knownBrowser.limit; attempts += 1) {
      const outcome = await signIn(
        setup.ports,
        form({ username: 'dora', knownBrowser, password: 'wrong' }),
        fromNewAddress(),
      )
      if (outcome.kind === 'refused' && outcome.why === 'credentials') tried += 1
    }
  }
  assert.equal(tried, rateLimits.knownBrowsers.limit)
})

test('AU-07 a password change makes every known browser unknown', async () => {
  await setup.addUser('erin', { password: alicePassword })
  const { knownBrowser } = await signedIn({ username: 'erin' })
  const from = fromNewAddress()
  const guess = (mark: string | null) =>
    signIn(setup.ports, form({ username: 'erin', knownBrowser: mark, password: alicePassword }), from)
  await setup.addUser('erin', { password: 'another horse battery staple' })
  for (let attempts = 0; attempts < rateLimits.accountAndAddress.limit; attempts += 1)
    await guess(knownBrowser)
  for (const mark of [knownBrowser, null]) {
    const outcome = await guess(mark)
    assert.equal(outcome.kind === 'refused' && outcome.why, 'limited')
  }
})

test('AU-08 failures from the same address do not lock the user out in a known browser', async () => {
  const from = fromNewAddress()
  const { knownBrowser } = await signedIn({}, from)
  for (let attempts = 0; attempts <= rateLimits.address.limit; attempts += 1)
    await signIn(setup.ports, form({ username: `unknown-${attempts}`, password: 'wrong' }), from)
  const unknown = await signIn(setup.ports, form(), from)
  assert.equal(unknown.kind === 'refused' && unknown.why, 'limited')
  await signedIn({ knownBrowser }, from)
  setup.advance(3600)
})

test('AU-08 a user service without `passwordStamp` keeps its known browsers', async () => {
  const { passwordStamp: _stamp, ...userService } = setup.ports.userService
  const ports = { ...setup.ports, userService }
  const known = await signIn(ports, form(), fromNewAddress())
  assert.ok(known.kind === 'signed_in')
  const from = fromNewAddress()
  for (let attempts = 0; attempts < rateLimits.accountAndAddress.limit; attempts += 1)
    await signIn(ports, form({ password: 'wrong' }), from)
  assert.equal((await signIn(ports, form({ knownBrowser: known.knownBrowser }), from)).kind, 'signed_in')
  setup.advance(3600)
})

test('AU-08 a browser known to one account is unknown to another, and a forged mark is ignored', async () => {
  await setup.addUser('mallory', { password: alicePassword })
  const { knownBrowser } = await signedIn({ username: 'mallory' })
  for (const mark of [knownBrowser, 'forged', '', `${knownBrowser}x`]) {
    const from = fromNewAddress()
    const guess = () => signIn(setup.ports, form({ knownBrowser: mark, password: 'wrong' }), from)
    for (let attempts = 0; attempts < rateLimits.accountAndAddress.limit; attempts += 1) await guess()
    const outcome = await guess()
    assert.equal(outcome.kind === 'refused' && outcome.why, 'limited')
    setup.advance(3600)
  }
})

test('AU-09 of 1,000 concurrent guesses no more than the limit are checked', async () => {
  let tried = 0
  const userService = instantUserService(async () => {
    tried += 1
    return { kind: 'refused', message: null }
  })
  const ports = { ...setup.ports, userService }
  const from = fromNewAddress()
  const guesses = Array.from({ length: 1000 }, (_, number) =>
    signIn(ports, form({ username: 'target', password: `guess ${number}` }), from),
  )
  const outcomes = await Promise.all(guesses)
  assert.ok(tried <= rateLimits.accountAndAddress.limit, `${tried} guesses were tried`)
  assert.equal(
    outcomes.filter(outcome => outcome.kind === 'refused' && outcome.why === 'limited').length,
    1000 - tried,
  )
})

test('an attempt that did not reach the password check is not counted', async () => {
  const userService = instantUserService(async () => {
    throw new OauthError('password_queue_full')
  })
  const from = fromNewAddress()
  for (let attempts = 0; attempts < 2 * rateLimits.account.limit; attempts += 1) {
    await assert.rejects(signIn({ ...setup.ports, userService }, form(), from), /password_queue_full/)
  }
  await signedIn({}, from)
})

test('LG no event contains a password or a typed name', () => {
  const written = JSON.stringify(setup.events)
  assert.ok(setup.events.some(event => event.name === 'sign_in_failed'))
  for (const secret of [alicePassword, 'guess 1', 'unknown-1']) assert.ok(!written.includes(secret))
})

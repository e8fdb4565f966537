/** Tests after which sign-ins users without a verified address are offered to add one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { emailOfferSeconds } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { enrollApp } from '../enrollment/enroll-app.ts'
import { finishExternalSignIn } from '../finish-external-sign-in.ts'
import { chooseNewPassword } from '../new-password.ts'
import { signInOptions, signInWithPasskey } from '../passkeys/sign-in.ts'
import { addPasskey } from '../passkeys/testing/passkeys.ts'
import { newTotpSecret } from '../second-factor/totp.ts'
import { signIn } from '../sign-in.ts'
import { addTwoStepUser } from '../testing/second-factor.ts'
import { alicePassword, form, openTestSignIn, pendingRequest, type TestSignIn } from '../testing/sign-in.ts'

const password = alicePassword
const mail = { kind: 'smtp', host: 'mail.example', port: 587, from: 'id@mail.example' } as const
let setup: TestSignIn
let users = 0

before(async () => {
  setup = await openTestSignIn({ mail })
})
after(() => setup.close())

async function newUser(claims: Claims = {}) {
  users += 1
  const username = `user-${users}`
  const { subject } = await setup.addUser(username, { password, claims })
  return { username, subject }
}

const browserCookies = { previous: [], knownBrowser: null }
const enter = (username: string, { ports } = setup, changes: Parameters<typeof form>[0] = {}) =>
  signIn(ports, form({ username, password, ...changes }), context)

type Outcome = { readonly kind: string; readonly offersEmail?: boolean }

/** Whether the user is signed in, and the offer follows. */
function isOffered(outcome: Outcome): boolean {
  assert.equal(outcome.kind, 'signed_in', JSON.stringify(outcome))
  return outcome.offersEmail === true
}

test('follows a sign-in of a user without a verified address, at most once a month', async () => {
  const unverified: readonly Claims[] = [{}, { email: 'unsure@example.org', email_verified: false }]
  for (const claims of unverified) {
    const { username } = await newUser(claims)
    assert.equal(isOffered(await enter(username)), true)
    assert.equal(isOffered(await enter(username)), false)
    setup.advance(emailOfferSeconds - 1)
    assert.equal(isOffered(await enter(username)), false)
    setup.advance(1)
    assert.equal(isOffered(await enter(username)), true)
  }
})

test('does not follow if the address is verified, no mail is sent, or the user confirms the identity', async () => {
  const { username } = await newUser({ email: 'sure@example.org', email_verified: true })
  assert.equal(isOffered(await enter(username)), false)
  const { username: without, subject } = await newUser()
  const others: readonly Ports['mail'][] = [{ kind: 'off' }, { kind: 'folder', folder: '/mails' }]
  for (const other of others) {
    const elsewhere = { ...setup, ports: { ...setup.ports, mail: other } }
    assert.equal(isOffered(await enter(without, elsewhere)), false)
  }
  const managed = { ...setup, ports: { ...setup.ports, managedUsers: { has: async () => true } } }
  assert.equal(isOffered(await enter(without, managed)), false, 'a user of the configuration file')
  assert.equal(isOffered(await enter(without, setup, { confirms: subject })), false)
  assert.equal(isOffered(await enter(without)), true)
})

test('does not follow if the app limits the age of the sign-in, which the time at the page would exceed', async () => {
  const { username } = await newUser()
  const client = await setup.addClient()
  const limited = await pendingRequest(setup, client, { max_age: '600' })
  assert.equal(isOffered(await enter(username, setup, limited)), false)
  const unlimited = await pendingRequest(setup, client)
  assert.equal(isOffered(await enter(username, setup, unlimited)), true)
})

test('follows a code of an authenticator app', async () => {
  const user = await addTwoStepUser(setup, 'two-step')
  assert.equal(isOffered(await user.prove(await user.interrupt())), true)
})

test('does not follow in a trusted browser, in which the sign-in is not fresh, and is still made at the next code', async () => {
  const user = await addTwoStepUser(setup, 'trusting')
  const silent: Ports = { ...setup.ports, mail: { kind: 'off' } }
  const proven = await user.prove(await user.interrupt({}, silent), { isToTrust: true }, silent)
  assert.ok(proven.kind === 'signed_in')
  const trustedBrowsers = proven.trustedBrowsers ?? assert.fail()
  assert.equal(isOffered(await user.enter({ trustedBrowsers })), false)
  setup.advance(60)
  assert.equal(isOffered(await user.prove(await user.interrupt())), true)
})

test('does not come between a new authenticator app and the page of its recovery codes', async () => {
  const { username } = await newUser()
  const { ports, browser } = setup
  const client = await setup.addClient({ require_acr: 'urn:latchkey:mfa' })
  const interrupted = await enter(username, setup, await pendingRequest(setup, client))
  assert.ok(interrupted.kind === 'partial')
  const secret = newTotpSecret()
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = totp.generate({ timestamp: ports.clock.now().getTime() })
  const sent = { partial: interrupted.partial, browser, secret, code, trustedBrowsers: [], ...browserCookies }
  const enrolled = await enrollApp(ports, sent, context)
  assert.ok(enrolled.kind === 'enrolled')
  assert.equal(isOffered(enrolled.outcome), false)
})

test('follows the first sign-in with a temporary password', async () => {
  await setup.addUser('newcomer', { password, mustChangePassword: true, claims: {} })
  const { browser, ports } = setup
  const interrupted = await enter('newcomer', setup, { browser })
  assert.ok(interrupted.kind === 'partial')
  const chosen = 'seven gray herons at noon'
  const entered = { partial: interrupted.partial, browser, password: chosen, again: chosen }
  assert.equal(isOffered(await chooseNewPassword(ports, { ...entered, ...browserCookies }, context)), true)
})

test('follows a sign-in with a passkey', async () => {
  const { subject } = await newUser()
  const { ports, browser } = setup
  const { authenticator } = await addPasskey(ports, { subject, browser })
  const { ceremony, options } = signInOptions(ports, browser) ?? assert.fail()
  const sent = { ceremony, response: authenticator.get(options, {}), remember: false, pending: null, browser }
  assert.equal(isOffered(await signInWithPasskey(ports, { ...sent, ...browserCookies }, context)), true)
})

test('follows a sign-in at an identity provider that gave no verified address', async () => {
  await setup.addProvider('upstream', { issuer: 'https://upstream.example' })
  const { ports, browser } = setup
  const enterBy = (subject: string, claims: Claims) => {
    const identity = {
      ...{ scheme: providerSchemeSchema.parse('upstream'), issuer: 'https://upstream.example', subject },
      ...{ scopes: ['openid'], authenticatedAt: null, claims },
    }
    const times = { authenticatedAt: ports.clock.now(), provenAt: null }
    const redeemed = { identity, idToken: null, credential: { kind: 'provider' }, ...times } as const
    const place = { pending: null, browser, interaction: null, previous: [], trustedBrowsers: [] }
    return finishExternalSignIn(ports, redeemed, { ...place, confirms: null }, context)
  }
  assert.equal(isOffered(await enterBy('without', { name: 'Una' })), true)
  assert.equal(isOffered(await enterBy('with', { email: 'una@example.org', email_verified: true })), false)
})

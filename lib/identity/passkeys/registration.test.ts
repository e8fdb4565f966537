import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { passkeys as limits } from '#lib/config/limits.ts'
import { context, issuer } from '#lib/core/testing/ports.ts'
import { openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { beginCeremony } from './ceremony.ts'
import { finishRegistration, type NewPasskeyInput } from './registration.ts'
import { type Changes, createAuthenticator } from './testing/authenticator.ts'
import { addPasskey, newPasskeyOptions } from './testing/passkeys.ts'
import { userHandleOf } from './user-handle.ts'

let setup: TestSignIn

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

let users = 0
async function newOwner() {
  users += 1
  const { subject } = await setup.addUser(`owner-${users}`)
  return { subject, browser: setup.browser }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

/** Makes the form about a new passkey of this owner. */
async function newForm(owner: Owner, changes: Changes = {}): Promise<NewPasskeyInput> {
  const { ceremony, options } = await newPasskeyOptions(setup.ports, owner)
  const response = createAuthenticator({ origin: issuer }).create(options, changes)
  return { ...owner, idp: 'latchkey', within: undefined, nameOf: () => 'Test key', ceremony, response }
}

async function reasonOf(form: NewPasskeyInput) {
  const registered = await finishRegistration(setup.ports, form, context)
  assert.ok(registered.kind === 'refused')
  const event = setup.events.at(-1)
  assert.deepEqual(
    [event?.name, event?.outcome, event?.reason, event?.subject],
    ['passkey_added', 'failure', registered.reason, form.subject],
  )
  return registered.reason
}

test('MF-05 stores a new passkey with its key, counter, transports and backup flags', async () => {
  const owner = await newOwner()
  const authenticator = createAuthenticator({ origin: issuer, isSynchronized: true })
  const { passkey } = await addPasskey(setup.ports, owner, authenticator)
  const stored = await setup.ports.passkeys.find(passkey.id)
  assert.deepEqual(stored, passkey)
  const { id: _, publicKey, ...facts } = passkey
  assert.ok(publicKey.length > 80)
  assert.deepEqual(facts, {
    subject: owner.subject,
    idp: 'latchkey',
    name: 'Test key',
    signatureCounter: 1,
    transports: ['internal'],
    isBackedUp: true,
    canBeBackedUp: true,
    isDiscoverable: true,
    aaguid: '00000000-0000-0000-0000-000000000000',
    createdAt: setup.ports.clock.now(),
    lastUsedAt: null,
  })
  const event = setup.events.at(-1)
  assert.deepEqual([event?.name, event?.outcome, event?.subject], ['passkey_added', 'success', owner.subject])
})

test('the options exclude the passkeys of the user, and the user handle does not name the user', async () => {
  const owner = await newOwner()
  const { passkey } = await addPasskey(setup.ports, owner)
  const { options } = await newPasskeyOptions(setup.ports, owner)
  assert.deepEqual(options.excludeCredentials, [
    { type: 'public-key', id: passkey.id, transports: ['internal'] },
  ])
  assert.equal(options.user.id, userHandleOf(setup.ports.hashing, owner.subject))
  assert.equal(Buffer.from(options.user.id, 'base64url').length, 32)
  assert.ok(!Buffer.from(options.user.id, 'base64url').toString('latin1').includes(owner.subject))
  assert.deepEqual([options.rp, options.attestation], [{ id: 'id.example', name: 'Test' }, 'none'])
  assert.ok(Buffer.from(options.challenge, 'base64url').length >= 16)
})

test('an authenticator without verification of the user can be added, as a second factor', async () => {
  const form = await newForm(await newOwner(), { isUserVerified: false })
  assert.equal((await finishRegistration(setup.ports, form, context)).kind, 'added')
})

test('an attestation statement, which this server does not ask for, is not evaluated', async () => {
  const attestation = { fmt: 'android-key', attStmt: { alg: -7, sig: Buffer.from('no signature') } }
  const form = await newForm(await newOwner(), { attestation })
  assert.equal((await finishRegistration(setup.ports, form, context)).kind, 'added')
})

test('MF-05 refuses an attestation object that cannot be read', async () => {
  const form = await newForm(await newOwner())
  const { response, ...credential } = JSON.parse(form.response)
  const nested = Buffer.alloc(20_000, 0x81).toString('base64url')
  for (const attestationObject of ['AAAA', 'oA', nested]) {
    const sent = { ...credential, response: { ...response, attestationObject } }
    const again = { ...(await newForm(await newOwner())), response: JSON.stringify(sent) }
    assert.equal(await reasonOf(again), 'passkey_not_verified')
  }
})

const wrongResponses: readonly (readonly [string, Changes])[] = [
  ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ['another origin', { origin: 'https://id.example.evil' }],
  ['another RP ID', { rpId: 'example' }],
  ['the type of a sign-in', { type: 'webauthn.get' }],
  ['a page framed by another origin', { crossOrigin: true }],
  ['another ID than the signed one', { credentialId: 'AAAA' }],
]

for (const [name, changes] of wrongResponses) {
  test(`MF-05 refuses a new passkey with ${name}`, async () => {
    const owner = await newOwner()
    assert.equal(await reasonOf(await newForm(owner, changes)), 'passkey_not_verified')
    assert.deepEqual(await setup.ports.passkeys.allOf(owner.subject), [])
  })
}

test('MF-05 refuses the challenge of another user, another browser, another purpose, and a used one', async () => {
  const { ports, browser } = setup
  const [owner, other] = [await newOwner(), await newOwner()]
  const form = await newForm(owner)
  assert.equal(await reasonOf({ ...form, subject: other.subject }), 'passkey_challenge_unknown')
  const otherBrowser = ports.random.handle('browser')
  assert.equal(await reasonOf({ ...form, browser: otherBrowser }), 'passkey_challenge_unknown')
  const signIn = { purpose: 'sign_in', browser, subject: owner.subject, partial: null } as const
  const { sealed } = beginCeremony(ports, signIn)
  assert.equal(await reasonOf({ ...form, ceremony: sealed }), 'passkey_challenge_unknown')
  assert.equal((await finishRegistration(ports, form, context)).kind, 'added')
  assert.equal(await reasonOf(form), 'passkey_challenge_used')
})

test('MF-05 refuses a challenge after five minutes, and a response that cannot be read', async () => {
  const owner = await newOwner()
  const late = await newForm(owner)
  setup.advance(limits.ceremonySeconds)
  assert.equal(await reasonOf(late), 'passkey_challenge_expired')
  assert.equal(await reasonOf({ ...(await newForm(owner)), response: '{}' }), 'passkey_unreadable')
})

test('MF-05 refuses a passkey that exists, also for another user, and more than the maximum', async () => {
  const [owner, other] = [await newOwner(), await newOwner()]
  const begun = await newPasskeyOptions(setup.ports, owner)
  const authenticator = createAuthenticator({ origin: issuer })
  const repeated = JSON.parse(authenticator.create(begun.options))
  const form = {
    idp: 'latchkey',
    within: undefined,
    nameOf: () => 'Test key',
    response: JSON.stringify(repeated),
  }
  const first = { ...form, ...owner, ceremony: begun.ceremony }
  assert.equal((await finishRegistration(setup.ports, first, context)).kind, 'added')
  const second = await newPasskeyOptions(setup.ports, other)
  const copied = authenticator.repeat(second.options)
  assert.equal(
    await reasonOf({ ...form, ...other, ceremony: second.ceremony, response: copied }),
    'passkey_exists',
  )
  for (let count = 1; count < limits.most; count += 1) await addPasskey(setup.ports, owner)
  assert.equal(await reasonOf(await newForm(owner)), 'too_many_passkeys')
})

test('AU-16 a verified address gets a mail about a new passkey, and a refused one causes none', async () => {
  const claims = { email: 'owner@example.org', email_verified: true }
  const { subject } = await setup.addUser('owner-with-mail', { claims })
  const owner = { subject, browser: setup.browser }
  await reasonOf(await newForm(owner, { origin: 'https://evil.example' }))
  const mails = async () => (await setup.storage.outbox.newest(100)).map(({ target }) => target)
  assert.deepEqual(await mails(), [])
  await addPasskey(setup.ports, owner)
  assert.deepEqual(await mails(), ['owner@example.org'])
})

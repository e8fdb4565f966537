import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { context } from '#lib/core/testing/ports.ts'
import { masterKeysFor } from '#lib/crypto/testing/master-keys.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { runCommand } from '#lib/server/cli/command.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Actor, Caller } from '../use-case.ts'
import { readFactors, resetFactors } from './factors.ts'

let opened: AdminTestPorts
let support: Caller
before(async () => {
  opened = await openAdminTestPorts()
  support = await opened.caller('user_support')
})
after(() => opened.close())

let count = 0
const digest = () => opened.ports.hashing.digest(opened.ports.random.handle('session'))

/** Stores an authenticator app with two recovery codes, a trusted browser, a passkey, a session and an interrupted sign-in. */
async function withFactors(given = `user-${count++}`) {
  const { ports, storage } = opened
  const subject = subjectIdSchema.parse(given)
  const now = ports.clock.now()
  const app = { subject, sealedSecret: 'sealed-secret', lastStep: 1, createdAt: now, lastUsedAt: null }
  await storage.secondFactors.setApp(app, { replaces: null, codes: [digest(), digest()], notices: [] })
  await storage.trustedBrowsers.add(
    {
      ...{
        digest: digest(),
        id: ports.random.id(),
        subject,
        userAgent: 'Mozilla/5.0 Firefox/140',
        address: null,
      },
      ...{ createdAt: now, lastUsedAt: now, expiresAt: secondsAfter(now, 3600) },
    },
    [],
    app,
  )
  const passkey = {
    ...{ id: digest(), subject, idp: localProvider, publicKey: 'public-key', signatureCounter: 0 },
    ...{ transports: [], isBackedUp: true, canBeBackedUp: true, isDiscoverable: true, name: 'Phone' },
    ...{ aaguid: '00000000-0000-0000-0000-000000000000', createdAt: now, lastUsedAt: null },
  }
  assert.equal(await storage.passkeys.add(passkey, { most: 10, notices: [] }), 'added')
  const session = await opened.openSession(subject)
  const partial = { digest: digest(), browser: digest() }
  await storage.partialSignIns.create({
    ...{ ...partial, subject, idp: localProvider, sealedPending: null, sealedDetails: 'sealed' },
    ...{ remember: false, expiresAt: secondsAfter(now, 600) },
  })
  const isSignedIn = async () => (await storage.sessions.find(session.digest, ports.clock.now())) !== null
  const isInterrupted = async () =>
    (await storage.partialSignIns.find(partial.digest, partial.browser, ports.clock.now())) !== null
  return { subject, isSignedIn, isInterrupted }
}

/** Stores a user with a verified address and factors. */
async function userWithFactors() {
  const claims = { email: 'ada@example.org', email_verified: true }
  const { subject } = await opened.addUser(`ada-${count++}`, { claims, password: 'a long enough password' })
  return withFactors(subject)
}

async function factors(sub: string) {
  const read = await readFactors.call(opened.ports, { sub: subjectIdSchema.parse(sub) }, support)
  assert.ok(read.kind === 'ok', JSON.stringify(read))
  return read.value
}

async function countsOf(sub: string) {
  const {
    passkeys,
    authenticator_app: app,
    recovery_codes_left: codes,
    trusted_browsers,
  } = await factors(sub)
  return [app !== null, codes, trusted_browsers.length, passkeys.length]
}

const lastRow = async (targetId: string) => {
  const [row] = await opened.ports.adminStore.audit.list({ targetKind: 'user', targetId }, null, 1)
  return row ?? assert.fail('no audit row')
}

const mailsTo = async (address: string) =>
  (await opened.storage.outbox.newest(100)).filter(({ target }) => target === address)

test('MF-07 an admin sees which factors a user has, and nothing with which one can be used', async () => {
  const { subject } = await withFactors()
  const view = await factors(subject)
  assert.deepEqual(
    [
      view.passkeys.map(({ name, is_synchronized, idp }) => [name, is_synchronized, idp]),
      view.recovery_codes_left,
    ],
    [[['Phone', true, null]], 2],
  )
  assert.equal(view.trusted_browsers[0]?.user_agent, 'Mozilla/5.0 Firefox/140')
  assert.doesNotMatch(JSON.stringify(view), /sealed|public|digest|secret/)
})

test('an unknown subject without factors is not found', async () => {
  const sub = subjectIdSchema.parse('unknown')
  for (const useCase of [readFactors, resetFactors])
    assert.equal((await callUntyped(useCase, opened.ports, { sub }, support)).kind, 'not_found')
})

describe('MF-07 resetting factors', () => {
  test('MF-07 a reset removes the app, codes and trusted browsers, keeps passkeys, and signs the user out', async () => {
    const { subject, isSignedIn, isInterrupted } = await userWithFactors()
    const result = await callUntyped(resetFactors, opened.ports, { sub: subject }, support)
    assert.equal(result.kind, 'ok')
    assert.deepEqual(await countsOf(subject), [false, 0, 0, 1])
    assert.deepEqual([await isSignedIn(), await isInterrupted()], [false, false])
  })

  test('MF-07 a reset is recorded with numbers and without names, in one transaction with a mail to the user', async () => {
    const before = (await mailsTo('ada@example.org')).length
    const { subject } = await userWithFactors()
    await callUntyped(resetFactors, opened.ports, { sub: subject, passkeys: 'true' }, support)
    const row = await lastRow(subject)
    assert.deepEqual(
      [row.action, row.actor, row.before, row.after],
      [
        'users.reset_factors',
        support.actor.subject,
        { authenticator_app: true, recovery_codes: 2, trusted_browsers: 1, passkeys: 1 },
        { authenticator_app: false, recovery_codes: 0, trusted_browsers: 0, passkeys: 0, signed_out: true },
      ],
    )
    const mails = await mailsTo('ada@example.org')
    assert.deepEqual([mails.length, mails[0]?.content], [before + 1, 'security_change'])
    assert.equal(opened.events.at(-1)?.details?.action, 'users.reset_factors')
  })

  test('MF-07 a reset keeps the sessions if the admin chooses it, but ends interrupted sign-ins', async () => {
    const { subject, isSignedIn, isInterrupted } = await userWithFactors()
    const input = { sub: subject, sign_out: false, passkeys: true }
    assert.equal((await callUntyped(resetFactors, opened.ports, input, support)).kind, 'ok')
    assert.deepEqual(await countsOf(subject), [false, 0, 0, 0])
    assert.deepEqual([await isSignedIn(), await isInterrupted()], [true, false])
  })

  test('MF-07 a reset works for a subject that only a custom user service has', async () => {
    const { subject } = await withFactors('external|4711')
    const result = await callUntyped(resetFactors, opened.ports, { sub: subject, passkeys: true }, support)
    assert.equal(result.kind, 'ok')
    assert.equal((await readFactors.call(opened.ports, { sub: subject }, support)).kind, 'not_found')
  })

  test('MF-07 a reset sends no mail if no factor was removed', async () => {
    const { subject } = await userWithFactors()
    await callUntyped(resetFactors, opened.ports, { sub: subject }, support)
    const before = (await mailsTo('ada@example.org')).length
    await callUntyped(resetFactors, opened.ports, { sub: subject }, support)
    assert.equal((await mailsTo('ada@example.org')).length, before)
  })

  test('AD-03 MF-04 a reset is refused for other administrators, for oneself, and for roles without permission', async () => {
    const [owner, auditor] = [await opened.caller('owner'), await opened.caller('auditor')]
    const denied = [
      [support, auditor.actor.subject],
      [support, support.actor.subject],
      [owner, owner.actor.subject],
      [auditor, 'user-0'],
      [await opened.caller('client_manager'), 'user-0'],
    ] as const
    for (const [caller, sub] of denied)
      assert.equal((await callUntyped(resetFactors, opened.ports, { sub }, caller)).kind, 'denied', sub)
    await withFactors(auditor.actor.subject)
    const result = await callUntyped(resetFactors, opened.ports, { sub: auditor.actor.subject }, owner)
    assert.equal(result.kind, 'ok')
  })

  test('AD-04 a reset needs a fresh sign-in', async () => {
    const { subject } = await withFactors()
    const earlier: Actor = {
      ...support.actor,
      authenticatedAt: secondsAfter(opened.ports.clock.now(), -3600),
    }
    const result = await callUntyped(
      resetFactors,
      opened.ports,
      { sub: subject },
      { actor: earlier, context },
    )
    assert.equal(result.kind, 'fresh_sign_in_required')
    assert.deepEqual(await countsOf(subject), [true, 2, 1, 1])
  })
})

describe('MF-07 the reset on the command line', () => {
  const reset = (name: string, { passkeys = false, signOut = true } = {}) =>
    runCommand(
      { ...opened.ports, customGrants: [], masterKeys: masterKeysFor() },
      { kind: 'reset_factors', name, passkeys, signOut },
    )

  test('MF-07 the command removes the factors of an administrator as the operator, and says what it removed', async () => {
    const { subject, isSignedIn } = await userWithFactors()
    const { problem, report } = await reset(subject.toUpperCase())
    assert.equal(problem, null)
    assert.match(
      report ?? '',
      /the authenticator app, 2 recovery codes, and 1 trusted browser\. The user is signed out everywhere\. A mail informs the user\. Passkeys that are kept: 1; --passkeys removes them\./,
    )
    assert.deepEqual(await countsOf(subject), [false, 0, 0, 1])
    assert.equal(await isSignedIn(), false)
    const { actor, actorRole, requestId, action } = await lastRow(subject)
    assert.deepEqual(
      [actor, actorRole, requestId, action],
      [null, null, 'command_line', 'users.reset_factors'],
    )
  })

  test('MF-07 the command takes the subject of a user whom a custom user service has, without a mail', async () => {
    const { subject, isSignedIn } = await withFactors('external|4712')
    const { problem, report } = await reset(subject, { passkeys: true, signOut: false })
    assert.equal(problem, null)
    assert.match(report ?? '', /and 1 passkey\. Sessions continue\. No mail was sent: inform the user\.$/)
    assert.equal(await isSignedIn(), true)
  })

  test('MF-07 the command changes nothing for an unknown name, and for a user without second factors', async () => {
    assert.match((await reset('unknown')).problem ?? '', /There is no user "unknown"/)
    const { subject } = await userWithFactors()
    await reset(subject)
    const { seq } = await lastRow(subject)
    const { problem } = await reset(subject)
    assert.match(problem ?? '', /has no second factor to remove\. Passkeys that are kept: 1; --passkeys/)
    assert.equal((await lastRow(subject)).seq, seq)
  })
})

/** Simulates three nodes on one PostgreSQL with three sets of ports. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { attemptsInFlight, rateLimits } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { openStorage, type Storage } from '#lib/storage/open.ts'
import { auditHash, type Host, openHost } from '#lib/storage/testing/host.ts'
import { type RunningPostgres, startPostgres } from '#lib/storage/testing/postgres.ts'
import { signIn } from '../sign-in.ts'
import { addAuthenticator, type TestAuthenticator } from '../testing/second-factor.ts'
import { form, instantUserService, openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { proveByCode, type SecondFactorInput, type SecondFactorOutcome } from './prove-second-factor.ts'

let server: RunningPostgres
let host: Host
let others: readonly Storage[]
let setup: TestSignIn
let nodes: readonly Ports[]
let subject: SubjectId
let authenticator: TestAuthenticator
let made = 0

before(async () => {
  server = await startPostgres()
  host = await openHost({ kind: 'postgresql', url: server.url })
  others = await Promise.all([1, 2].map(() => openStorage(host.location, auditHash)))
  setup = await openTestSignIn()
})
after(async () => {
  await setup.close()
  for (const storage of others) await storage.close()
  await host.close()
  await server.stop()
})
beforeEach(async () => {
  made += 1
  subject = subjectIdSchema.parse(`user-${made}`)
  const userService = instantUserService(async () => ({
    ...{ kind: 'full' as const, subject, name: 'Ursula', amr: ['pwd'], acr: null },
  }))
  nodes = [host.storage, ...others].map(storage => ({ ...setup.ports, ...storage, userService }))
  authenticator = await addAuthenticator(nodeOf(0), subject)
})

function nodeOf(turn: number): Ports {
  const node = nodes[turn % nodes.length]
  assert.ok(node)
  return node
}

/** Starts a sign-in on one node. */
async function interrupt(turn: number) {
  const entered = form({ username: `user-${made}`, browser: setup.browser })
  const outcome = await signIn(nodeOf(turn), entered, context)
  assert.ok(outcome.kind === 'partial')
  return outcome.partial
}

function prove(turn: number, input: Pick<SecondFactorInput, 'partial' | 'code'>) {
  const browser = { browser: setup.browser, previous: [], knownBrowser: null }
  const given = { ...input, ...browser, kind: 'totp', trustedBrowsers: [], isToTrust: false } as const
  return proveByCode(nodeOf(turn), given, context)
}

const isGuess = (outcome: SecondFactorOutcome) => outcome.kind === 'wrong_code' && outcome.why === 'wrong'

test('MF-01 three nodes count the wrong codes of a user together', async () => {
  let guesses = 0
  for (let attempt = 0; attempt < 36; attempt++) {
    const outcome = await prove(attempt, { partial: await interrupt(attempt + 1), code: '000000' })
    if (isGuess(outcome)) guesses += 1
    // A node reads the failures of the others again after a second
    setup.advance(2)
  }
  assert.equal(guesses, rateLimits.secondFactor.limit)
})

test('MF-01 AU-09 three nodes limit concurrent wrong codes of a user', async () => {
  const partials = await Promise.all(Array.from({ length: 90 }, (_, turn) => interrupt(turn)))
  const outcomes = await Promise.all(
    partials.map((partial, turn) => prove(turn + 1, { partial, code: '000000' })),
  )
  const guesses = outcomes.filter(isGuess).length
  const { limit } = rateLimits.secondFactor
  assert.ok(guesses >= limit && guesses <= limit + 2 * attemptsInFlight.perNode, `${guesses} guesses`)
})

test('MF-01 one of a hundred requests on three nodes gets a session for a code', async () => {
  const partials = await Promise.all(Array.from({ length: 100 }, (_, turn) => interrupt(turn)))
  const code = authenticator.code()
  const outcomes = await Promise.all(partials.map((partial, turn) => prove(turn, { partial, code })))
  assert.equal(outcomes.filter(({ kind }) => kind === 'signed_in').length, 1)
  assert.equal((await nodeOf(2).sessions.allOf(subject, setup.ports.clock.now())).length, 1)
})

test('MF-02 one of a hundred requests on three nodes gets a session for a recovery code', async () => {
  const partials = await Promise.all(Array.from({ length: 100 }, (_, turn) => interrupt(turn)))
  const code = authenticator.recoveryCodes[0] ?? ''
  const outcomes = await Promise.all(
    partials.map((partial, turn) => {
      const browser = { browser: setup.browser, previous: [], knownBrowser: null }
      const given = { partial, code, ...browser, trustedBrowsers: [], isToTrust: false }
      return proveByCode(nodeOf(turn), { ...given, kind: 'recovery_code' }, context)
    }),
  )
  assert.equal(outcomes.filter(({ kind }) => kind === 'signed_in').length, 1)
  assert.equal(await nodeOf(1).secondFactors.countRecoveryCodes(subject), 9)
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Authentication } from '#lib/ports/users.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { completePartialSignIn, type PartialReturn } from './partial-sign-in.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import {
  form,
  instantUserService,
  openTestSignIn,
  pendingRequest,
  type TestSignIn,
} from './testing/sign-in.ts'

const alice = { subject: subjectIdSchema.parse('alice') }
const full: Authentication = {
  kind: 'full',
  ...alice,
  name: 'Alice',
  amr: ['pwd', 'otp'],
  acr: 'urn:example:strong',
}

let setup: TestSignIn
let ports: Ports
let path: string
let completion: Authentication

before(async () => {
  setup = await openTestSignIn()
  const service = instantUserService(async () => ({ kind: 'partial', ...alice, path }))
  ports = { ...setup.ports, userService: { ...service, completePartial: async () => completion } }
})
after(() => setup.close())
beforeEach(() => {
  path = '/terms?ticket=1'
  completion = full
})

async function interrupt(remember = false) {
  const waiting = await pendingRequest(setup, await setup.addClient())
  const outcome = await signIn(ports, form({ ...waiting, browser: setup.browser, remember }), context)
  assert.ok(outcome.kind === 'partial', JSON.stringify(outcome))
  return { ...outcome, pending: waiting.pending }
}

function comeBack(partial: PartialReturn['partial'], changes: Partial<PartialReturn> = {}) {
  const { browser } = setup
  return completePartialSignIn(ports, { partial, browser, previous: [], ...changes }, context)
}

test('a user who returns is signed in as the user service reports, and the request continues', async () => {
  const { partial, pending, path: address } = await interrupt(true)
  assert.equal(address, '/terms?ticket=1')
  const outcome = await comeBack(partial)
  assert.ok(outcome.kind === 'signed_in')
  assert.equal(outcome.pending, pending)
  assert.equal(
    outcome.persistSeconds,
    lifetimeSeconds.rememberedSession,
    'the choice to stay signed in survives',
  )
  const session = await currentSession(ports, outcome.session)
  assert.deepEqual(
    [session?.subject, session?.amr, session?.acr],
    ['alice', ['pwd', 'otp'], 'urn:example:strong'],
  )
})

test('an interrupted sign-in has no session yet', async () => {
  const before = await ports.sessions.allOf(alice.subject, ports.clock.now())
  await interrupt()
  assert.deepEqual(await ports.sessions.allOf(alice.subject, ports.clock.now()), before)
})

test('LG-01 an interrupted sign-in is recorded, and so is a repeated return', async () => {
  const { partial } = await interrupt()
  const { name, subject, details } = setup.events.at(-1) ?? {}
  assert.deepEqual([name, subject, details?.step], ['sign_in_partial', 'alice', 'user_service'])
  await comeBack(partial)
  await comeBack(partial)
  assert.deepEqual(
    setup.events.slice(-2).map(({ name, reason }) => [name, reason]),
    [
      ['sign_in_succeeded', undefined],
      ['sign_in_failed', 'request_expired'],
    ],
  )
})

test('the handle of an interrupted sign-in works once', async () => {
  const { partial } = await interrupt()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => comeBack(partial)))
  assert.equal(outcomes.filter(outcome => outcome.kind === 'signed_in').length, 1)
  assert.equal(outcomes.filter(outcome => outcome.kind === 'expired').length, 19)
})

test('the handle of an interrupted sign-in works only in its browser, for a limited time', async () => {
  const { partial } = await interrupt()
  assert.equal((await comeBack(partial, { browser: ports.random.handle('browser') })).kind, 'expired')
  assert.equal((await comeBack(partial, { browser: null })).kind, 'expired')
  assert.equal((await comeBack(null)).kind, 'expired')
  setup.advance(lifetimeSeconds.partialSignIn + 1)
  assert.equal((await comeBack(partial)).kind, 'expired')
})

test('the user service can interrupt a second time, with a new handle', async () => {
  const { partial, pending } = await interrupt()
  completion = { kind: 'partial', ...alice, path: '/profile' }
  const again = await comeBack(partial)
  assert.ok(again.kind === 'partial')
  assert.notEqual(again.partial, partial)
  completion = full
  const outcome = await comeBack(again.partial)
  assert.deepEqual([outcome.kind, outcome.pending], ['signed_in', pending])
})

test('the user service can refuse when the user returns', async () => {
  const { partial } = await interrupt()
  completion = { kind: 'refused', message: 'The terms are a condition.' }
  const outcome = await comeBack(partial)
  assert.ok(outcome.kind === 'refused')
  assert.deepEqual([outcome.why, outcome.message], ['message', 'The terms are a condition.'])
})

for (const elsewhere of [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  'terms',
  '/a\\b',
  '/a\tb',
  '',
]) {
  test(`a page at ${JSON.stringify(elsewhere)} is not on this origin`, async () => {
    path = elsewhere
    await assert.rejects(interrupt(), /partial_path_leaves_this_origin/)
  })
}

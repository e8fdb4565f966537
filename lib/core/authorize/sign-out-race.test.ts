/** Tests that no grant made during a sign-out (except for offline access) or a removal of consent is valid afterwards. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { revokeApp } from '#lib/identity/connected-apps.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type ClientId, scopeNameSchema } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { signOut } from '../logout/end-session.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import type { AuthorizeOutcome } from './authorize.ts'
import { authorize } from './authorize.ts'
import { resume } from './resume.ts'

const rounds = 8
const racers = 12

let t: TestPorts
let consenting: ClientId
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  consenting = (await t.addClient({ client_id: 'consenting', require_consent: true })).clientId
  await t.addUser('alice')
})
after(() => t.close())

type Asked = Readonly<Record<string, string>>

const implicit: Asked = { response_type: 'id_token token', nonce: 'n' }
const offline: Asked = { scope: 'openid offline_access' }

function ask(session: Session, parameters: Asked = {}): Promise<AuthorizeOutcome> {
  const browser = t.ports.random.handle('browser')
  return authorize(
    t.ports,
    { parameters: parametersFrom({ ...validParameters, ...parameters }), session, browser },
    context,
  )
}

/**
 * Summarizes an outcome: `code`, `tokens`, the error code, `pause` with the page, `show` with the reason, or `forward`.
 */
function summary(outcome: AuthorizeOutcome): string {
  if (outcome.kind === 'interact') return `pause ${outcome.at}`
  if (outcome.kind === 'error_page') return `show ${outcome.error.reason}`
  if (outcome.kind === 'forward') return 'forward'
  const fields = Object.fromEntries(outcome.fields)
  return fields.error ?? (fields.code === undefined ? 'tokens' : 'code')
}

/** Sends many requests, ends the session or consent in the middle, and returns the outcomes. */
async function race(
  askOnce: (index: number) => Promise<AuthorizeOutcome>,
  end: () => Promise<unknown>,
): Promise<readonly string[]> {
  const half = Array.from({ length: racers / 2 }, (_, index) => index)
  const earlier = half.map(index => askOnce(index))
  const ended = end()
  const late = half.map(index => askOnce(index + racers / 2))
  await ended
  return (await Promise.all([...earlier, ...late])).map(summary)
}

function liveGrants(session: Session) {
  return t.ports.grants.liveOf(session.subject, t.ports.clock.now())
}

const kinds: ReadonlyArray<readonly [string, Asked]> = [
  ['codes', {}],
  ['codes for offline access', offline],
  ['tokens', implicit],
]
for (const [name, parameters] of kinds) {
  test(`SE-06 RT-08 ${name}: nothing but offline access that is requested during a sign-out stays valid after it`, async () => {
    const seen = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      const session = await t.openSession('alice')
      for (const one of await race(
        () => ask(session, parameters),
        () => signOut(t.ports, session, context),
      ))
        seen.add(one)
      const survivors = (await liveGrants(session)).filter(grant => !grant.isOffline)
      assert.equal(survivors.length, 0, `round ${round}`)
    }
    assert.ok(seen.has('pause login'), 'at least one request must come too late')
  })
}

test('SE-06 after a sign-out no grant is stored: the client gets an error, or the user is asked to sign in', async () => {
  const session = await t.openSession('alice')
  await signOut(t.ports, session, context)
  for (const [, parameters] of kinds) {
    assert.equal(summary(await ask(session, parameters)), 'pause login')
    assert.equal(summary(await ask(session, { ...parameters, prompt: 'none' })), 'login_required')
  }
  assert.deepEqual(
    (await liveGrants(session)).filter(grant => grant.sessionId === session.sessionId),
    [],
  )
})

test('SE-06 a pending request survives a sign-out between decision and answer, and is answered once', async () => {
  const browser = t.ports.random.handle('browser')
  const paused = await authorize(
    t.ports,
    { parameters: parametersFrom(validParameters), session: null, browser },
    context,
  )
  assert.ok(paused.kind === 'interact')
  const { pending } = paused
  const ended = await t.openSession('alice')
  await signOut(t.ports, ended, context)
  assert.equal(summary(await resume(t.ports, { pending, browser, session: ended }, context)), 'pause login')
  const session = await t.openSession('alice')
  assert.equal(summary(await resume(t.ports, { pending, browser, session }, context)), 'code')
  assert.equal(
    summary(await resume(t.ports, { pending, browser, session }, context)),
    'show request_finished',
  )
})

async function remember(session: Session, scopes: string): Promise<void> {
  const now = t.ports.clock.now()
  const names = scopes.split(' ').map(name => scopeNameSchema.parse(name))
  const times = { createdAt: now, updatedAt: now, expiresAt: null }
  await t.ports.consents.store({ subject: session.subject, clientId: consenting, scopes: names, ...times })
}

test('CN-07 an app whose access is removed between decision and answer gets no code', async () => {
  const session = await t.openSession('alice')
  const { codes } = t.ports
  const shutOut = () => revokeApp(t.ports, { session, clientId: consenting }, context)
  const late = {
    ...codes,
    issue: async (...given: Parameters<typeof codes.issue>) => {
      await shutOut()
      return codes.issue(...given)
    },
  }
  for (const [prompt, expected] of [
    ['', 'pause consent'],
    ['none', 'consent_required'],
  ] as const) {
    await remember(session, 'openid profile')
    const parameters = { ...validParameters, client_id: consenting, prompt }
    const browser = t.ports.random.handle('browser')
    const outcome = await authorize(
      { ...t.ports, codes: late },
      { parameters: parametersFrom(parameters), session, browser },
      context,
    )
    assert.equal(summary(outcome), expected)
  }
})

test('CN-07 nothing that is granted silently during the removal of an app stays valid after it', async () => {
  const session = await t.openSession('alice')
  const seen = new Set<string>()
  for (let round = 0; round < rounds; round += 1) {
    await remember(session, 'openid profile offline_access')
    const asked = { client_id: consenting, scope: 'openid profile offline_access' }
    for (const one of await race(
      () => ask(session, asked),
      () => revokeApp(t.ports, { session, clientId: consenting }, context),
    ))
      seen.add(one)
    const survivors = (await liveGrants(session)).filter(grant => grant.clientId === consenting)
    assert.equal(survivors.length, 0, `round ${round}`)
  }
  assert.ok(seen.has('pause consent'), 'at least one request must come too late')
})

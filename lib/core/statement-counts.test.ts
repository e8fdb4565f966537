/**
 * How many statements that read and how many messages that write one request sends to SQLite, once its client and scopes are
 * cached. What the server writes afterwards by itself (events, last uses) does not count. The table is the promise.
 */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, test } from 'node:test'
import { readCurrentSession } from '#lib/identity/session.ts'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { authorize } from './authorize/authorize.ts'
import { validParameters } from './authorize/test-input.ts'
import { context, openTestPorts, type TestPorts } from './test-ports.ts'

type Counts = { readonly reads: number; readonly writes: number }

/** Prepares an operation, and returns the function that counts. */
type Operation = () => Promise<() => Promise<unknown>>

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addClient({ client_id: 'consenting', require_consent: true })
  await t.addUser('alice')
})
after(() => t.close())

const rows: ReadonlyArray<readonly [name: string, counts: Counts, operation: Operation]> = [
  ['authorize with a live session', { reads: 1, writes: 1 }, () => authorizing({})],
  [
    'authorize with a live session and a remembered consent',
    { reads: 1, writes: 1 },
    () => authorizing({ client_id: 'consenting' }),
  ],
  [
    'authorize with a login_hint for the user who is signed in',
    { reads: 1, writes: 1 },
    () => authorizing({ login_hint: 'alice' }),
  ],
]

for (const [name, counts, operation] of rows) {
  test(`${name}: ${counts.reads} reads, ${counts.writes} writes`, async () => {
    // The first one fills the caches and marks the last uses
    await (await operation())()
    assert.deepEqual(await statementsOf(await operation()), counts)
  })
}

async function statementsOf(run: () => Promise<unknown>): Promise<Counts> {
  await t.ports.usage.flush()
  const counts = { reads: 0, writes: 0 }
  const count = (kind: unknown) => {
    counts[kind === 'read' ? 'reads' : 'writes'] += 1
  }
  subscribe('latchkey:sqlite', count)
  try {
    await run()
  } finally {
    unsubscribe('latchkey:sqlite', count)
  }
  return counts
}

async function authorizing(changes: Readonly<Record<string, string>>) {
  const { random, hashing, clock, consents } = t.ports
  const handle = random.handle('session')
  const session = await t.openSession('alice', { digest: hashing.digest(handle) })
  const asked = { ...validParameters, ...changes }
  const { client_id: id, scope } = asked
  const clientId = clientIdSchema.parse(id)
  const now = clock.now()
  const scopes = scope.split(' ').map(name => scopeNameSchema.parse(name))
  const { subject } = session
  await consents.store({ subject, clientId, scopes, createdAt: now, updatedAt: now, expiresAt: null })
  return async () => {
    const user = await readCurrentSession(t.ports, handle, clientId)
    assert.ok(user)
    const browser = random.handle('browser')
    const outcome = await authorize(t.ports, { parameters: parametersFrom(asked), ...user, browser }, context)
    assert.equal(outcome.kind, 'respond')
    if (outcome.kind === 'respond') assert.equal(outcome.fields[0]?.[0], 'code')
  }
}

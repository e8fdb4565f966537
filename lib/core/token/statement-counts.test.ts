/** How many statements a token request sends: reads, and messages with writes. Registrations are cached. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sqliteChannel } from '#lib/storage/sqlite/sqlite-adapter.ts'
import { openTestFlow, redemption, refreshing, secret, type TestFlow } from './test-flow.ts'

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
})
after(() => flow.close())

type Count = { readonly read: number; readonly write: number }

async function countStatements(act: () => Promise<unknown>): Promise<Count> {
  const counted = { read: 0, write: 0 }
  const count = (kind: unknown) => {
    if (kind === 'read' || kind === 'write') counted[kind] += 1
  }
  sqliteChannel.subscribe(count)
  await act().finally(() => sqliteChannel.unsubscribe(count))
  return counted
}

for (const type of ['jwt', 'reference'] as const) {
  test(`a code exchange and a refresh are one read and one write each: ${type}`, async () => {
    const client = await flow.addClient({ client_id: 'counted', access_token_type: type }, secret)
    const { refresh } = await flow.tokens({ client })
    const code = await flow.issueCode({ client })
    const exchange = () => flow.ask(redemption(code), 'counted')
    assert.deepEqual(await countStatements(exchange), { read: 1, write: 1 })
    const rotate = () => flow.ask(refreshing(refresh), 'counted')
    assert.deepEqual(await countStatements(rotate), { read: 1, write: 1 })
  })
}

test('a refresh with a reusable token is one read, and writes nothing unless an end moves', async () => {
  const reusable = { refresh_token_usage: 'reuse', refresh_token_expiration: 'absolute' } as const
  const client = await flow.addClient({ client_id: 'counted', ...reusable }, secret)
  const { refresh } = await flow.tokens({ client })
  const ask = () => flow.ask(refreshing(refresh), 'counted')
  assert.deepEqual(await countStatements(ask), { read: 1, write: 0 })
})

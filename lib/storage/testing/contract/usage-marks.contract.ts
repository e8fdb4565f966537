import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { createUsageMarks } from '../../prisma/events/usage-marks.ts'
import type { Host } from '../host.ts'

const clientId = clientIdSchema.parse('used-client')
const first = new Date('2026-03-01T12:00:00Z')
const soon = new Date('2026-03-01T12:00:30Z')
const later = new Date('2026-03-01T12:02:00Z')

export function usageMarksContract(host: () => Host): void {
  test('records the last use of a client and its secret to the minute', async () => {
    const { storage, tables } = host()
    const secrets = [{ id: 'used-secret', digest: 'sha256:x', expiresAt: null }]
    const metadata = { client_id: clientId, grant_types: ['client_credentials'] }
    await storage.configuration.apply(
      { put: { clients: [{ clientId, metadata, secrets }] }, remove: {} },
      first,
    )
    for (const now of [first, soon]) {
      storage.usage.client(clientId, now)
      storage.usage.secret({ owner: clientId, id: 'used-secret' }, now)
    }
    await storage.usage.flush()
    const stored = async () => {
      const row = await tables.client.findUnique({ where: { clientId }, include: { secrets: true } })
      return [row?.lastUsedAt, row?.secrets[0]?.lastUsedAt]
    }
    assert.deepEqual(await stored(), [first, first])
    storage.usage.client(clientId, later)
    await storage.usage.flush()
    assert.deepEqual(await stored(), [later, first])
  })

  test('records the last use of an API secret, and of no other secret with the same id', async () => {
    const { storage, tables } = host()
    const secrets = [{ id: 'shared-id', digest: 'sha256:x', expiresAt: null }]
    const names = ['used-api', 'idle-api'].map(name => scopeNameSchema.parse(name))
    const scopes = names.map(name => ({ name, metadata: { name, kind: 'resource' }, secrets }))
    await storage.configuration.apply({ put: { scopes }, remove: {} }, first)
    storage.usage.secret({ owner: 'used-api', id: 'shared-id' }, soon)
    await storage.usage.flush()
    const rows = await tables.scopeSecret.findMany({
      where: { id: 'shared-id' },
      orderBy: { scopeName: 'asc' },
    })
    assert.deepEqual(
      rows.map(row => row.lastUsedAt),
      [null, soon],
    )
  })

  test('a use that could not be stored is stored with the next one, without delaying callers', async () => {
    const { storage, tables } = host()
    let isAway = true
    const get = (target: typeof tables, name: string | symbol) => {
      if (isAway) throw new Error('away')
      return Reflect.get(target, name)
    }
    const usage = createUsageMarks(new Proxy(tables, { get }))
    const metadata = { client_id: 'used-again', grant_types: ['client_credentials'] }
    const again = clientIdSchema.parse('used-again')
    await storage.configuration.apply(
      { put: { clients: [{ clientId: again, metadata, secrets: [] }] }, remove: {} },
      first,
    )
    usage.client(again, first)
    await usage.flush()
    isAway = false
    usage.client(again, soon)
    await usage.flush()
    assert.deepEqual((await tables.client.findUnique({ where: { clientId: again } }))?.lastUsedAt, soon)
  })

  test('a flush also waits for uses whose write had already begun', async () => {
    const { storage, tables } = host()
    const latest = new Date('2026-03-01T12:04:00Z')
    storage.usage.client(clientId, latest)
    const begun = storage.usage.flush()
    await storage.usage.flush()
    assert.deepEqual((await tables.client.findUnique({ where: { clientId } }))?.lastUsedAt, latest)
    await begun
  })

  test('a secret keeps its dates when other secrets are added and removed', async () => {
    const { storage, tables } = host()
    const put = (ids: readonly string[]) => {
      const secrets = ids.map(id => ({ id, digest: `sha256:${id}`, expiresAt: null }))
      const metadata = { client_id: clientId, grant_types: ['client_credentials'] }
      return storage.configuration.apply(
        { put: { clients: [{ clientId, metadata, secrets }] }, remove: {} },
        later,
      )
    }
    await put(['used-secret', 'other-secret'])
    await put(['used-secret'])
    const row = await tables.clientSecret.findFirst({ where: { id: 'used-secret' } })
    assert.deepEqual([row?.createdAt, row?.lastUsedAt], [first, first])
  })
}

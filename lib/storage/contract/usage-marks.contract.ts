import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { Host } from './host.ts'

const clientId = clientIdSchema.parse('used-client')
const first = new Date('2026-03-01T12:00:00Z')
const soon = new Date('2026-03-01T12:00:30Z')
const later = new Date('2026-03-01T12:02:00Z')

export function usageMarksContract(host: () => Host): void {
  test('a use is remembered to the minute, of the client and of its secret', async () => {
    const { storage, tables } = host()
    const secrets = [{ id: 'used-secret', digest: 'sha256:x', expiresAt: null }]
    const metadata = { client_id: clientId, grant_types: ['client_credentials'] }
    await storage.configuration.apply(
      { put: { clients: [{ clientId, metadata, secrets }] }, remove: {} },
      first,
    )
    for (const now of [first, soon]) {
      storage.usage.client(clientId, now)
      storage.usage.secret('used-secret', now)
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

  test('a secret keeps its dates when others come and go', async () => {
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

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { migrate } from '#prisma/migrate.ts'
import { openStorage } from './open.ts'
import { auditHash } from './testing/host.ts'
import { startPostgres } from './testing/postgres.ts'
import { atOnce } from './testing/races.ts'
import { now, sampleCode, sampleGrant, sampleSession } from './testing/samples.ts'

// Without a timeout, the test would never end if the silent server were not noticed
test('LG-06 DB-01 a PostgreSQL server that stops responding is reported as temporarily unavailable', {
  timeout: 60_000,
}, async () => {
  const server = await startPostgres()
  const network = await openNetwork(Number(new URL(server.url).port))
  const url = Object.assign(new URL(server.url), { port: String(network.port) }).href
  await migrate({ kind: 'postgresql', url })
  const storage = await openStorage({ kind: 'postgresql', url }, auditHash)
  const grant = sampleGrant()
  const look = () => storage.sessions.allOf(grant.subject, now)
  await atOnce(4, look)
  network.swallow()
  const answers = await Promise.allSettled([
    ...Array.from({ length: 20 }, look),
    storage.sessions.create(sampleSession()),
    storage.codes.issue(sampleCode(grant), grant),
    storage.ping(),
  ])
  const others = answers.filter(answer => answer.status === 'fulfilled' || !isUnavailable(answer.reason))
  assert.deepEqual(others, [])
  network.deliver()
  assert.deepEqual(await look(), [])
  await storage.close()
  network.close()
  await server.stop()
})

/** Opens a proxy between Latchkey and its database that can drop all data without ending a connection. */
async function openNetwork(target: number) {
  const sockets = new Set<Socket>()
  let isSwallowing = false
  const listener = createServer(near => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', bytes => {
        if (!isSwallowing) to.write(bytes)
      })
      from.on('close', () => to.destroy())
      from.on('error', () => {})
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  return {
    port,
    swallow: () => {
      isSwallowing = true
    },
    deliver: () => {
      isSwallowing = false
    },
    close: () => {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function isUnavailable(error: unknown): boolean {
  return isOauthError(error) && error.code === 'temporarily_unavailable' && error.retryAfterSeconds !== null
}

/** Handles and ids, all from the system's random number generator. */
import { randomFillSync } from 'node:crypto'
import type { Random } from '#lib/ports/environment.ts'
import {
  type GrantId,
  type Handle,
  type HandleKind,
  handlePrefixes,
  type SessionId,
} from '#lib/protocol/ids.ts'

export function createRandom(): Random {
  return {
    handle: <K extends HandleKind>(kind: K) =>
      `${handlePrefixes[kind]}${kind === 'accessToken' ? clusteredText() : randomText(32)}` as Handle<K>,
    grantId: () => `g${randomText(16)}` as GrantId,
    sessionId: () => randomText(16) as SessionId,
    id: () => randomText(16),
  }
}

/** So many in a row share how they begin: see `clusterOf`. */
const clusterSize = 256
const cluster = { text: '', left: 0 }

function clusteredText(): string {
  if (cluster.left === 0) Object.assign(cluster, { text: randomText(3), left: clusterSize })
  cluster.left -= 1
  return cluster.text + randomText(29)
}

/** Drawn many at a time: asking the system for each costs more than all the rest of a handle. */
const drawn = { bytes: Buffer.alloc(4096), used: 4096 }

function randomText(count: number): string {
  if (drawn.used + count > drawn.bytes.length) {
    randomFillSync(drawn.bytes)
    drawn.used = 0
  }
  const bytes = drawn.bytes.subarray(drawn.used, drawn.used + count)
  drawn.used += count
  const text = bytes.toString('base64url')
  // What became a secret stays nowhere else
  bytes.fill(0)
  return text
}

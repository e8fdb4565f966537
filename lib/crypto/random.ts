/** Creates handles and IDs with the system's random number generator. */
import { randomFillSync } from 'node:crypto'
import type { Random } from '#lib/ports/environment.ts'
import {
  type GrantId,
  type Handle,
  type HandleKind,
  handlePrefixes,
  hasTimePrefix,
  type SessionId,
  timePrefixBytes,
} from '#lib/protocol/ids.ts'

/** Creates the random source. `now` returns milliseconds since 1970. */
export function createRandom(now: () => number = Date.now): Random {
  return {
    handle: <K extends HandleKind>(kind: K) => {
      const secret = hasTimePrefix(kind) ? timePrefixedText(now(), 32) : randomText(32)
      return `${handlePrefixes[kind]}${secret}` as Handle<K>
    },
    grantId: () => `g${timePrefixedText(now(), 16)}` as GrantId,
    sessionId: () => randomText(16) as SessionId,
    id: () => randomText(16),
  }
}

/** The unit of the time prefix, which starts again after 12 days. */
const timeUnitMs = 64

/** Makes `count` bytes: 3 of the time, the others random. See `timePrefixOf`. */
function timePrefixedText(now: number, count: number): string {
  const prefix = Buffer.alloc(timePrefixBytes)
  prefix.writeUIntBE(Math.floor(now / timeUnitMs) % 256 ** timePrefixBytes, 0, timePrefixBytes)
  return prefix.toString('base64url') + randomText(count - timePrefixBytes)
}

/**
 * Random bytes, requested in blocks: one system call for each handle would take longer than the rest of its creation.
 */
const drawn = { bytes: Buffer.alloc(4096), used: 4096 }

function randomText(count: number): string {
  if (drawn.used + count > drawn.bytes.length) {
    randomFillSync(drawn.bytes)
    drawn.used = 0
  }
  const bytes = drawn.bytes.subarray(drawn.used, drawn.used + count)
  drawn.used += count
  const text = bytes.toString('base64url')
  // Erases bytes that became a secret
  bytes.fill(0)
  return text
}

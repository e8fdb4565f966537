/** Handles and ids, all from the system's random number generator. */
import { randomBytes } from 'node:crypto'
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
    handle: <K extends HandleKind>(kind: K) => `${handlePrefixes[kind]}${randomText(32)}` as Handle<K>,
    grantId: () => `g${randomText(16)}` as GrantId,
    sessionId: () => randomText(16) as SessionId,
    id: () => randomText(16),
  }
}

function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

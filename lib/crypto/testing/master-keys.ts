/** Master keys for tests. */
import { randomBytes } from 'node:crypto'
import type { MasterKeys } from '../keys/master-key.ts'

/** Master keys as the settings give them. */
export function masterKeysFor(current: Buffer = randomBytes(32), next: Buffer | null = null): MasterKeys {
  return {
    current: { bytes: current, subject: 'MASTER_KEY' },
    next: next === null ? null : { bytes: next, subject: 'MASTER_KEY_NEXT' },
  }
}

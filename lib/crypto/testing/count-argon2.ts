/** Counts the hashes that are actually computed, through all layers above. For tests. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'

/** Counts Argon2 computations until the test ends. */
export function countArgon2(t: TestContext): { readonly count: () => number } {
  const { mock } = t.mock.method(crypto, 'argon2')
  syncBuiltinESMExports()
  t.after(() => {
    mock.restore()
    syncBuiltinESMExports()
  })
  let seen = 0
  return {
    /** Returns the count since the last call. */
    count: () => {
      const fresh = mock.callCount() - seen
      seen = mock.callCount()
      return fresh
    },
  }
}

/** What was sent and what would have been right, for the trace of a refused request. Nothing here is a secret. */
import type { Evidence } from '#lib/errors/oauth-error.ts'

const longest = 500

/** A parameter as it was sent (`undefined`: it was not), and the values that are allowed. */
export function sent(value: string | undefined, allowed: readonly string[] = []): Evidence {
  const expected = allowed.length === 0 ? {} : { expected: allowed }
  return value === undefined ? expected : { sent: value.slice(0, longest), ...expected }
}

/** A database that is away or overloaded is a refusal with `Retry-After`, never a wrong answer. */
import { storage } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { errorCode } from './row-errors.ts'

/** Prisma's codes for: unreachable, timed out, closed, pool exhausted, no transaction in time, write conflict. */
const unavailableCodes: ReadonlySet<string> = new Set([
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
  'P2037',
])

/**
 * A copy, whose functions throw `OauthError('temporarily_unavailable', 'database_<code>')` for what passes by itself.
 * Everything else is thrown as it came. NOTE: wrapped once; a proxy would wrap at every call.
 */
export function refusingWhenUnavailable<T extends object>(port: T): T {
  const wrapping = new Proxy(port, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver)
      return typeof member === 'function'
        ? (...given: readonly unknown[]) => refusing(() => member(...given))
        : member
    },
  })
  return { ...wrapping }
}

async function refusing(call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    const code = errorCode(error)
    if (code === null || !unavailableCodes.has(code)) throw error
    throw new OauthError('temporarily_unavailable', `database_${code}`, null, storage.retryAfterSeconds)
  }
}

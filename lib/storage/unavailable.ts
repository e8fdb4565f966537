/** A database that is away or overloaded is a refusal with `Retry-After`, never a wrong answer. */
import { storage } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ReasonFor } from '#lib/errors/reasons.ts'
import { errorCode } from './row-errors.ts'

/** Prisma's codes for what passes by itself. */
const unavailable: Readonly<Record<string, ReasonFor<'temporarily_unavailable'>>> = {
  P1001: 'database_unreachable',
  P1002: 'database_unreachable',
  P1017: 'database_unreachable',
  P1008: 'database_timeout',
  P2028: 'database_timeout',
  P2024: 'database_connections_exhausted',
  P2037: 'database_connections_exhausted',
  P2034: 'database_write_conflict',
}

/**
 * A copy, whose functions throw `OauthError` `temporarily_unavailable` for what passes by itself.
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
    const reason = unavailable[errorCode(error) ?? '']
    if (reason === undefined) throw error
    throw new OauthError(reason, { retryAfterSeconds: storage.retryAfterSeconds })
  }
}

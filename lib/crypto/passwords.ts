/** Passwords of people: Argon2id behind a bounded queue, the same cost for everybody. */
import { passwordCharacters, passwordHashing } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Passwords } from '#lib/ports/users.ts'
import { type Argon2Parameters, argon2Hash, argon2Verify, parsePhc, requireArgon2 } from './argon2.ts'
import { createWorkQueue } from './work-queue.ts'

/** Throws a ConfigError on a Node.js without Argon2. */
export function createPasswords(parameters: Argon2Parameters = passwordHashing): Passwords {
  requireArgon2()
  const nobody = phcOfNobody(parameters)
  const queue = createWorkQueue({
    inFlight: passwordHashing.inFlight,
    waiting: passwordHashing.queue,
    refuse: busy,
  })
  return {
    async hash(password) {
      if (!isHashable(password)) throw new RangeError('This password is too long or not valid Unicode.')
      return queue.run(() => argon2Hash(canonical(password), parameters))
    },
    async verify(password, stored) {
      const isPossible = stored !== null && isHashable(password)
      const isRight = await queue.run(() =>
        argon2Verify(isPossible ? canonical(password) : '', isPossible ? stored : nobody),
      )
      return isPossible && isRight
    },
    needsRehash: stored => isWeaker(parsePhc(stored), parameters),
  }
}

/** What a missing hash is compared with: nobody knows its password, and it costs as much as a real one (AU-06). */
function phcOfNobody({ memoryKiB, passes, lanes }: Argon2Parameters): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$bGF0Y2hrZXkgbm9ib2R5IQ$${'A'.repeat(43)}`
}

/** AU-01: Unicode normalised once, nothing trimmed, nothing cut off. */
function canonical(password: string): string {
  return password.normalize('NFC')
}

/** Lone surrogates would all become the same replacement character, and so the same password. */
function isHashable(password: string): boolean {
  return password.isWellFormed() && Buffer.byteLength(canonical(password)) <= passwordCharacters.maximumBytes
}

function isWeaker(stored: Argon2Parameters | null, wanted: Argon2Parameters): boolean {
  if (stored === null) return true
  return stored.memoryKiB < wanted.memoryKiB || stored.passes < wanted.passes || stored.lanes < wanted.lanes
}

function busy(): OauthError {
  return new OauthError(
    'temporarily_unavailable',
    'password_queue_full',
    null,
    passwordHashing.retryAfterSeconds,
  )
}

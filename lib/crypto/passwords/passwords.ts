/** Passwords of users: Argon2id behind a bounded queue, with the same cost for known and unknown users. */
import { passwordHashing } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Passwords } from '#lib/ports/users.ts'
import {
  type Argon2Parameters,
  argon2Hash,
  argon2Verify,
  formatPhc,
  parsePhc,
  phcOfNobody,
  requireArgon2,
} from './argon2.ts'
import { passwordFlaw } from './password-policy.ts'
import { canonical, isHashable } from './password-text.ts'
import { createWorkQueue } from './work-queue.ts'

/** Throws a ConfigError on a Node.js without Argon2. */
export function createPasswords(parameters: Argon2Parameters = passwordHashing): Passwords {
  requireArgon2()
  const absent = formatPhc(phcOfNobody(parameters))
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
        argon2Verify(isPossible ? canonical(password) : '', isPossible ? stored : absent),
      )
      return isPossible && isRight
    },
    flawOf: passwordFlaw,
    needsRehash: stored => isWeaker(parsePhc(stored), parameters),
  }
}

function isWeaker(stored: Argon2Parameters | null, wanted: Argon2Parameters): boolean {
  if (stored === null) return true
  return stored.memoryKiB < wanted.memoryKiB || stored.passes < wanted.passes || stored.lanes < wanted.lanes
}

function busy(): OauthError {
  return new OauthError('password_queue_full', { retryAfterSeconds: passwordHashing.retryAfterSeconds })
}

/** Passwords of users: Argon2id and imported hashes in bounded queues, with the same costs for known and unknown users. */
import { createHmac, randomBytes } from 'node:crypto'
import { checkQueue, passwordHashing } from '#lib/config/limits.ts'
import type { NodeShare } from '#lib/config/node-share.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { knownCaller } from '#lib/ports/check-caller.ts'
import type { Passwords } from '#lib/ports/passwords.ts'
import {
  type HashKind,
  hashOfNoPassword,
  type ImportedHash,
  isSlow,
  parseImportedHash,
} from '#lib/protocol/registration/imported-hashes.ts'
import {
  type Argon2Parameters,
  argon2Hash,
  argon2Verify,
  canonical,
  formatPhc,
  isHashable,
  parsePhc,
  phcOfNobody,
  requireArgon2,
} from './argon2.ts'
import type { BreachedList } from './breached-list.ts'
import {
  createCheckQueue,
  createNetworkFailures,
  type NetworkFailures,
  type QueueMeter,
  wholeNode,
} from './check-queue.ts'
import { isComputedInThread, verifyImported } from './imported-hashes.ts'
import { createPasswordFlaws } from './password-flaws.ts'

type PasswordParts = {
  /**
   * The key that chooses hashes for unknown names. It must be the same on all nodes and after a restart: otherwise the kinds of
   * unknown names would change, and those of users would not.
   */
  readonly substituteKey?: Buffer
  readonly failures?: NetworkFailures
  readonly share?: NodeShare
  /** The operator’s list of breached passwords. */
  readonly breached?: BreachedList | null
  /** Returns the meter of a queue. Absent if metrics are off. */
  readonly meter?: ((queue: 'password' | 'slow_password' | 'thread_password') => QueueMeter) | undefined
}

/** Throws a ConfigError on a Node.js without Argon2. */
export function createPasswords(
  parameters: Argon2Parameters = passwordHashing,
  {
    substituteKey = randomBytes(32),
    failures = createNetworkFailures(),
    share = wholeNode,
    breached = null,
    meter,
  }: PasswordParts = {},
): Passwords {
  requireArgon2()
  const absent = formatPhc(phcOfNobody(parameters))
  const parts = { failures, share, refuse: busy }
  const { passwords: limits, slowPasswords, threadPasswords } = checkQueue
  const queue = createCheckQueue({ ...parts, limits, meter: meter?.('password') })
  const slowQueue = createCheckQueue({ ...parts, limits: slowPasswords, meter: meter?.('slow_password') })
  const threadQueue = createCheckQueue({
    ...parts,
    limits: threadPasswords,
    meter: meter?.('thread_password'),
  })
  const queueOf = (imported: ImportedHash) => {
    if (isComputedInThread(imported)) return threadQueue
    return isSlow(imported) ? slowQueue : queue
  }
  let kinds: readonly HashKind[] = []
  const isWrong = (isRight: boolean) => !isRight
  return {
    async hash(password, caller = knownCaller) {
      if (!isHashable(password)) throw new RangeError('This password is too long or not valid Unicode.')
      return queue.run(caller, () => argon2Hash(canonical(password), parameters))
    },
    async verify(password, stored, caller) {
      const isPossible = isHashable(password)
      const imported = stored === null ? null : parseImportedHash(stored)
      if (imported !== null) {
        const check = async () => (await verifyImported(isPossible ? password : '', imported)) && isPossible
        return queueOf(imported).run(caller, check, isWrong)
      }
      const own = stored !== null && isPossible && parsePhc(stored) !== null ? stored : null
      const check = () => argon2Verify(own === null ? '' : canonical(password), own ?? absent)
      return (await queue.run(caller, check, isRight => own === null || !isRight)) && own !== null
    },
    substituteHash: name => substituteHash(kinds, createHmac('sha256', substituteKey).update(name).digest()),
    expectImported: expected => {
      kinds = expected
    },
    isHashable,
    flawsOf: createPasswordFlaws(breached),
    needsRehash: stored => isWeaker(parsePhc(stored), parameters),
  }
}

/**
 * Chooses the hash for an unknown name: the digest of the name is a number from 0 to 1, and each kind of imported hash
 * has an interval as large as its share. The rest is for Argon2id: `null`.
 */
function substituteHash(kinds: readonly HashKind[], digest: Buffer): string | null {
  const place = digest.readUIntBE(0, 6) / 2 ** 48
  let end = 0
  for (const kind of kinds) {
    end += kind.share
    if (place < end) return hashOfNoPassword(kind.cost)
  }
  return null
}

function isWeaker(stored: Argon2Parameters | null, wanted: Argon2Parameters): boolean {
  if (stored === null) return true
  return stored.memoryKiB < wanted.memoryKiB || stored.passes < wanted.passes || stored.lanes < wanted.lanes
}

function busy(): OauthError {
  return new OauthError('password_queue_full', { retryAfterSeconds: passwordHashing.retryAfterSeconds })
}

/** Chosen secrets of clients and scopes: Argon2id, one hash for all secrets of one owner. */
import { passwordHashing, secretHashing } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { areSameBytes } from '../hashing.ts'
import {
  type Argon2Parameters,
  derive,
  formatPhc,
  newSalt,
  type Phc,
  parsePhc,
  phcOfNobody,
  requireArgon2,
} from './argon2.ts'
import { canonical, isHashable } from './password-text.ts'
import { createWorkQueue } from './work-queue.ts'

export type SecretHashing = {
  /** The digest of a secret, with the salt of `sibling` unless that was made with other parameters than today's. */
  readonly hash: (secret: string, sibling: string | null) => Promise<string>
  /**
   * The digest of this secret, or `null`. Costs one hash for each salt among them, so one for the secrets of one owner, and
   * one if there are no secrets. Throws `temporarily_unavailable` when too many wait.
   */
  readonly find: (presented: string, digests: readonly string[]) => Promise<string | null>
}

type Stored = { readonly digest: string; readonly phc: Phc }

/** LIM-05: a separate queue, so that a flood at the token endpoint does not block sign-ins. */
export function createSecretHashing(parameters: Argon2Parameters = passwordHashing): SecretHashing {
  requireArgon2()
  const absent = { digest: '', phc: phcOfNobody(parameters) }
  const queue = createWorkQueue({
    inFlight: secretHashing.inFlight,
    waiting: secretHashing.queue,
    refuse: busy,
  })
  return {
    async hash(secret, sibling) {
      const phc = { ...parameters, salt: sharedSalt(sibling, parameters) ?? newSalt() }
      return formatPhc({ ...phc, hash: await queue.run(() => derive(canonical(secret), phc)) })
    },
    async find(presented, digests) {
      const stored = digests.flatMap(readStored)
      const text = isHashable(presented) ? canonical(presented) : ''
      for (const siblings of groupBySalt(stored.length === 0 ? [absent] : stored)) {
        const hash = await queue.run(() => derive(text, siblings[0].phc))
        const match = siblings.filter(({ phc }) => areSameBytes(hash, phc.hash)).at(0)
        if (match !== undefined && match !== absent && isHashable(presented)) return match.digest
      }
      return null
    },
  }
}

function sharedSalt(sibling: string | null, wanted: Argon2Parameters): Buffer | null {
  const phc = sibling === null ? null : parsePhc(sibling)
  return phc !== null && settingsOf({ ...phc, ...wanted }) === settingsOf(phc) ? phc.salt : null
}

function readStored(digest: string): readonly Stored[] {
  const phc = parsePhc(digest)
  return phc === null ? [] : [{ digest, phc }]
}

type Siblings = [Stored, ...Stored[]]

function groupBySalt(stored: readonly Stored[]): Iterable<Siblings> {
  const groups = new Map<string, Siblings>()
  for (const one of stored) {
    const key = settingsOf(one.phc)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups.values()
}

function settingsOf({ memoryKiB, passes, lanes, salt }: Omit<Phc, 'hash'>): string {
  return [memoryKiB, passes, lanes, salt.toString('base64')].join()
}

function busy(): OauthError {
  const { retryAfterSeconds } = passwordHashing
  return new OauthError('secret_queue_full', { retryAfterSeconds })
}

/**
 * Secrets of clients and scopes: generated ones are stored as SHA-256, chosen ones as Argon2id. A secret that was
 * verified recently is recognized without Argon2id. Of imported secrets only the SHA-256 or SHA-512 is known.
 */
import { hash, randomBytes } from 'node:crypto'
import { checkQueue, knownSecrets, passwordHashing } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { type CheckCaller, knownCaller } from '#lib/ports/check-caller.ts'
import { type Secrets, type StoredSecret, secretFormOf } from '#lib/ports/clients.ts'
import { areSameBytes, isSameDigest } from '../hashing.ts'
import { createRecentlyUsed } from '../recently-used.ts'
import {
  type Argon2Parameters,
  canonical,
  derive,
  formatPhc,
  isHashable,
  newSalt,
  type Phc,
  parsePhc,
  phcOfNobody,
  requireArgon2,
} from './argon2.ts'
import { createCheckQueue, createNetworkFailures, type QueueParts, wholeNode } from './check-queue.ts'

const generatedPrefix = 'lks_'

export type SecretKeeper = Secrets & {
  /**
   * Returns the digests to store for the secrets of one owner, in their order: a fast hash for secrets of 256 random
   * bits, a password hash for others (TK-05). All password hashes have the same salt, so that one check finds any of
   * them: that of `stored`, unless it has none or was made with other parameters. Known secrets then keep their
   * digests.
   */
  readonly digests: (
    secrets: readonly string[],
    stored: readonly StoredSecret[],
  ) => Promise<readonly string[]>
  /** Generates a secret with 256 random bits, which is shown once. */
  readonly generate: () => string
}

export function createSecrets(hashing: SecretHashing): SecretKeeper {
  const known = createKnownSecrets()
  return {
    findWithoutHash: (presented, stored, now) =>
      live(stored, now).find(one => isFastMatch(presented, one) || known.has(presented, one)) ?? null,
    async verify(presented, stored, now, caller) {
      const candidates = live(stored, now)
      if (candidates.some(one => isFastMatch(presented, one))) return true
      const match = await findSlowMatch(hashing, { presented, stored: candidates, caller })
      if (match === null) return false
      known.remember(presented, match)
      return true
    },
    sharing: createSingleFlight(),
    digests: (secrets, stored) => digestsOf(hashing, secrets, stored),
    generate: () => `${generatedPrefix}${randomBytes(32).toString('base64url')}`,
  }
}

async function digestsOf(
  hashing: SecretHashing,
  secrets: readonly string[],
  stored: readonly StoredSecret[],
): Promise<readonly string[]> {
  const digests: string[] = []
  let sibling = stored.find(isSlow)?.digest ?? null
  for (const secret of secrets) {
    const digest = isGenerated(secret) ? fastDigest('sha256', secret) : await hashing.hash(secret, sibling)
    if (!isGenerated(secret)) sibling = digest
    digests.push(digest)
  }
  return digests
}

function live(stored: readonly StoredSecret[], now: Date): readonly StoredSecret[] {
  return stored.filter(one => one.expiresAt === null || one.expiresAt > now)
}

/** Whether the secret has the format of generated ones. No other secret counts as random, however long it is. */
function isGenerated(secret: string): boolean {
  return (
    secret.startsWith(generatedPrefix) && /^[A-Za-z0-9_-]{43}$/.test(secret.slice(generatedPrefix.length))
  )
}

function fastDigest(form: 'sha256' | 'sha512', secret: string): string {
  return `${form}:${hash(form, secret, 'base64url')}`
}

/** Whether a fast hash matches. An empty secret never does, because an imported hash could be that of the empty text. */
function isFastMatch(presented: string, stored: StoredSecret): boolean {
  const form = secretFormOf(stored)
  return form !== 'argon2id' && presented !== '' && isSameDigest(stored.digest, fastDigest(form, presented))
}

function isSlow(stored: StoredSecret): boolean {
  return secretFormOf(stored) === 'argon2id'
}

type SlowCheck = {
  readonly presented: string
  readonly stored: readonly StoredSecret[]
  readonly caller: CheckCaller | undefined
}

/**
 * TK-02: compares chosen secrets. An unknown client, one with a generated secret and one with several chosen ones all
 * take one password hash.
 */
async function findSlowMatch(
  hashing: SecretHashing,
  { presented, stored, caller }: SlowCheck,
): Promise<StoredSecret | null> {
  const slow = stored.filter(isSlow)
  const digests = slow.map(({ digest }) => digest)
  const found = await hashing.find(presented, digests, caller)
  return slow.find(({ digest }) => digest === found) ?? null
}

/** Remembers pairs of secret and digest under a key that is lost when the process ends. */
function createKnownSecrets() {
  const processKey = randomBytes(32).toString('base64url')
  const seen = createRecentlyUsed<true>(knownSecrets)
  const keyOf = (presented: string, { digest }: StoredSecret) =>
    hash('sha256', `${processKey}\n${digest}\n${presented}`, 'base64url')
  return {
    has: (presented: string, stored: StoredSecret) => seen.find(keyOf(presented, stored)) !== null,
    remember: (presented: string, stored: StoredSecret) => seen.put(keyOf(presented, stored), true),
  }
}

/** Hashes chosen secrets of clients and scopes with Argon2id. */
export type SecretHashing = {
  /** Returns the digest of a secret, with the salt of `sibling` unless the parameters have changed since. */
  readonly hash: (secret: string, sibling: string | null) => Promise<string>
  /**
   * Returns the matching digest, or `null`. Computes at most one hash for each salt, and one if there are no secrets.
   * Throws `temporarily_unavailable` when too many checks wait, or this one waits too long.
   */
  readonly find: (
    presented: string,
    digests: readonly string[],
    caller?: CheckCaller,
  ) => Promise<string | null>
}

type Stored = { readonly digest: string; readonly phc: Phc }

/** LIM-05: creates a separate queue, so that a flood at the token endpoint does not block sign-ins. */
export function createSecretHashing(
  parameters: Argon2Parameters = passwordHashing,
  {
    failures = createNetworkFailures(),
    share = wholeNode,
    meter,
  }: Partial<Pick<QueueParts, 'failures' | 'share' | 'meter'>> = {},
): SecretHashing {
  requireArgon2()
  const absent = { digest: '', phc: phcOfNobody(parameters) }
  const queue = createCheckQueue({ limits: checkQueue.secrets, failures, share, refuse: busy, meter })
  return {
    async hash(secret, sibling) {
      const phc = { ...parameters, salt: sharedSalt(sibling, parameters) ?? newSalt() }
      return formatPhc({ ...phc, hash: await queue.run(knownCaller, () => derive(canonical(secret), phc)) })
    },
    async find(presented, digests, caller) {
      const stored = digests.flatMap(readStored)
      const text = isHashable(presented) ? canonical(presented) : ''
      const bySalt = Map.groupBy(stored.length === 0 ? [absent] : stored, ({ phc }) => settingsOf(phc))
      for (const siblings of bySalt.values()) {
        const [{ phc } = absent] = siblings
        const isRight = (hash: Buffer) => (one: Stored) => areSameBytes(hash, one.phc.hash)
        const check = () => derive(text, phc)
        const hash = await queue.run(caller, check, computed => !siblings.some(isRight(computed)))
        const match = siblings.find(isRight(hash))
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

function settingsOf({ memoryKiB, passes, lanes, salt }: Omit<Phc, 'hash'>): string {
  return [memoryKiB, passes, lanes, salt.toString('base64')].join()
}

function busy(): OauthError {
  const { retryAfterSeconds } = passwordHashing
  return new OauthError('secret_queue_full', { retryAfterSeconds })
}

/**
 * Runs `work` once for concurrent callers with the same `what`; the result is not cached. `what` may be secret: only a
 * keyed digest of it is stored.
 */
export function createSingleFlight<T>(): (what: string, work: () => Promise<T>) => Promise<T> {
  const processKey = randomBytes(32).toString('base64url')
  const running = new Map<string, Promise<T>>()
  return (what, work) => {
    const key = hash('sha256', `${processKey}\n${what}`, 'base64url')
    const started = running.get(key)
    if (started !== undefined) return started
    const starting = work().finally(() => running.delete(key))
    running.set(key, starting)
    return starting
  }
}

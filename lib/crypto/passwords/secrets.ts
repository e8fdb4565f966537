/** Secrets of clients and scopes: generated ones as SHA-256, chosen ones as Argon2id, known ones without hashing. */
import { hash, randomBytes } from 'node:crypto'
import { knownSecrets } from '#lib/config/limits.ts'
import type { Secrets, StoredSecret } from '#lib/ports/clients.ts'
import { isSameDigest } from '../hashing.ts'
import type { SecretHashing } from './secret-hashing.ts'
import { createSingleFlight } from './single-flight.ts'

const generatedPrefix = 'lks_'
const fastScheme = 'sha256:'

export type SecretKeeper = Secrets & {
  /**
   * The stored digests of the secrets of one owner, in their order. A fast hash for secrets of 256 random bits, a password
   * hash for others (TK-05), with one salt for all of them: that of `stored`, so that known secrets keep their digests.
   */
  readonly digests: (
    secrets: readonly string[],
    stored: readonly StoredSecret[],
  ) => Promise<readonly string[]>
  /** A new secret with 256 random bits, shown once. */
  readonly generate: () => string
}

export function createSecrets(hashing: SecretHashing): SecretKeeper {
  const known = createKnownSecrets()
  return {
    known: (presented, stored, now) =>
      live(stored, now).find(one => isFastMatch(presented, one) || known.has(presented, one)) ?? null,
    async verify(presented, stored, now) {
      const candidates = live(stored, now)
      if (candidates.some(one => isFastMatch(presented, one))) return true
      const match = await findSlowMatch(hashing, presented, candidates)
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
    const digest = isGenerated(secret) ? fastDigest(secret) : await hashing.hash(secret, sibling)
    if (!isGenerated(secret)) sibling = digest
    digests.push(digest)
  }
  return digests
}

function live(stored: readonly StoredSecret[], now: Date): readonly StoredSecret[] {
  return stored.filter(one => one.expiresAt === null || one.expiresAt > now)
}

/** Only our own form counts as random: a long phrase may look like it and is not. */
function isGenerated(secret: string): boolean {
  return (
    secret.startsWith(generatedPrefix) && /^[A-Za-z0-9_-]{43}$/.test(secret.slice(generatedPrefix.length))
  )
}

function fastDigest(secret: string): string {
  return fastScheme + hash('sha256', secret, 'base64url')
}

function isFastMatch(presented: string, stored: StoredSecret): boolean {
  return stored.digest.startsWith(fastScheme) && isSameDigest(stored.digest, fastDigest(presented))
}

function isSlow({ digest }: StoredSecret): boolean {
  return !digest.startsWith(fastScheme)
}

/** TK-02: an unknown client, one with a generated secret and one with several chosen ones all cost one password hash. */
async function findSlowMatch(
  hashing: SecretHashing,
  presented: string,
  stored: readonly StoredSecret[],
): Promise<StoredSecret | null> {
  const slow = stored.filter(isSlow)
  const found = await hashing.find(
    presented,
    slow.map(({ digest }) => digest),
  )
  return slow.find(({ digest }) => digest === found) ?? null
}

/** Remembers pairs of secret and digest under a key that ends with the process. The oldest use goes first. */
function createKnownSecrets() {
  const processKey = randomBytes(32).toString('base64url')
  const seen = new Set<string>()
  const keyOf = (presented: string, { digest }: StoredSecret) =>
    hash('sha256', `${processKey}\n${digest}\n${presented}`, 'base64url')
  const remember = (key: string) => {
    seen.delete(key)
    seen.add(key)
    const oldest = seen.size > knownSecrets ? seen.values().next().value : undefined
    if (oldest !== undefined) seen.delete(oldest)
  }
  return {
    has(presented: string, stored: StoredSecret): boolean {
      const key = keyOf(presented, stored)
      if (!seen.has(key)) return false
      remember(key)
      return true
    },
    remember: (presented: string, stored: StoredSecret) => remember(keyOf(presented, stored)),
  }
}

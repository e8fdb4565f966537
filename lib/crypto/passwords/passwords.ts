/** Passwords of users: Argon2id and imported hashes in bounded queues, with the same costs for known and unknown users. */
import { createHmac, randomBytes } from 'node:crypto'
import { checkQueue, passwordCharacters, passwordHashing } from '#lib/config/limits.ts'
import type { NodeShare } from '#lib/config/node-share.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { knownCaller } from '#lib/ports/check-caller.ts'
import { type PasswordFlaw, type Passwords, passwordFlawNames } from '#lib/ports/users.ts'
import {
  type HashKind,
  hashOfNoPassword,
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
import { createCheckQueue, createNetworkFailures, type NetworkFailures, wholeNode } from './check-queue.ts'
import { pbkdf2Verify } from './pbkdf2.ts'

type PasswordParts = {
  /**
   * The key that chooses hashes for unknown names. It must be the same on all nodes and after a restart: otherwise the kinds of
   * unknown names would change, and those of users would not.
   */
  readonly substituteKey?: Buffer
  readonly failures?: NetworkFailures
  readonly share?: NodeShare
}

/** Throws a ConfigError on a Node.js without Argon2. */
export function createPasswords(
  parameters: Argon2Parameters = passwordHashing,
  {
    substituteKey = randomBytes(32),
    failures = createNetworkFailures(),
    share = wholeNode,
  }: PasswordParts = {},
): Passwords {
  requireArgon2()
  const absent = formatPhc(phcOfNobody(parameters))
  const queue = createCheckQueue({ limits: checkQueue.passwords, failures, share, refuse: busy })
  const slowQueue = createCheckQueue({ limits: checkQueue.slowPasswords, failures, share, refuse: busy })
  let kinds: readonly HashKind[] = []
  const isWrong = (isRight: boolean) => !isRight
  return {
    async hash(password) {
      if (!isHashable(password)) throw new RangeError('This password is too long or not valid Unicode.')
      return queue.run(knownCaller, () => argon2Hash(canonical(password), parameters))
    },
    async verify(password, stored, caller) {
      const isPossible = isHashable(password)
      const imported = stored === null ? null : parseImportedHash(stored)
      if (imported !== null) {
        const fit = isSlow(imported) ? slowQueue : queue
        const check = async () => (await pbkdf2Verify(isPossible ? password : '', imported)) && isPossible
        return fit.run(caller, check, isWrong)
      }
      const own = stored !== null && isPossible && parsePhc(stored) !== null ? stored : null
      const check = () => argon2Verify(own === null ? '' : canonical(password), own ?? absent)
      return (await queue.run(caller, check, isRight => own === null || !isRight)) && own !== null
    },
    substituteHash: name => substituteHash(kinds, createHmac('sha256', substituteKey).update(name).digest()),
    expectImported: expected => {
      kinds = expected
    },
    flawsOf: passwordFlaws,
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
    if (place < end) return hashOfNoPassword(kind)
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

// Rules for a new password, which are not checked at sign-in. There are no composition rules (AU-01)
const productName = 'latchkey'
/** Words that attackers try first, with any ending. */
const commonWords = ['password', 'passwort', 'welcome', 'willkommen']
/** The minimum length of a word that is compared: shorter words appear in many good passwords. */
const shortestContextWord = 4
/** The fewest letters and digits that a password must have in addition to the words that are compared. */
const fewestOtherCharacters = 6

const endings: Readonly<Record<PasswordFlaw, string>> = {
  not_unicode: 'must be valid Unicode',
  too_short: `must have at least ${passwordCharacters.minimum} characters`,
  too_long: `must not be longer than ${passwordCharacters.maximumBytes} bytes`,
  repeats: 'must not repeat one or two characters',
  personal: 'must not be a name or word that belongs to you or this site',
  common: 'is one of the passwords that attackers try first',
}

/** Returns everything that is wrong with a password, as the end of a sentence for operators; `null` if it may be set. */
export async function passwordProblem(
  password: string,
  context: readonly string[] = [],
): Promise<string | null> {
  const flaws = await passwordFlaws(password, context)
  return flaws.length === 0 ? null : inWords.format(flaws.map(flaw => endings[flaw]))
}

const inWords = new Intl.ListFormat('en')

/**
 * Returns the flaws of a password. `context`: words that belong to the user or the site, such as the user name or an
 * email address (AU-02).
 */
async function passwordFlaws(password: string, context: readonly string[]): Promise<readonly PasswordFlaw[]> {
  const { minimum, maximumBytes } = passwordCharacters
  if (!password.isWellFormed()) return ['not_unicode']
  const canonical = password.normalize('NFC')
  const characters = [...canonical]
  const isWordy = isMadeOf(canonical, commonWords)
  const common = await commonPasswords()
  const found: Readonly<Record<PasswordFlaw, boolean>> = {
    not_unicode: false,
    too_short: characters.length < minimum,
    too_long: Buffer.byteLength(canonical) > maximumBytes,
    repeats: characters.length > 2 && new Set(characters).size < 3,
    personal: !isWordy && isMadeOf(canonical, [productName, ...commonWords, ...context]),
    common: isWordy || common.has(canonical.toLowerCase()),
  }
  return passwordFlawNames.filter(flaw => found[flaw])
}

function isMadeOf(password: string, words: readonly string[]): boolean {
  const rest = words
    .flatMap(word => word.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter(word => word.length >= shortestContextWord)
    .sort((left, right) => right.length - left.length)
    .reduce((left, word) => left.replaceAll(word, ''), password.toLowerCase())
  return rest.length < password.length && rest.replace(/[^\p{L}\p{N}]/gu, '').length < fewestOtherCharacters
}

let loaded: Promise<ReadonlySet<string>> | undefined

/** Reads the list at its first use: signing in does not need it. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return loaded
}

/** Passwords of users: Argon2id behind a bounded queue, with the same cost for known and unknown users. */
import { importedHashing, passwordCharacters, passwordHashing } from '#lib/config/limits.ts'
import { type NodeShare, shareOf } from '#lib/config/node-share.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { PasswordFlaw, Passwords, Users } from '#lib/ports/users.ts'
import {
  type HashWork,
  type ImportedHash,
  importedWorkMeta,
  mostWork,
  type Prf,
  parseImportedHash,
  readImportedWork,
  workOf,
} from '#lib/protocol/registration/imported-hashes.ts'
import {
  type Argon2Parameters,
  argon2Hash,
  argon2Verify,
  canonical,
  createWorkQueue,
  formatPhc,
  isHashable,
  parsePhc,
  phcOfNobody,
  requireArgon2,
} from './argon2.ts'
import { pbkdf2Verify, spendPbkdf2 } from './pbkdf2.ts'

/** Throws a ConfigError on a Node.js without Argon2. The processes of a node share its places. */
export function createPasswords(
  parameters: Argon2Parameters = passwordHashing,
  share: Pick<NodeShare, 'workers'> = { workers: 1 },
): Passwords {
  requireArgon2()
  const absent = formatPhc(phcOfNobody(parameters))
  const queue = createWorkQueue({
    inFlight: shareOf(passwordHashing.inFlight, share),
    waiting: shareOf(passwordHashing.queue, share),
    refuse: busy,
  })
  const imported = createImportedPasswords(share)
  const spendArgon2 = () => queue.run(() => argon2Verify('', absent))
  return {
    async hash(password) {
      if (!isHashable(password)) throw new RangeError('This password is too long or not valid Unicode.')
      return queue.run(() => argon2Hash(canonical(password), parameters))
    },
    async verify(password, stored) {
      const isPossible = isHashable(password)
      const old = stored === null ? null : parseImportedHash(stored)
      if (old !== null) return (await imported.verify(isPossible ? password : '', old)) && isPossible
      const own = stored !== null && isPossible && parsePhc(stored) !== null ? stored : null
      if (own !== null) return queue.run(() => argon2Verify(canonical(password), own))
      await spendArgon2()
      return false
    },
    async equalizeCost(stored) {
      const old = stored === null ? null : parseImportedHash(stored)
      if (old !== null) await spendArgon2()
      await imported.spendRest(workOf(old))
    },
    expectImported: imported.expect,
    flawOf: passwordFlaw,
    needsRehash: stored => isWeaker(parsePhc(stored), parameters),
  }
}

type ImportedHashes = {
  readonly meta: Pick<Meta, 'find'>
  readonly users: Pick<Users, 'hasImportedHash'>
}

/** The work of the most expensive imported hash; none once all of them were replaced. */
export async function storedImportedWork({ meta, users }: ImportedHashes): Promise<HashWork> {
  const work = await meta.find(importedWorkMeta)
  return readImportedWork(work !== null && (await users.hasImportedHash()) ? work : null)
}

/**
 * Knows the work of the most expensive hash: as expected, or as verified since. Few run at the same time, so that the thread
 * pool has threads left for signatures.
 */
function createImportedPasswords(share: Pick<NodeShare, 'workers'>) {
  const queue = createWorkQueue({
    inFlight: shareOf(importedHashing.inFlight, share),
    waiting: shareOf(importedHashing.queue, share),
    refuse: busy,
  })
  let most: HashWork = workOf(null)
  const expect = (work: HashWork): void => {
    most = mostWork(most, work)
  }
  const spend = async (prf: Prf, iterations: number): Promise<void> => {
    if (iterations > 0) await queue.run(() => spendPbkdf2(prf, iterations))
  }
  return {
    expect,
    async verify(password: string, hash: ImportedHash): Promise<boolean> {
      expect(workOf(hash))
      return queue.run(() => pbkdf2Verify(password, hash))
    },
    async spendRest(done: HashWork): Promise<void> {
      await spend('sha1', most.sha1 - done.sha1)
      await spend('sha256', most.sha256 - done.sha256)
      await spend('sha512', most.sha512 - done.sha512)
    },
  }
}

function isWeaker(stored: Argon2Parameters | null, wanted: Argon2Parameters): boolean {
  if (stored === null) return true
  return stored.memoryKiB < wanted.memoryKiB || stored.passes < wanted.passes || stored.lanes < wanted.lanes
}

function busy(): OauthError {
  return new OauthError('password_queue_full', { retryAfterSeconds: passwordHashing.retryAfterSeconds })
}

// Rules for a new password, not checked at sign-in. There are no composition rules (AU-01)
const productName = 'latchkey'
/** Attackers try them first, with whatever follows. */
const commonWords = ['password', 'passwort', 'welcome', 'willkommen']
/** Shorter words appear in half of all good passwords. */
const shortestContextWord = 4
/** The fewest characters of a password besides words that belong to the user. */
const fewestOtherCharacters = 6

const endings: Readonly<Record<PasswordFlaw, string>> = {
  not_unicode: 'must be valid Unicode',
  too_short: `must have at least ${passwordCharacters.minimum} characters`,
  too_long: `must not be longer than ${passwordCharacters.maximumBytes} bytes`,
  repeats: 'must not repeat one or two characters',
  personal: 'must not be a name or word that belongs to you or this site',
  common: 'is one of the passwords that attackers try first',
}

/** Why a password may not be set, as the end of a sentence for operators; `null` when it may. */
export async function passwordProblem(
  password: string,
  context: readonly string[] = [],
): Promise<string | null> {
  const flaw = await passwordFlaw(password, context)
  return flaw === null ? null : endings[flaw]
}

/** `context` are words that belong to the user or the site, such as the user name or an email address (AU-02). */
async function passwordFlaw(password: string, context: readonly string[]): Promise<PasswordFlaw | null> {
  const { minimum, maximumBytes } = passwordCharacters
  if (!password.isWellFormed()) return 'not_unicode'
  const canonical = password.normalize('NFC')
  if ([...canonical].length < minimum) return 'too_short'
  if (Buffer.byteLength(canonical) > maximumBytes) return 'too_long'
  if (new Set(canonical).size < 3) return 'repeats'
  if (isMadeOf(canonical, commonWords)) return 'common'
  if (isMadeOf(canonical, [productName, ...commonWords, ...context])) return 'personal'
  const common = await commonPasswords()
  return common.has(canonical.toLowerCase()) ? 'common' : null
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

/** Read at the first use: signing in needs it never. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return loaded
}

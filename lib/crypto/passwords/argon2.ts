/** Argon2id as PHC strings: `$argon2id$v=19$m=…,t=…,p=…$<salt>$<hash>` (RFC 9106). */
import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { passwordCharacters } from '#lib/config/limits.ts'
import { ConfigError } from '#lib/errors/config-error.ts'

export type Argon2Parameters = { readonly memoryKiB: number; readonly passes: number; readonly lanes: number }
export type Phc = Argon2Parameters & { readonly salt: Buffer; readonly hash: Buffer }

const hashBytes = 32
const saltBytes = 16

/** Throws a ConfigError on a Node.js without Argon2 (before 24.7). */
export function requireArgon2(): void {
  if (typeof crypto.argon2 === 'function') return
  throw new ConfigError(
    `Node.js ${process.version} cannot hash passwords with Argon2; start Latchkey with Node.js 24.7 or newer.`,
  )
}

export async function argon2Hash(password: string, parameters: Argon2Parameters): Promise<string> {
  const salt = newSalt()
  return formatPhc({ ...parameters, salt, hash: await derive(password, { ...parameters, salt }) })
}

export function newSalt(): Buffer {
  return crypto.randomBytes(saltBytes)
}

/** Whether the PHC string was made from the password; false for any other string. */
export async function argon2Verify(password: string, phc: string): Promise<boolean> {
  const stored = parsePhc(phc)
  if (stored === null) return false
  return crypto.timingSafeEqual(await derive(password, stored, stored.hash.length), stored.hash)
}

/** Parses a PHC string; `null` unless it has the form above, with numbers and texts of usual lengths. */
export function parsePhc(phc: string): Phc | null {
  const parts =
    /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/.exec(
      phc,
    )
  if (parts === null) return null
  const [, memory, passes, lanes, salt, hash] = parts
  return {
    memoryKiB: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    salt: Buffer.from(salt ?? '', 'base64'),
    hash: Buffer.from(hash ?? '', 'base64'),
  }
}

export function formatPhc({ memoryKiB, passes, lanes, salt, hash }: Phc): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$${encode(salt)}$${encode(hash)}`
}

/**
 * The hash to compare with when there is no stored one: no password matches it, and it takes as long as a real one (AU-06).
 */
export function phcOfNobody(parameters: Argon2Parameters): Phc {
  return { ...parameters, salt: Buffer.from('latchkey absent!'), hash: Buffer.alloc(hashBytes) }
}

/** Computes the hash without its PHC string. */
export function derive(
  password: string,
  { memoryKiB, passes, lanes, salt }: Omit<Phc, 'hash'>,
  length: number = hashBytes,
): Promise<Buffer> {
  const parameters = {
    message: password,
    nonce: salt,
    parallelism: lanes,
    tagLength: length,
    memory: memoryKiB,
    passes,
  }
  return promisify(crypto.argon2)('argon2id', parameters)
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** AU-01: returns the password in Unicode normal form, without trimming or cutting it. */
export function canonical(password: string): string {
  return password.normalize('NFC')
}

/**
 * Whether a password can be hashed: it is not too long and has no lone surrogates, which would all become the same
 * replacement character, and therefore the same password.
 */
export function isHashable(password: string): boolean {
  return password.isWellFormed() && Buffer.byteLength(canonical(password)) <= passwordCharacters.maximumBytes
}

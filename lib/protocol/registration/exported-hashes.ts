/** Reads password hashes in the forms in which other servers export them. */
import { importedHashes as limits } from '#lib/config/limits.ts'
import { formatHash, type HashMethod, type ImportedHash, problemOfHash } from './imported-hashes.ts'

/** The result. `problem` is the end of a sentence about the hash. */
export type ReadPasswordHash = { readonly passwordHash: string } | { readonly problem: string }

/** The stored form of the hash, or why it cannot be stored. `null`: it could not be read; `form` names the forms that can. */
export function storedHash(hash: ImportedHash | null, forms: string): ReadPasswordHash {
  if (hash === null) return { problem: `is not a hash of ${forms}` }
  const problem = problemOfHash(hash)
  return problem === null ? { passwordHash: formatHash(hash) } : { problem }
}

/** Converts a column of an export of IdentityServer to the form of `User.passwordHash`. */
export function readImportedPasswordHash(exported: string): ReadPasswordHash {
  const hash = readExported(exported)
  if (hash !== null && hash.salt.length < limits.fewestKeyBytes)
    return { problem: `has a salt of ${hash.salt.length} bytes, and must have ${limits.fewestKeyBytes}` }
  return storedHash(hash, 'ASP.NET Identity or MembershipReboot')
}

function readExported(exported: string): ImportedHash | null {
  const parts = /^(?:([0-9A-Fa-f]{1,8})\.)?([A-Za-z0-9+/]+={0,2})$/.exec(exported)
  if (parts === null) return null
  const [, iterations, base64 = ''] = parts
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64) return null
  if (iterations !== undefined) return readVersion2(bytes, Number.parseInt(iterations, 16))
  return bytes[0] === 1 ? readVersion3(bytes) : readVersion2(bytes, 1000)
}

/**
 * Reads the format of ASP.NET Identity v2: a zero byte, 16 bytes of salt, 32 bytes of subkey. ASP.NET Identity v2 has
 * 1000 iterations; MembershipReboot writes their number before the hash.
 */
function readVersion2(bytes: Buffer, iterations: number): ImportedHash | null {
  if (bytes.length !== 49 || bytes[0] !== 0) return null
  return {
    method: 'pbkdf2-sha1',
    parameters: { i: iterations },
    salt: bytes.subarray(1, 17),
    key: bytes.subarray(17),
  }
}

/** The pseudorandom functions in the order of their numbers in ASP.NET Identity v3. */
const prfs = ['pbkdf2-sha1', 'pbkdf2-sha256', 'pbkdf2-sha512'] as const

/**
 * Reads the format of ASP.NET Identity v3: a byte with 1, function, iterations and length of the salt as 32 bits each,
 * salt, subkey.
 */
function readVersion3(bytes: Buffer): ImportedHash | null {
  const header = 13
  if (bytes.length < header) return null
  const method = prfs[bytes.readUInt32BE(1)]
  const end = header + bytes.readUInt32BE(9)
  if (method === undefined) return null
  const parameters = { i: bytes.readUInt32BE(5) }
  return { method, parameters, salt: bytes.subarray(header, end), key: bytes.subarray(end) }
}

const textForms = 'bcrypt, PBKDF2, scrypt, Argon2, phpass or Django in its usual text form'

/** Converts a hash in the text form of its algorithm, such as `$2b$10$…`, or of Django, such as `pbkdf2_sha256$…`. */
export function readTextHash(exported: string): ReadPasswordHash {
  for (const { form, read } of forms) {
    const parts = form.exec(exported)
    if (parts !== null) return storedHash(read(parts.slice(1)), textForms)
  }
  return { problem: `is not a hash of ${textForms}` }
}

type TextForm = {
  readonly form: RegExp
  readonly read: (parts: readonly string[]) => ImportedHash | null
}

/** The forms of bcrypt and Argon2 after the name that Django writes before them, and of Passlib's PBKDF2 and scrypt. */
const forms: readonly TextForm[] = [
  {
    form: /^(bcrypt_sha256\$|bcrypt\$)?\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/,
    read: ([django, cost, salt = '', key = '']) => ({
      method: django === 'bcrypt_sha256$' ? 'bcrypt-sha256' : 'bcrypt',
      parameters: { c: Number(cost) },
      salt: Buffer.from(salt),
      key: Buffer.from(key),
    }),
  },
  {
    form: /^(?:argon2)?\$argon2(id|i|d)\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/,
    read: ([type, m, t, p, salt = '', key = '']) => ({
      method: `other-argon2${type}` as HashMethod,
      parameters: { m: Number(m), t: Number(t), p: Number(p) },
      salt: Buffer.from(salt, 'base64'),
      key: Buffer.from(key, 'base64'),
    }),
  },
  {
    form: /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/,
    read: ([ln, r, p, salt = '', key = '']) => ({
      method: 'scrypt',
      parameters: { ln: Number(ln), r: Number(r), p: Number(p) },
      salt: Buffer.from(salt, 'base64'),
      key: Buffer.from(key, 'base64'),
    }),
  },
  {
    form: /^scrypt\$(\d{1,8})\$([^$]+)\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9+/]+={0,2})$/,
    read: ([cost, salt = '', r, p, key = '']) => {
      const ln = Math.log2(Number(cost))
      const parameters = { ln, r: Number(r), p: Number(p) }
      return Number.isInteger(ln)
        ? { method: 'scrypt', parameters, salt: Buffer.from(salt), key: Buffer.from(key, 'base64') }
        : null
    },
  },
  {
    form: /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(\d{1,9})\$([A-Za-z0-9./]+)\$([A-Za-z0-9./]+)$/,
    read: ([prf = 'sha1', i, salt = '', key = '']) => ({
      method: `pbkdf2-${prf}` as HashMethod,
      parameters: { i: Number(i) },
      salt: Buffer.from(salt.replaceAll('.', '+'), 'base64'),
      key: Buffer.from(key.replaceAll('.', '+'), 'base64'),
    }),
  },
  {
    form: /^pbkdf2_(sha1|sha256)\$(\d{1,9})\$([^$]+)\$([A-Za-z0-9+/]+={0,2})$/,
    read: ([prf, i, salt = '', key = '']) => ({
      method: prf === 'sha1' ? 'pbkdf2-sha1' : 'pbkdf2-sha256',
      parameters: { i: Number(i) },
      salt: Buffer.from(salt),
      key: Buffer.from(key, 'base64'),
    }),
  },
  {
    form: /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/,
    read: ([exponent = '', salt = '', key = '']) => ({
      method: 'phpass',
      parameters: { n: phpassAlphabet.indexOf(exponent) },
      salt: Buffer.from(salt),
      key: Buffer.from(key),
    }),
  },
]

const phpassAlphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export type KeycloakHash = {
  /** `pbkdf2`, `pbkdf2-sha256`, `pbkdf2-sha512` or `argon2`. */
  readonly algorithm: string
  readonly iterations: number
  readonly salt: string
  readonly value: string
  /** The parameters of Argon2: each name has a list with one text. */
  readonly additional: Readonly<Record<string, readonly string[]>>
}

/** Converts a credential of a Keycloak realm: the hash is a separate member, and the parameters have names. */
export function readKeycloakHash(given: KeycloakHash): ReadPasswordHash {
  return storedHash(keycloakHash(given), 'PBKDF2 or Argon2 as Keycloak stores it')
}

function keycloakHash({ algorithm, iterations, salt, value, additional }: KeycloakHash): ImportedHash | null {
  const bytes = { salt: Buffer.from(salt, 'base64'), key: Buffer.from(value, 'base64') }
  const prf = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' }[algorithm]
  if (prf !== undefined)
    return { method: `pbkdf2-${prf}` as HashMethod, parameters: { i: iterations }, ...bytes }
  const [type = 'id'] = additional.type ?? []
  const [version = '1.3'] = additional.version ?? []
  if (algorithm !== 'argon2' || version !== '1.3' || !/^(?:id|i|d)$/.test(type)) return null
  const number = (name: string) => Number(additional[name]?.[0] ?? 0)
  const parameters = { m: number('memory'), t: iterations, p: number('parallelism') }
  return { method: `other-argon2${type}` as HashMethod, parameters, ...bytes }
}

export type FirebaseParameters = {
  readonly signerKey: Buffer
  readonly saltSeparator: Buffer
  readonly rounds: number
  readonly memCost: number
}

/**
 * Converts a hash of Firebase: the signer key, encrypted by AES in counter mode with a key from scrypt. The result has the key
 * stream, so that the signer key, which is the same for all users, is not stored.
 */
export function readFirebaseHash(
  { salt, hash }: { readonly salt: Buffer; readonly hash: Buffer },
  { signerKey, saltSeparator, rounds, memCost }: FirebaseParameters,
): ReadPasswordHash {
  const length = Math.min(signerKey.length, hash.length, limits.mostBytes)
  const keyStream = Buffer.from(hash.subarray(0, length).map((byte, index) => byte ^ (signerKey[index] ?? 0)))
  const imported = {
    method: 'firebase-scrypt',
    parameters: { ln: memCost, r: rounds, p: 1 },
    salt: Buffer.concat([salt, saltSeparator]),
    key: keyStream,
  } as const
  return storedHash(hash.length === signerKey.length ? imported : null, 'Firebase with this signer key')
}

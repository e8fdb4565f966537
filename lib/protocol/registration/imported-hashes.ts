/**
 * Hashes of passwords and secrets that other servers made: their form in exports, and their stored form. Passwords:
 * PBKDF2 (RFC 8018) of ASP.NET Identity and MembershipReboot. Secrets: SHA-256 and SHA-512.
 */
import { z } from 'zod'
import { importedHashes } from '#lib/config/limits.ts'

/** The pseudorandom functions in the order of their numbers in ASP.NET Identity v3. */
const prfs = ['sha1', 'sha256', 'sha512'] as const
export type Prf = (typeof prfs)[number]
/** The length of the function's output in bytes. */
export const prfBytes: Readonly<Record<Prf, number>> = { sha1: 20, sha256: 32, sha512: 64 }

export type ImportedHash = {
  readonly prf: Prf
  readonly iterations: number
  readonly salt: Buffer
  readonly subkey: Buffer
}

/** The result. `problem` is the end of a sentence about the hash. */
export type ReadPasswordHash = { readonly passwordHash: string } | { readonly problem: string }

/** Converts a column of an export to the form of `User.passwordHash`. */
export function readImportedPasswordHash(exported: string): ReadPasswordHash {
  const hash = readExported(exported)
  if (hash === null) return { problem: 'is not a hash of ASP.NET Identity or MembershipReboot' }
  const problem = problemOf(hash)
  return problem === null ? { passwordHash: formatHash(hash) } : { problem }
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
  return { prf: 'sha1', iterations, salt: bytes.subarray(1, 17), subkey: bytes.subarray(17) }
}

/**
 * Reads the format of ASP.NET Identity v3: a byte with 1, function, iterations and length of the salt as 32 bits each,
 * salt, subkey.
 */
function readVersion3(bytes: Buffer): ImportedHash | null {
  const header = 13
  if (bytes.length < header) return null
  const prf = prfs[bytes.readUInt32BE(1)]
  const end = header + bytes.readUInt32BE(9)
  if (prf === undefined) return null
  const salt = bytes.subarray(header, end)
  return { prf, iterations: bytes.readUInt32BE(5), salt, subkey: bytes.subarray(end) }
}

function problemOf({ iterations, salt, subkey }: ImportedHash): string | null {
  const { mostIterations, fewestBytes, mostBytes } = importedHashes
  if (iterations < 1 || iterations > mostIterations) {
    return `has ${iterations} iterations, and may have from 1 to ${mostIterations}`
  }
  const isFit = ({ length }: Buffer) => length >= fewestBytes && length <= mostBytes
  if (isFit(salt) && isFit(subkey)) return null
  return `has a salt of ${salt.length} and a subkey of ${subkey.length} bytes, and both must have from ${fewestBytes} to ${mostBytes}`
}

/** The prefix of all imported password hashes. */
export const importedHashPrefix = '$pbkdf2-'

/** Whether the stored text has the prefix of an imported hash; it may be damaged. */
export function isImportedHash(stored: string): boolean {
  return stored.startsWith(importedHashPrefix)
}

function formatHash({ prf, iterations, salt, subkey }: ImportedHash): string {
  return `${importedHashPrefix}${prf}$i=${iterations}$${withoutPadding(salt)}$${withoutPadding(subkey)}`
}

function withoutPadding(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Parses an imported hash; `null` when the text cannot be one that this server stored. */
export function parseImportedHash(stored: string): ImportedHash | null {
  const parts = /^\$pbkdf2-(\w+)\$i=(\d{1,8})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(stored)
  if (parts === null) return null
  const [, name, iterations, salt = '', subkey = ''] = parts
  const prf = prfs.find(each => each === name)
  if (prf === undefined) return null
  const hash = {
    prf,
    iterations: Number(iterations),
    salt: Buffer.from(salt, 'base64'),
    subkey: Buffer.from(subkey, 'base64'),
  }
  return problemOf(hash) === null ? hash : null
}

/** Whether a hash takes so long that an import reports its user, and that it is checked in a separate queue. */
export function isSlow({ iterations }: Pick<ImportedHash, 'iterations'>): boolean {
  return iterations > importedHashes.slowIterations
}

const hashKindSchema = z.object({
  prf: z.enum(prfs),
  iterations: z.int().min(1).max(importedHashes.mostIterations),
  /** The fraction of users with a password who have such a hash. */
  share: z.number().min(0).max(1),
})
/** Imported hashes that take the same time. */
export type HashKind = z.infer<typeof hashKindSchema>

/** The counted kinds. `countedAt`: milliseconds since the epoch; 0: they must be counted again. */
const hashKindsSchema = z.object({ countedAt: z.number(), kinds: z.array(hashKindSchema) })
export type HashKinds = z.infer<typeof hashKindsSchema>

/**
 * The key in `Meta` of the counted kinds. If neither this key nor `imported_password_work`, that of earlier releases,
 * exists, no hash was ever imported.
 */
export const hashKindsMeta = 'imported_password_kinds'

/** Parses the kinds. `text`: the value in `Meta`. */
export function readHashKinds(text: string | null): HashKinds | null {
  return text === null ? null : hashKindsSchema.parse(JSON.parse(text))
}

/** Makes a hash of this kind that matches no password. */
export function hashOfNoPassword({ prf, iterations }: Omit<HashKind, 'share'>): string {
  return formatHash({ prf, iterations, salt: Buffer.alloc(16), subkey: Buffer.alloc(prfBytes[prf]) })
}

/** The forms of secret hashes in IdentityServer3 and 4: base64 of 32 or 64 bytes, in the only canonical encoding. */
const secretForms = {
  sha256: /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
  sha512: /^[A-Za-z0-9+/]{85}[AQgw]==$/,
} as const

const hashesOfNothing: ReadonlySet<string> = new Set([
  '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
])
const isNothing = 'is the hash of an empty secret'

/** The schema of a hash in a list of secrets. */
export function secretHashSchema(form: keyof typeof secretForms): z.ZodString {
  const [bits, characters] = form === 'sha256' ? [256, 44] : [512, 88]
  return z
    .string()
    .regex(secretForms[form], `must be the base64 of ${bits} bits: ${characters} characters`)
    .refine(text => !hashesOfNothing.has(text), isNothing)
}

/** An entry of a list of secrets, without its expiry. */
export type SecretHashEntry = { readonly sha256: string } | { readonly sha512: string }

/** Converts a secret of an export. `problem` is the end of a sentence about the secret. */
export function readImportedSecret(exported: string): SecretHashEntry | { readonly problem: string } {
  if (hashesOfNothing.has(exported)) return { problem: isNothing }
  if (secretForms.sha256.test(exported)) return { sha256: exported }
  if (secretForms.sha512.test(exported)) return { sha512: exported }
  return { problem: 'is neither a SHA-256 nor a SHA-512 hash in base64' }
}

/**
 * Returns the digest to store for an imported hash. For SHA-256 it has the format of the digests of generated secrets.
 */
export function digestOfSecretHash(entry: SecretHashEntry): string {
  const [form, base64] = 'sha256' in entry ? ['sha256', entry.sha256] : ['sha512', entry.sha512]
  return `${form}:${Buffer.from(base64, 'base64').toString('base64url')}`
}

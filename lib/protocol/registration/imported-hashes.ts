/**
 * Hashes of passwords and secrets that other servers made, in their stored form. Passwords: one form for all methods,
 * `$method$parameters$salt$key` with salt and key in base64. Secrets: SHA-256 and SHA-512.
 */
import { z } from 'zod'
import { importedHashes as limits } from '#lib/config/limits.ts'

export type Prf = 'sha1' | 'sha256' | 'sha512'
/** The length of the function's output in bytes. */
export const prfBytes: Readonly<Record<Prf, number>> = { sha1: 20, sha256: 32, sha512: 64 }

/** The largest value of each parameter of a method. The smallest is 1. */
type Limits = Readonly<Record<string, number>>

type MethodRow = {
  /** The parameters in their order in the stored form. */
  readonly most: Limits
  /** How long a check takes: 1 is the time from which a hash is slow. */
  readonly work: (parameters: Parameters) => number
  /** Limits that several parameters have together. */
  readonly problem?: (parameters: Parameters) => string | null
}

const pbkdf2 = { most: { i: limits.mostIterations }, work: ({ i = 0 }) => i / limits.slowIterations } as const
const scrypt = {
  most: { ln: 24, r: 64, p: 16 },
  work: ({ ln = 0, r = 0, p = 0 }) => (2 ** ln * r * p) / limits.slowScryptBlocks,
  problem: ({ ln = 0, r = 0 }) => memoryProblem((128 * 2 ** ln * r) / 1024),
} satisfies MethodRow
const argon2 = {
  most: { m: limits.mostMemoryKiB, t: 64, p: 16 },
  work: ({ m = 0, t = 0 }) => (m * t) / limits.slowArgon2KiB,
  // RFC 9106 3.1
  problem: ({ m = 0, p = 0 }) =>
    m < 8 * p ? `has ${m} KiB of memory, and needs 8 for each of its ${p} lanes` : null,
} satisfies MethodRow
const bcrypt = {
  most: { c: limits.mostBcryptCost },
  work: ({ c = 0 }) => 2 ** c / 2 ** limits.slowBcryptCost,
} satisfies MethodRow

const methods = {
  'pbkdf2-sha1': pbkdf2,
  'pbkdf2-sha256': pbkdf2,
  'pbkdf2-sha512': pbkdf2,
  scrypt,
  /** Scrypt of Firebase, whose result is a key that encrypts; the stored key is the start of the key stream. */
  'firebase-scrypt': scrypt,
  'other-argon2d': argon2,
  'other-argon2i': argon2,
  'other-argon2id': argon2,
  /** Salt and key are the characters of bcrypt's own form. */
  bcrypt,
  /** Django: bcrypt of the SHA-256 in hexadecimal. */
  'bcrypt-sha256': bcrypt,
  /** Iterated MD5 of WordPress and phpBB. Salt and key are the characters of phpass's own form. */
  phpass: {
    most: { n: limits.mostPhpassExponent },
    work: ({ n = 0 }) => 2 ** n / 2 ** limits.mostPhpassExponent,
  },
} as const satisfies Readonly<Record<string, MethodRow>>

export type HashMethod = keyof typeof methods
type Parameters = Readonly<Record<string, number>>

export type ImportedHash = {
  readonly method: HashMethod
  readonly parameters: Parameters
  readonly salt: Buffer
  readonly key: Buffer
}

function memoryProblem(memoryKiB: number): string | null {
  if (memoryKiB <= limits.mostMemoryKiB) return null
  return `needs ${Math.ceil(memoryKiB / 1024)} MiB of memory, and may need ${limits.mostMemoryKiB / 1024}`
}

const parameterNames: Readonly<Record<string, string>> = {
  i: 'iterations',
  m: 'KiB of memory',
  t: 'passes',
  p: 'lanes',
  c: 'as its cost',
  n: 'as its exponent',
  ln: 'as the logarithm of its cost',
  r: 'as its block size',
}

/** Explains why a hash is refused, as the end of a sentence; `null` if it can be checked. */
export function problemOfHash({ method, parameters, salt, key }: ImportedHash): string | null {
  const { most, problem }: MethodRow = methods[method]
  for (const [name, limit] of Object.entries(most)) {
    const value = parameters[name] ?? 0
    if (value < 1 || value > limit)
      return `has ${value} ${parameterNames[name]}, and may have from 1 to ${limit}`
  }
  const { fewestSaltBytes, fewestKeyBytes, mostBytes } = limits
  const areFit =
    salt.length >= fewestSaltBytes &&
    key.length >= fewestKeyBytes &&
    Math.max(salt.length, key.length) <= mostBytes
  if (areFit) return problem?.(parameters) ?? null
  return `has a salt of ${salt.length} and a subkey of ${key.length} bytes, and they must have from ${fewestSaltBytes} and ${fewestKeyBytes} to ${mostBytes}`
}

/** Whether the stored text has the form of an imported hash; it may be damaged. */
export function isImportedHash(stored: string): boolean {
  return isMethod(/^\$([a-z0-9-]+)\$/.exec(stored)?.[1] ?? '')
}

function isMethod(name: string): name is HashMethod {
  return Object.hasOwn(methods, name)
}

export function formatHash(hash: ImportedHash): string {
  return `${costOf(hash)}$${withoutPadding(hash.salt)}$${withoutPadding(hash.key)}`
}

/** The start of the stored form: everything that the time of a check depends on. */
export function costOf({ method, parameters }: Pick<ImportedHash, 'method' | 'parameters'>): string {
  const texts = Object.keys(methods[method].most).map(name => `${name}=${parameters[name]}`)
  return `$${method}$${texts.join(',')}`
}

function withoutPadding(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Parses an imported hash; `null` when the text cannot be one that this server stored. */
export function parseImportedHash(stored: string): ImportedHash | null {
  const parts =
    /^\$([a-z0-9-]+)\$([a-z]+=\d{1,8}(?:,[a-z]+=\d{1,8})*)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(stored)
  if (parts === null) return null
  const [, method = '', texts = '', salt = '', key = ''] = parts
  if (!isMethod(method)) return null
  const parameters = Object.fromEntries(
    texts.split(',').map(text => [text.split('=')[0] ?? '', Number(text.split('=')[1])] as const),
  )
  const hash = { method, parameters, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
  return costOf(hash) === `$${method}$${texts}` && problemOfHash(hash) === null ? hash : null
}

/** Whether a hash takes so long that an import reports its user, and that it is checked in a separate queue. */
export function isSlow({ method, parameters }: Pick<ImportedHash, 'method' | 'parameters'>): boolean {
  return methods[method].work(parameters) > 1
}

const hashKindSchema = z.object({
  /** See `costOf`. */
  cost: z.string().max(100),
  /** The fraction of users with a password who have such a hash. */
  share: z.number().min(0).max(1),
})
/** Imported hashes that take the same time. */
export type HashKind = z.infer<typeof hashKindSchema>

/** A kind as earlier releases stored it. */
const earlierKindSchema = z
  .object({ prf: z.enum(['sha1', 'sha256', 'sha512']), iterations: z.int(), share: z.number() })
  .transform(({ prf, iterations, share }) => ({ cost: `$pbkdf2-${prf}$i=${iterations}`, share }))

/** The counted kinds. `countedAt`: milliseconds since the epoch; 0: they must be counted again. */
const hashKindsSchema = z.object({
  countedAt: z.number(),
  kinds: z.array(hashKindSchema.or(earlierKindSchema)),
})
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

/** Makes a hash of this cost that matches no password. */
export function hashOfNoPassword(cost: string): string {
  const isText = cost.startsWith('$bcrypt') || cost.startsWith('$phpass')
  const [salt, key] = isText ? ['.'.repeat(22), '.'.repeat(31)] : ['\0'.repeat(16), '\0'.repeat(64)]
  return `${cost}$${withoutPadding(Buffer.from(salt))}$${withoutPadding(Buffer.from(key))}`
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

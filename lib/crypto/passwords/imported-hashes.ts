/** Verifies passwords whose hashes were imported. New hashes are Argon2id. */
import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import {
  type HashMethod,
  type ImportedHash,
  type Prf,
  prfBytes,
} from '#lib/protocol/registration/imported-hashes.ts'
import { areSameBytes } from '../hashing.ts'
import { computeInThread } from './hash-thread-calls.ts'

/** Verifies the password as typed: the other servers did not normalize it. */
export async function verifyImported(password: string, hash: ImportedHash): Promise<boolean> {
  const { method, key } = hash
  const prf = prfOf(method)
  return areSameBytes(await keyOf(password, hash), prf === null ? key : key.subarray(0, prfBytes[prf]))
}

/** Whether one thread computes the hash after others of this kind, because Node.js does not have the function. */
export function isComputedInThread({ method }: Pick<ImportedHash, 'method'>): boolean {
  return method === 'bcrypt' || method === 'bcrypt-sha256' || method === 'phpass'
}

/** The pseudorandom function of PBKDF2; `null` for another method. */
function prfOf(method: HashMethod): Prf | null {
  if (method === 'pbkdf2-sha1') return 'sha1'
  if (method === 'pbkdf2-sha256') return 'sha256'
  return method === 'pbkdf2-sha512' ? 'sha512' : null
}

function keyOf(password: string, hash: ImportedHash): Promise<Buffer> {
  switch (hash.method) {
    case 'pbkdf2-sha1':
      return pbkdf2(password, hash, 'sha1')
    case 'pbkdf2-sha256':
      return pbkdf2(password, hash, 'sha256')
    case 'pbkdf2-sha512':
      return pbkdf2(password, hash, 'sha512')
    case 'scrypt':
      return scrypt(password, hash, hash.key.length)
    case 'firebase-scrypt':
      return firebaseScrypt(password, hash)
    case 'other-argon2d':
      return argon2(password, hash, 'argon2d')
    case 'other-argon2i':
      return argon2(password, hash, 'argon2i')
    case 'other-argon2id':
      return argon2(password, hash, 'argon2id')
    case 'bcrypt':
      return bcrypt(password, hash)
    case 'bcrypt-sha256':
      return bcrypt(crypto.hash('sha256', password, 'hex'), hash)
    case 'phpass':
      return phpass(password, hash)
  }
}

/**
 * RFC 8018 5.2: each block of the subkey needs all iterations, and no other block. The first block has at least 128 bits
 * and is enough to verify the password, in half the time of two blocks.
 */
function pbkdf2(password: string, { parameters, salt, key }: ImportedHash, prf: Prf): Promise<Buffer> {
  const length = Math.min(key.length, prfBytes[prf])
  return promisify(crypto.pbkdf2)(password, salt, parameters.i ?? 0, length, prf)
}

/** RFC 7914. */
function scrypt(password: string, { parameters, salt }: ImportedHash, length: number): Promise<Buffer> {
  const { ln = 0, r = 0, p = 0 } = parameters
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const options = { N: 2 ** ln, r, p, maxmem: 128 * (2 ** ln + p + 2) * r }
  crypto.scrypt(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)))
  return promise
}

const aesKeyBytes = 32
const aesBlockBytes = 16

/** The start of the key stream with which Firebase encrypts its signer key. */
async function firebaseScrypt(password: string, hash: ImportedHash): Promise<Buffer> {
  const key = await scrypt(password, hash, aesKeyBytes)
  const cipher = crypto.createCipheriv('aes-256-ctr', key, Buffer.alloc(aesBlockBytes))
  return cipher.update(Buffer.alloc(hash.key.length))
}

/** RFC 9106. */
function argon2(password: string, { parameters, salt, key }: ImportedHash, type: crypto.Argon2Algorithm) {
  const { m: memory = 0, t: passes = 0, p: parallelism = 0 } = parameters
  const tagLength = key.length
  return promisify(crypto.argon2)(type, {
    message: password,
    nonce: salt,
    parallelism,
    tagLength,
    memory,
    passes,
  })
}

/** Compares only the first 72 bytes, as the other server did. NOTE: libraries disagree about NUL, so no password with it is right. */
async function bcrypt(password: string, { parameters, salt }: ImportedHash): Promise<Buffer> {
  const key = await keyFromThread({ kind: 'bcrypt', password, cost: parameters.c ?? 0, salt: `${salt}` })
  return password.includes('\0') ? Buffer.alloc(0) : key
}

function phpass(password: string, { parameters, salt }: ImportedHash): Promise<Buffer> {
  return keyFromThread({ kind: 'phpass', password, exponent: parameters.n ?? 0, salt: `${salt}` })
}

async function keyFromThread(job: Parameters<typeof computeInThread>[0]): Promise<Buffer> {
  return Buffer.from(await computeInThread(job))
}

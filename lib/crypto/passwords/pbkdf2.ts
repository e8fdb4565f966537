/** PBKDF2 (RFC 8018), for passwords whose hashes were imported. New hashes are Argon2id. */
import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import type { ImportedHash, Prf } from '#lib/protocol/registration/imported-hashes.ts'
import { areSameBytes } from '../hashing.ts'

/** The password counts as it was typed: the other servers did not normalize it. */
export async function pbkdf2Verify(password: string, stored: ImportedHash): Promise<boolean> {
  return areSameBytes(await derive(password, stored, stored.subkey.length), stored.subkey)
}

/** Computes for as long as a hash with one block and this many iterations takes. */
export async function spendPbkdf2(prf: Prf, iterations: number): Promise<void> {
  await derive('', { prf, iterations, salt: Buffer.alloc(16) }, 1)
}

function derive(
  password: string,
  { prf, iterations, salt }: Omit<ImportedHash, 'subkey'>,
  length: number,
): Promise<Buffer> {
  return promisify(crypto.pbkdf2)(password, salt, iterations, length, prf)
}

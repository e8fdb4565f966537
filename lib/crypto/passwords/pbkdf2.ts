/** PBKDF2 (RFC 8018), for passwords whose hashes were imported. New hashes are Argon2id. */
import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { type ImportedHash, prfBytes } from '#lib/protocol/registration/imported-hashes.ts'
import { areSameBytes } from '../hashing.ts'

/**
 * Verifies the password as typed: the other servers did not normalize it. RFC 8018 5.2: each block of the subkey needs
 * all iterations, and no other block. The first block has at least 128 bits and is enough to verify the password, in
 * half the time of two blocks.
 */
export async function pbkdf2Verify(
  password: string,
  { prf, iterations, salt, subkey }: ImportedHash,
): Promise<boolean> {
  const expected = subkey.subarray(0, prfBytes[prf])
  const computed = await promisify(crypto.pbkdf2)(password, salt, iterations, expected.length, prf)
  return areSameBytes(computed, expected)
}

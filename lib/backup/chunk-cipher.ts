/**
 * Encrypts a stream of chunks with a passphrase: scrypt, then AES-256-GCM for each chunk. The nonce is the number of the
 * chunk and whether it is the last one, so chunks cannot be moved, repeated or left out. Each file has its own salt, so
 * no nonce is used twice with a key.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { backups } from '#lib/config/limits.ts'

export const tagBytes = 16

export type ChunkKey = { readonly key: Buffer; readonly associatedData: Buffer }
type Position = { readonly index: number; readonly isLast: boolean }

export function newSalt(): Buffer {
  return randomBytes(16)
}

export function deriveChunkKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  const { cost, blockSize } = backups.scrypt
  const options = { N: cost, r: blockSize, p: 1, maxmem: 256 * cost * blockSize }
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  )
}

export function encryptChunk({ key, associatedData }: ChunkKey, plain: Buffer, position: Position): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(position), { authTagLength: tagBytes })
  cipher.setAAD(associatedData)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Throws if the chunk was not encrypted with this key at this position. */
export function decryptChunk({ key, associatedData }: ChunkKey, sealed: Buffer, position: Position): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(position), { authTagLength: tagBytes })
  decipher.setAAD(associatedData).setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()])
}

function nonceOf({ index, isLast }: Position): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(index, 7)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

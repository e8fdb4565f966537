/**
 * The form of a backup file: a line with the version of the form, a line with a JSON header, the data, a SHA-256 digest of
 * all before it, and an HMAC of that digest. The digest detects damage; the HMAC, whose key is derived from the master
 * key, detects changes.
 */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { backups } from '#lib/config/limits.ts'
import { deriveKey } from '#lib/crypto/keys/sealing.ts'
import type { DatabaseFacts } from '#lib/storage/sqlite/sqlite-snapshot.ts'
import { tagBytes } from './chunk-cipher.ts'

export const formatName = 'LATCHKEY-BACKUP'
export const formatVersion = 1
export const firstLine = `${formatName} ${formatVersion}\n`
export const digestBytes = 32
/** The digest and the HMAC at the end of a file. */
export const trailerBytes = 2 * digestBytes

const count = z.number().int().nonnegative()

/** The header. `keyId`: the master key that wraps the data keys. `bytes`: the size of the database. */
export const headerSchema = z.object({
  createdAt: z.iso.datetime(),
  keyId: z.string().regex(/^[\w-]{8}$/),
  migrations: z.array(z.string()),
  counts: z.record(z.string(), count),
  audit: z.object({ seq: count, hash: z.string() }).nullable(),
  bytes: count,
  encryption: z
    .object({ method: z.literal('scrypt-aes-256-gcm'), salt: z.string().regex(/^[\w-]{22}$/) })
    .nullable(),
}) satisfies z.ZodType<DatabaseFacts>
export type BackupHeader = z.output<typeof headerSchema>

export function headerLine(header: BackupHeader): Buffer {
  return Buffer.from(`${JSON.stringify(header)}\n`)
}

/** Returns the size of the data in the file: encrypted chunks are longer. */
export function storedBytes({ bytes, encryption }: BackupHeader): number {
  return encryption === null ? bytes : bytes + countChunks(bytes) * tagBytes
}

export function countChunks(bytes: number): number {
  return Math.ceil(bytes / backups.chunkBytes)
}

export function macOf(masterKey: Buffer, digest: Buffer): Buffer {
  return createHmac('sha256', deriveKey(masterKey, 'backup')).update(digest).digest()
}

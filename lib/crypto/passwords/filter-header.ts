/** The header of a filter of breached passwords: 16 bytes of text, the bytes of an entry, and the number of entries. */
import { breachedPasswords as limits } from '#lib/config/limits.ts'

const magic = 'latchkey-breach1'
const countAt = limits.headerBytes - 8

export type FilterHeader = { readonly entryBytes: number; readonly count: number }

export function filterHeader({ entryBytes, count }: FilterHeader): Buffer {
  const bytes = Buffer.alloc(limits.headerBytes)
  bytes.write(magic, 'latin1')
  bytes.writeUInt8(entryBytes, magic.length)
  bytes.writeBigUInt64BE(BigInt(count), countAt)
  return bytes
}

/** Reads the header; `null` if the file is not a filter. */
export function readFilterHeader(bytes: Buffer): FilterHeader | null {
  if (bytes.length < limits.headerBytes || bytes.toString('latin1', 0, magic.length) !== magic) return null
  const entryBytes = bytes.readUInt8(magic.length)
  return entryBytes === 0 ? null : { entryBytes, count: Number(bytes.readBigUInt64BE(countAt)) }
}

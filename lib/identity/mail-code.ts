/** The code in a mail, to type in the browser that asked for it. */
import { mailProof as limits } from '#lib/config/limits.ts'
import type { Hashing, Random } from '#lib/ports/environment.ts'
import type { Digest, MailPageHandle } from '#lib/protocol/ids.ts'

/** 32 characters without those that look alike, so that five bits choose one. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Makes a code of 40 random bits. */
export function newCode(random: Pick<Random, 'id'>): string {
  const bytes = Buffer.from(random.id(), 'base64url').subarray(0, limits.codeCharacters)
  return [...bytes].map(byte => alphabet.charAt(byte % alphabet.length)).join('')
}

/** Writes the code in two groups. */
export function groupedCode(code: string): string {
  const half = limits.codeCharacters / 2
  return `${code.slice(0, half)}-${code.slice(half)}`
}

/**
 * Returns the digest of a code, as typed: case, spaces and hyphens do not matter. The handle of the page is part of it:
 * a reader of the database cannot try all codes.
 */
export function codeDigest(hashing: Pick<Hashing, 'digest'>, page: MailPageHandle, typed: string): Digest {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Dash}]/gu, '')
  return hashing.digest(JSON.stringify([page, code]))
}

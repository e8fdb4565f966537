/** Which texts can be hashed as passwords, and in which form. */
import { passwordCharacters } from '#lib/config/limits.ts'

/** AU-01: Unicode normalised once, nothing trimmed, nothing cut off. */
export function canonical(password: string): string {
  return password.normalize('NFC')
}

/** Lone surrogates would all become the same replacement character, and so the same password. */
export function isHashable(password: string): boolean {
  return password.isWellFormed() && Buffer.byteLength(canonical(password)) <= passwordCharacters.maximumBytes
}

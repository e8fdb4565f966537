import type { Hashing } from '#lib/ports/environment.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'

/**
 * Returns the user handle of a subject, as base64url: a digest, because authenticators show and synchronize it, and it must
 * not identify the user (Web Authentication Level 3, 14.6.1).
 */
export function userHandleOf({ digest }: Pick<Hashing, 'digest'>, subject: SubjectId): string {
  return digest(`passkeys:user:${subject}`)
}

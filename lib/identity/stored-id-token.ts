/** The ID token of an identity provider, which a session stores as the hint for signing out there. */
import type { Ports } from '#lib/ports/ports.ts'
import type { ProvenSignIn } from '#lib/ports/sign-in-steps.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'

/** Returns the sealing context. It contains the user, because the digest of a session can change. */
export function idTokenPlace(subject: SubjectId): string {
  return `sessions:id_token:${subject}`
}

/** Returns the sealed ID token of the sign-in for the details of its session; empty if there is none. */
export function sealedIdToken({ sealing }: Pick<Ports, 'sealing'>, { provider, subject }: ProvenSignIn) {
  const idToken = provider?.idToken ?? null
  return idToken === null ? {} : { sealedIdToken: sealing.seal(idToken, idTokenPlace(subject)) }
}

import type { Passkey } from '#lib/ports/passkeys.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'

/** Returns the passkeys that the user can use here: none if there are no passkeys at this address. */
export async function usablePasskeys(
  { passkeys, settings }: Pick<Ports, 'passkeys' | 'settings'>,
  subject: SubjectId,
): Promise<readonly Passkey[]> {
  return settings.relyingParty.kind === 'on' ? passkeys.allOf(subject) : []
}

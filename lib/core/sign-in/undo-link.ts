/**
 * The link “This wasn’t me” in a mail about a change of an account. Everything that it needs is sealed in it, so that no row is
 * stored for links that no one opens.
 */
import type { Random, Sealing } from '#lib/ports/environment.ts'
import type { SecurityChange } from '#lib/ports/mail.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'

export type UndoLink = {
  readonly id: string
  readonly subject: SubjectId
  readonly change: SecurityChange
  /** The time of the change. */
  readonly at: Date
  /** The address that was verified before the change, to which the mail is sent. */
  readonly address: string
}

/** The sealing context. */
export const undoLinkPlace = 'undo_link'

export function sealUndoLink(
  { random, sealing }: { readonly random: Pick<Random, 'id'>; readonly sealing: Pick<Sealing, 'seal'> },
  link: Omit<UndoLink, 'id'>,
): string {
  return sealing.seal(JSON.stringify({ ...link, id: random.id() }), undoLinkPlace)
}

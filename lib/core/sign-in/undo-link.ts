/**
 * The link “This wasn’t me” in a mail about a change of an account. Everything that it needs is sealed in it, so that no row is
 * stored for links that no one opens.
 */
import { z } from 'zod'
import { undoLink as limits } from '#lib/config/limits.ts'
import { openSealedJson, type Random, type Sealing } from '#lib/ports/environment.ts'
import { securityChanges } from '#lib/ports/mail.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

const linkSchema = z.object({
  id: z.string(),
  subject: subjectIdSchema,
  change: z.enum(securityChanges),
  /** The time of the change. */
  at: z.coerce.date(),
  /** The address that was verified before the change, to which the mail is sent. */
  address: z.string(),
})
export type UndoLink = z.output<typeof linkSchema>

const place = 'undo_link'

export function sealUndoLink(
  { random, sealing }: { readonly random: Pick<Random, 'id'>; readonly sealing: Pick<Sealing, 'seal'> },
  link: Omit<UndoLink, 'id' | 'subject'> & { readonly subject: SubjectId },
): string {
  return sealing.seal(JSON.stringify({ ...link, id: random.id() }), place)
}

/** Opens a link; `null` if it was altered or has expired. */
export function openUndoLink(sealing: Sealing, sealed: string | null, now: Date): UndoLink | null {
  if (sealed === null || sealed === '') return null
  const link = linkSchema.safeParse(openSealedJson(sealing, sealed, place))
  if (!link.success || secondsAfter(link.data.at, limits.lifetimeSeconds) <= now) return null
  return link.data
}

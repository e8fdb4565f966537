/** Opens the link “This wasn’t me”. */
import { z } from 'zod'
import { undoLink as limits } from '#lib/config/limits.ts'
import { type UndoLink, undoLinkPlace } from '#lib/core/sign-in/undo-link.ts'
import { openSealedJson, type Sealing } from '#lib/ports/environment.ts'
import { securityChanges } from '#lib/ports/mail.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

const linkSchema = z.object({
  id: z.string(),
  subject: subjectIdSchema,
  change: z.enum(securityChanges),
  at: z.coerce.date(),
  address: z.string(),
})

/** Opens a link; `null` if it was altered or has expired. */
export function openUndoLink(sealing: Sealing, sealed: string | null, now: Date): UndoLink | null {
  if (sealed === null || sealed === '') return null
  const link = linkSchema.safeParse(openSealedJson(sealing, sealed, undoLinkPlace))
  if (!link.success || secondsAfter(link.data.at, limits.lifetimeSeconds) <= now) return null
  return link.data
}

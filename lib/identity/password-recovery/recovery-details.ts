/** The values that a request for a new password keeps: the typed name, and where the user continues. */
import { z } from 'zod'
import type { Ports } from '#lib/ports/ports.ts'
import type { Digest, PendingHandle } from '#lib/protocol/ids.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const purpose = 'reset_password'

const detailsSchema = z.object({
  typed: z.string(),
  pending: z.string().nullable(),
  back: z.string().nullable(),
})

export type RecoveryDetails = {
  /** The user name or address, as the user typed it. */
  readonly typed: string
  readonly pending: PendingHandle | null
  readonly back: string | null
}

/** `page`: the digest of the page, which identifies the row as long as it exists. */
export function sealDetails(
  { sealing }: Pick<Ports, 'sealing'>,
  page: Digest,
  details: RecoveryDetails,
): string {
  return sealing.seal(JSON.stringify(details), `mail_proofs:details:${page}`)
}

/** Throws if the stored value cannot be opened. */
export function openDetails(
  { sealing }: Pick<Ports, 'sealing'>,
  { page, sealedDetails }: { readonly page: Digest; readonly sealedDetails: string },
): RecoveryDetails {
  const details = detailsSchema.parse(JSON.parse(sealing.open(sealedDetails, `mail_proofs:details:${page}`)))
  return { ...details, pending: parseHandle('pending', details.pending) }
}

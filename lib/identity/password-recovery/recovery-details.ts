/** The values that a request for a new password keeps: the typed name, and where the user continues. */
import { z } from 'zod'
import type { Ports } from '#lib/ports/ports.ts'
import type { PendingHandle } from '#lib/protocol/ids.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { openProofDetails } from '../mail-proofs.ts'

export const purpose = 'reset_password'

const detailsSchema = z.object({
  typed: z.string(),
  pending: z.string().nullable(),
  back: z.string().nullable(),
})

type SealedDetails = Parameters<typeof openProofDetails>[1]

export type RecoveryDetails = {
  /** The user name or address, as the user typed it. */
  readonly typed: string
  readonly pending: PendingHandle | null
  readonly back: string | null
}

/** Throws if the stored value cannot be opened. */
export function openDetails(ports: Pick<Ports, 'sealing'>, proof: SealedDetails): RecoveryDetails {
  const details = detailsSchema.parse(JSON.parse(openProofDetails(ports, proof)))
  return { ...details, pending: parseHandle('pending', details.pending) }
}

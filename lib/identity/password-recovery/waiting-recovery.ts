/** The page on which the code of the mail is typed. */
import type { Ports } from '#lib/ports/ports.ts'
import {
  type CodeOutcome,
  findProofByPage,
  type PageProof,
  redeemProofCode,
  type WaitingProof,
  waitingProof,
} from '../mail-proofs.ts'
import { openDetails, purpose, type RecoveryDetails } from './recovery-details.ts'

/** A request that waits for its code. */
export type WaitingRecovery = RecoveryDetails & WaitingProof

/** Returns the request of this page; `null` if it is unknown, has expired, or was made in another browser. */
export async function waitingRecovery(ports: Ports, asked: PageProof): Promise<WaitingRecovery | null> {
  const proof = await findProofByPage(ports, purpose, asked)
  return proof && { ...openDetails(ports, proof), ...waitingProof(ports, proof) }
}

/** Exchanges the code for a link to the form for the new password: see `redeemProofCode`. */
export function redeemCode(ports: Ports, typed: PageProof & { readonly code: string }): Promise<CodeOutcome> {
  return redeemProofCode(ports, purpose, typed)
}

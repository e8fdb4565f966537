/** The link of the mail, and the page that it opens. */
import { findInteraction } from '#lib/core/authorize/pending.ts'
import type { MailProof } from '#lib/ports/mail-proofs.ts'
import type { PasswordRecovery, RecoverableAccount } from '#lib/ports/password-recovery.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, MailLinkHandle } from '#lib/protocol/ids.ts'
import { type ShownRequest, shownRequest } from '../interaction.ts'
import { type PasswordOwner, shortestPassword } from '../password-choice.ts'
import { openDetails, purpose } from './recovery-details.ts'
import { recoveryOf } from './request-recovery.ts'

export type LinkProof = { readonly link: MailLinkHandle | null; readonly browser: BrowserHandle | null }

type OpenRecovery = {
  readonly proof: MailProof
  readonly account: RecoverableAccount
  readonly recovery: PasswordRecovery
}

/** Returns the proof and its account; `null` if the link does not work: see `MailProof`. */
export async function findByLink(ports: Ports, link: MailLinkHandle | null): Promise<OpenRecovery | null> {
  const recovery = recoveryOf(ports, null)
  if (link === null || recovery === null) return null
  const { mailProofs, hashing, clock } = ports
  const proof = await mailProofs.findByLink(hashing.digest(link), purpose, clock.now())
  if (proof === null || proof.subject === null) return null
  const account = await recovery.read(proof.subject)
  if (account?.kind !== 'password' || hashing.digest(account.state) !== proof.accountState) return null
  return { proof, account, recovery }
}

/** The request is absent if the link was opened in another browser. */
export type RecoveryView = ShownRequest & {
  readonly username: string
  /** The number of characters that the password must have. */
  readonly minimum: number
}

/** Returns the content of the page for the new password; `null` if the link does not work. Changes nothing. */
export async function recoveryView(ports: Ports, { link, browser }: LinkProof): Promise<RecoveryView | null> {
  const found = await findByLink(ports, link)
  if (found === null) return null
  const { pending } = openDetails(ports, found.proof)
  const interaction = await findInteraction(ports, pending, browser)
  const minimum = await shortestPassword(ports, await ownerOfAccount(ports, found.account))
  return { username: found.account.username, minimum, ...shownRequest(interaction) }
}

/** The owner of the password. The claims of another store are not known. */
export async function ownerOfAccount(
  { users }: Ports,
  { subject, words }: RecoverableAccount,
): Promise<PasswordOwner> {
  const user = await users.findBySubject(subject)
  return { words, claims: user?.claims ?? null }
}

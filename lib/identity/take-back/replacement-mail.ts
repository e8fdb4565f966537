/** The mail with which a user who took back a change chooses a new password. */
import { mailProof as limits } from '#lib/config/limits.ts'
import type { UndoLink } from '#lib/core/sign-in/undo-link.ts'
import { languageOf, newMail } from '#lib/ports/mail.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import { makeMailProof } from '../mail-proofs.ts'
import { purpose, type RecoveryDetails } from '../password-recovery/recovery-details.ts'
import { recoveryOf } from '../password-recovery/request-recovery.ts'

/**
 * Sends a mail with a link, only to the address that was verified before the change: a custom user service may not have
 * restored it. Returns whether one was sent. There is no page for the code, so that the mail has none.
 */
export async function sendReplacementMail(
  ports: Ports,
  { subject, address }: Pick<UndoLink, 'subject' | 'address'>,
): Promise<boolean> {
  const account = (await recoveryOf(ports, null)?.read(subject)) ?? null
  if (account?.kind !== 'password' || account.mailbox === null) return false
  const { username, state, mailbox } = account
  if (canonicalUsername(mailbox.address) !== canonicalUsername(address)) return false
  const details: RecoveryDetails = { typed: username, pending: null, back: null }
  const made = await makeMailProof(ports, { purpose, browser: null, details: JSON.stringify(details) })
  const values = { kind: 'taken_back', username, link: made.link }
  const body = {
    to: mailbox.address,
    locale: languageOf(mailbox),
    content: 'reset_password',
    values,
  } as const
  const mail = newMail(ports, body, { now: ports.clock.now(), usefulSeconds: limits.lifetimeSeconds })
  const owner = { subject, accountState: ports.hashing.digest(state) }
  await ports.mailProofs.send({ digest: made.digest, purpose }, owner, [mail])
  return true
}

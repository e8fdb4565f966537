/** The mail for a forgotten password, which depends on the accounts that the user can mean. */
import { mailProof as limits, rateLimits } from '#lib/config/limits.ts'
import { newMail } from '#lib/ports/mail.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Mailbox, RecoverableAccount } from '#lib/ports/users.ts'
import type { Digest, MailLinkHandle } from '#lib/protocol/ids.ts'
import { limitKey } from '#lib/protocol/network-limits.ts'
import { groupedCode } from './mail-code.ts'
import { purpose } from './recovery-details.ts'

export type MailedProof = {
  readonly typed: string
  readonly digest: Digest
  readonly link: MailLinkHandle
  readonly code: string
}

type Reachable = RecoverableAccount & { readonly mailbox: Mailbox }

/** Sends the mail, if an account with a verified address exists and did not get too many. */
export async function sendRecoveryMail(ports: Ports, proof: MailedProof): Promise<void> {
  const found = (await ports.userService.recovery?.find(proof.typed)) ?? []
  const [account, ...others] = found.filter(isReachable)
  if (account === undefined || !(await isAllowed(ports, account))) return
  const { digest } = proof
  const { subject, username, mailbox, kind } = account
  const send = (values: Readonly<Record<string, string>>) => mailTo(ports, mailbox, values)
  if (others.length > 0) {
    const usernames = [account, ...others].map(other => other.username).join('\n')
    return ports.mailProofs.send({ digest, purpose }, null, [send({ kind: 'several', usernames })])
  }
  if (kind !== 'password') return ports.mailProofs.send({ digest, purpose }, null, [send({ kind, username })])
  const owner = { subject, accountState: ports.hashing.digest(account.state) }
  const secrets = { link: proof.link, code: groupedCode(proof.code) }
  return ports.mailProofs.send({ digest, purpose }, owner, [send({ kind, username, ...secrets })])
}

function isReachable(account: RecoverableAccount): account is Reachable {
  return account.mailbox !== null
}

/** Counts the mail. Only its receiver learns whether it was sent. */
async function isAllowed({ rateLimiter, clock }: Ports, { subject }: Reachable): Promise<boolean> {
  const rule = { key: limitKey('recovery:account', subject), ...rateLimits.recoveryAccount }
  return (await rateLimiter.consume([rule], clock.now())).kind === 'allowed'
}

function mailTo(
  ports: Ports,
  { address: to, locale }: Mailbox,
  values: Readonly<Record<string, string>>,
): NewDelivery {
  const body = { to, locale, content: 'reset_password', values } as const
  return newMail(ports, body, { now: ports.clock.now(), usefulSeconds: limits.lifetimeSeconds })
}

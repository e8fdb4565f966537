/** The mail for a forgotten password, which depends on the accounts that the typed name can belong to. */
import { mailProof as limits } from '#lib/config/limits.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import { languageOf, newMail } from '#lib/ports/mail.ts'
import type { ProofOwner } from '#lib/ports/mail-proofs.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { RecoverableAccount } from '#lib/ports/password-recovery.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import type { Mailbox } from '#lib/ports/users.ts'
import type { Digest, MailLinkHandle, PendingHandle, SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { flowField } from '../interaction.ts'
import { groupedCode } from '../mail-code.ts'
import { recoveryMailRule, sharedRecoveryMailRule } from '../user-limits.ts'
import { purpose } from './recovery-details.ts'

export type MailedProof = {
  readonly typed: string
  /** The request of an app that waits for the sign-in. */
  readonly pending: PendingHandle | null
  /** The language of the page on which the mail was asked for. */
  readonly locale: string
  readonly digest: Digest
  readonly link: MailLinkHandle
  readonly code: string
}

type Reachable = RecoverableAccount & { readonly mailbox: Mailbox }

/** Sends the mail, if an account with a verified address exists and did not get too many. */
export async function sendRecoveryMail(
  ports: Ports,
  proof: MailedProof,
  context: RequestContext,
): Promise<void> {
  const { mail, ...why } = await selectMail(ports, proof)
  if (mail !== null)
    await ports.mailProofs.send({ digest: proof.digest, purpose }, mail.owner, [mail.delivery])
  const outcome = why.reason === undefined ? 'success' : 'failure'
  const flow = flowField(ports, proof.pending)
  ports.events.record({ name: 'password_mail_requested', outcome, ...why, ...flow }, context)
}

type SelectedMail = {
  readonly subject?: SubjectId
  /** The reason why no mail with a link is sent. Absent: one is sent. */
  readonly reason?: Reason
  readonly mail: { readonly owner: ProofOwner | null; readonly delivery: NewDelivery } | null
}

async function selectMail(ports: Ports, proof: MailedProof): Promise<SelectedMail> {
  const found = (await ports.userService.recovery?.find(proof.typed)) ?? []
  const [account, ...others] = found.filter(isReachable)
  if (account === undefined) return withoutMail(found)
  const { subject, username, mailbox, kind } = account
  const rule = others.length === 0 ? recoveryMailRule(subject) : sharedRecoveryMailRule(mailbox.address)
  if (!(await isAllowed(ports, rule))) return { subject, reason: 'too_many_mails', mail: null }
  const write = (values: Readonly<Record<string, string>>, owner: ProofOwner | null = null) => ({
    ...{ owner, delivery: mailTo(ports, { ...mailbox, locale: languageOf(mailbox, proof.locale) }, values) },
  })
  if (others.length > 0) {
    const usernames = [account, ...others].map(other => other.username).join('\n')
    return { reason: 'several_accounts', mail: write({ kind: 'several', usernames }) }
  }
  if (kind !== 'password') return { subject, reason: reasonOf[kind], mail: write({ kind, username }) }
  const owner = { subject, accountState: ports.hashing.digest(account.state) }
  const secrets = { link: proof.link, code: groupedCode(proof.code) }
  return { subject, mail: write({ kind, username, ...secrets }, owner) }
}

const reasonOf = { no_password: 'no_password', locked: 'account_disabled' } as const

function withoutMail([account]: readonly RecoverableAccount[]): SelectedMail {
  if (account === undefined) return { reason: 'unknown_user', mail: null }
  return { subject: account.subject, reason: 'no_verified_address', mail: null }
}

function isReachable(account: RecoverableAccount): account is Reachable {
  return account.mailbox !== null
}

/** Counts the mail. Only its receiver learns whether it was sent. */
async function isAllowed({ rateLimiter, clock }: Ports, rule: RateLimitRule): Promise<boolean> {
  return (await rateLimiter.consume([rule], clock.now())).kind === 'allowed'
}

type Receiver = { readonly address: string; readonly locale: string }

function mailTo(
  ports: Ports,
  { address: to, locale }: Receiver,
  values: Readonly<Record<string, string>>,
): NewDelivery {
  const body = { to, locale, content: 'reset_password', values } as const
  return newMail(ports, body, { now: ports.clock.now(), usefulSeconds: limits.lifetimeSeconds })
}

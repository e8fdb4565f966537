/** The mail about a registration, which depends on whether an account has the address. */
import { mailProof as limits, rateLimits } from '#lib/config/limits.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import { languageOf, newMail } from '#lib/ports/mail.ts'
import type { ProofOwner } from '#lib/ports/mail-proofs.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { limitKey } from '#lib/protocol/network-limits.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { siteNetwork } from '#lib/protocol/text/addresses.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import { flowField } from '../interaction.ts'
import { groupedCode } from '../mail-code.ts'
import type { MadeProof } from '../mail-proofs.ts'
import { registrationMailRule } from '../user-limits.ts'
import { purpose, type RegistrationDetails } from './new-account.ts'

type Mailed = RegistrationDetails & Pick<MadeProof, 'digest' | 'link' | 'code'>

/**
 * Sends the link and the code. If an account has the address, its owner gets a mail that says so instead. The mail has no text
 * that the sender of the form has entered: that may be a stranger.
 */
export async function sendRegistrationMail(
  ports: Ports,
  { email, locale, subject, pending, digest, link, code }: Mailed,
  context: RequestContext,
): Promise<void> {
  const record = (reason?: Reason) => {
    const outcome = reason === undefined ? 'success' : 'failure'
    const cause = reason === undefined ? {} : { reason }
    const flow = flowField(ports, pending)
    ports.events.record({ name: 'registration_requested', outcome, ...cause, ...flow }, context)
  }
  if (!(await isMailAllowed(ports, email, context))) return record('too_many_mails')
  const found = (await ports.userService.registration?.findByAddress(email)) ?? []
  // A user name can be the address of someone else: the mail is only for the reader of the address
  const owned = found.filter(({ mailbox }) => mailbox !== null && isSameAddress(mailbox.address, email))
  const mailbox = owned[0]?.mailbox ?? { address: email, locale }
  const proof = { digest, purpose } as const
  const send = (owner: ProofOwner | null, values: Readonly<Record<string, string>>) => {
    const body = {
      to: mailbox.address,
      locale: languageOf(mailbox, locale),
      content: 'register',
      values,
    } as const
    const sent = { now: ports.clock.now(), usefulSeconds: limits.lifetimeSeconds }
    return ports.mailProofs.send(proof, owner, [newMail(ports, body, sent)])
  }
  if (found.length > 0) {
    const named = owned.length > 0 ? owned : found
    await send(null, { kind: 'exists', usernames: named.map(({ username }) => username).join('\n') })
    return record('address_has_account')
  }
  await send({ subject, accountState: '' }, { kind: 'new', link, code: groupedCode(code) })
  record()
}

function isSameAddress(one: string, other: string): boolean {
  return canonicalUsername(one) === canonicalUsername(other)
}

/** Counts the mail. Only its receiver learns whether it was sent. */
export async function isMailAllowed(
  { rateLimiter, clock }: Pick<Ports, 'rateLimiter' | 'clock'>,
  email: string,
  { address }: RequestContext,
): Promise<boolean> {
  const mailbox = canonicalUsername(email)
  const network = address === null ? '' : siteNetwork(address)
  const rules = [
    { key: limitKey('registration:mail', mailbox, network), ...rateLimits.registrationMailFromNetwork },
    registrationMailRule(email),
  ]
  return (await rateLimiter.consume(rules, clock.now())).kind === 'allowed'
}

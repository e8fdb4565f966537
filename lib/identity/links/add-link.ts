/** Stores a link between an account and an identity at an identity provider. */
import { accountLinks as limits } from '#lib/config/limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { LinkResult, NamedIdentity } from '#lib/ports/account-links.ts'
import type { ChangeSource } from '#lib/ports/change-source.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { findProvider } from '../external-provider.ts'
import { isIdentityOf } from './identity-of.ts'

type NewLink = {
  readonly subject: SubjectId
  readonly identity: NamedIdentity
  /** The proof of the account. An address is enough only if the operator still trusts its provider, and the account still has it. */
  readonly proof: { readonly within: ChangeSource } | { readonly address: string }
}

/**
 * Links the identity to the account of a user who has proven both, informs the user by mail, and records that. The provider is
 * read again: the proofs may be minutes old (FD-06).
 */
export async function addLink(
  ports: Ports,
  { subject, identity, proof }: NewLink,
  context: RequestContext,
): Promise<LinkResult> {
  const { links } = ports.userService
  if (links === undefined) return 'refused'
  const { scheme } = identity
  const mayLink = (found: IdentityProvider | null) =>
    found?.enabled === true && isIdentityOf(found, identity) && (found.trustsEmail || 'within' in proof)
  const provider = await findProvider(ports, scheme)
  const named = { provider: displayName(provider?.displayName ?? null, scheme) }
  const notices = await securityNotice(ports, subject, 'provider_linked', named)
  const change = { now: ports.clock.now(), most: limits.most, notices, ...proof, mayLink }
  const isAllowed = mayLink(provider)
  const result = isAllowed ? await links.add(subject, identity, change) : 'not_allowed'
  const reason = refusals[result]
  if (reason !== null) recordLinkRefusal(ports, { session: { subject }, scheme, reason }, context)
  if (result === 'added') {
    const details = { scheme }
    ports.events.record({ name: 'provider_linked', outcome: 'success', subject, details }, context)
  }
  return result
}

const refusals = {
  added: null,
  known: null,
  taken: 'link_taken',
  too_many: 'too_many_links',
  refused: 'account_disabled',
  not_proven: 'link_not_proven',
  had_identity: 'link_had_identity',
  not_allowed: 'provider_not_allowed',
} as const satisfies Readonly<Record<LinkResult, Reason | null>>

type LinkRefusal = {
  readonly session: Pick<Session, 'subject'>
  readonly scheme: string | null
  readonly reason: Reason
}

export function recordLinkRefusal(
  { events }: Pick<Ports, 'events'>,
  { session: { subject }, scheme, reason }: LinkRefusal,
  context: RequestContext,
): void {
  const details = { scheme }
  events.record({ name: 'provider_linked', outcome: 'failure', subject, reason, details }, context)
}

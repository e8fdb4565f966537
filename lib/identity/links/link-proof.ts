/**
 * The proof that a signed-in user has an identity at a provider, until the user confirms the link. It is stored like an
 * interrupted sign-in, so that locking the account, a new password and an unlinked identity end it.
 */
import { accountLinks as limits } from '#lib/config/limits.ts'
import type { LinkResult, NamedIdentity } from '#lib/ports/account-links.ts'
import { inSession } from '#lib/ports/change-source.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Digest, Handle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { findProvider } from '../external-provider.ts'
import { addLink } from './add-link.ts'
import { isIdentityOf } from './identity-of.ts'

/**
 * Returns the digest to which everything about a link is bound: a sign-out, and a change of the account in the browser, end
 * it. Signing in again as the same user does not.
 */
export function linkBinding({ hashing }: Pick<Ports, 'hashing'>, { sessionId, subject }: Session): Digest {
  return hashing.digest(JSON.stringify(['link', sessionId, subject]))
}

/** Stores the proof, and returns its handle. */
export async function storeProof(
  ports: Ports,
  session: Session,
  identity: NamedIdentity,
): Promise<Handle<'linkProof'>> {
  const proof = ports.random.handle('linkProof')
  const digest = ports.hashing.digest(proof)
  await ports.partialSignIns.create({
    digest,
    browser: linkBinding(ports, session),
    subject: session.subject,
    idp: identity.scheme,
    sealedPending: null,
    sealedDetails: ports.sealing.seal(JSON.stringify(identity), proofPlace(digest)),
    remember: false,
    expiresAt: secondsAfter(ports.clock.now(), limits.proofSeconds),
  })
  return proof
}

function proofPlace(digest: Digest): string {
  return `partial_sign_ins:link_proof:${digest}`
}

export type SentProof = { readonly session: Session; readonly proof: Handle<'linkProof'> | null }

type FoundProof = { readonly digest: Digest; readonly identity: NamedIdentity; readonly provider: string }

/**
 * Returns an unused proof of this session; `null` if there is none, or the provider was disabled or has another issuer
 * since.
 */
async function findProof(ports: Ports, { session, proof }: SentProof): Promise<FoundProof | null> {
  if (proof === null) return null
  const digest = ports.hashing.digest(proof)
  const row = await ports.partialSignIns.find(digest, linkBinding(ports, session), ports.clock.now())
  if (row === null) return null
  const identity: NamedIdentity = JSON.parse(ports.sealing.open(row.sealedDetails, proofPlace(digest)))
  const provider = await findProvider(ports, identity.scheme)
  if (provider?.enabled !== true || !isIdentityOf(provider, identity)) return null
  return { digest, identity, provider: displayName(provider.displayName, provider.scheme) }
}

export type LinkProofView = {
  /** The display name of the provider. */
  readonly provider: string
  /** The name of the identity; `null`: the provider sent none. */
  readonly label: string | null
}

/** Returns the content of the page that asks the user; `null`: see `findProof`. Changes nothing. */
export async function linkProofView(ports: Ports, sent: SentProof): Promise<LinkProofView | null> {
  const found = await findProof(ports, sent)
  return found && { provider: found.provider, label: found.identity.label }
}

/** Links the identity, once for each proof. The user is informed by mail. `expired`: see `findProof`. */
export async function confirmLink(
  ports: Ports,
  sent: SentProof,
  context: RequestContext,
): Promise<LinkResult | 'expired'> {
  const found = await findProof(ports, sent)
  if (found === null || !(await ports.partialSignIns.take(found.digest))) return 'expired'
  const { session } = sent
  const proof = { within: inSession(session) }
  const link = { subject: session.subject, identity: found.identity, proof }
  return addLink(ports, link, context)
}

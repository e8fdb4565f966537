/** Gathers the facts for a decision, among them the users that a request names (OpenID Connect Core 3.1.2.1). */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { type DecisionContext, openProviders, type SubjectHint } from './decide.ts'
import type { ValidAuthorizeRequest } from './validate.ts'

type Known = Pick<DecisionContext, 'client' | 'session' | 'consentCanBeRemembered'> & {
  readonly request: ValidAuthorizeRequest
  /** `null` when the request has only just arrived. */
  readonly pending: (NonNullable<DecisionContext['pending']> & { readonly hint: SubjectHint }) | null
}

/** The facts for `decide`. It has no redirect URI, so that other endpoints can use it. */
export async function gatherDecisionContext(
  ports: Ports,
  { request, client, pending, consentCanBeRemembered, ...asked }: Known,
): Promise<DecisionContext> {
  const now = ports.clock.now()
  const session = await activeSession(ports, asked.session)
  return {
    request,
    client,
    session,
    pending,
    hint: pending?.hint ?? (await readHint(ports, request.idTokenHint)),
    loginHintDiffers: session !== null && (await loginHintDiffers(ports, { ...request, client, session })),
    providers: openProviders(client, await ports.providers.all()),
    remembered: session && (await ports.consents.find(session.subject, client.clientId, now)),
    consentCanBeRemembered,
    now,
  }
}

/** The session may come from a page, or from a retry, without this check. */
async function activeSession(ports: Ports, session: Session | null): Promise<Session | null> {
  return session !== null && (await ports.userService.isActive(session.subject)) ? session : null
}

type Expected = {
  readonly loginHint: string | null
  readonly client: Client
  readonly session: Session
}

/** Claims that a hint may contain instead of the user name. */
const naming = ['email', 'preferred_username', 'phone_number']

/**
 * Whether the hint does not match any name of the signed-in user, as the user service compares names. Other users are not
 * looked up: it makes no difference whether the name exists here.
 */
export async function loginHintDiffers(
  ports: Pick<Ports, 'users' | 'userService'>,
  { loginHint, client, session }: Expected,
): Promise<boolean> {
  if (loginHint === null || displayText(loginHint, loginHint.length) === '') return false
  const names = await namesOf(ports, client, session)
  const canonical = (name: string) => ports.userService.canonicalUsername(name.trim())
  const own = await Promise.all(names.map(canonical))
  return !own.includes(await canonical(loginHint))
}

async function namesOf(
  { users, userService }: Pick<Ports, 'users' | 'userService'>,
  client: Client,
  { subject }: Session,
): Promise<readonly string[]> {
  const [user, profile] = await Promise.all([
    users.findBySubject(subject),
    userService.profile({ subject, client, caller: 'login_hint', claims: naming }),
  ])
  const claims = naming.map(claim => profile[claim]).filter(name => typeof name === 'string')
  return [subject, ...(user === null ? [] : [user.username]), ...claims]
}

/** OpenID Connect Core 3.1.2.1: an expired hint still names its user. */
export async function readHint(ports: Ports, hint: string | null): Promise<SubjectHint> {
  if (hint === null) return { kind: 'absent' }
  const verified = await ports.signer.verify(hint, 'JWT', { ignoreExpiry: true })
  const subject = verified?.claims.sub
  return typeof subject === 'string' ? { kind: 'subject', subject } : { kind: 'unreadable' }
}

/** The users that a request names: `login_hint` and `id_token_hint` (OpenID Connect Core 3.1.2.1). */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'

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

export type SubjectHint =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'subject'; readonly subject: string }

/** OpenID Connect Core 3.1.2.1: an expired hint still names its user. */
export async function readHint(ports: Ports, hint: string | null): Promise<SubjectHint> {
  if (hint === null) return { kind: 'absent' }
  const verified = await ports.signer.verify(hint, 'JWT', { ignoreExpiry: true })
  const subject = verified?.claims.sub
  return typeof subject === 'string' ? { kind: 'subject', subject } : { kind: 'unreadable' }
}

/** Compares `login_hint` with the signed-in user. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { accountOf, type ReadAccount } from '#lib/ports/users.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'

type Expected = {
  readonly loginHint: string | null
  readonly client: Client
  readonly session: Session
  readonly account?: ReadAccount
}

/** Claims that a hint may match in addition to the subject and the user name. */
const naming = ['email', 'preferred_username', 'phone_number']

/**
 * Whether there is a visible hint and it does not match any name of the signed-in user, as the user service compares names. Other
 * users are not looked up, so the result does not depend on whether the name exists.
 */
export async function loginHintDiffers(
  ports: Pick<Ports, 'users' | 'userService'>,
  { loginHint, ...expected }: Expected,
): Promise<boolean> {
  if (loginHint === null || displayText(loginHint, loginHint.length) === '') return false
  const names = await namesOf(ports, expected)
  const canonical = (name: string) => ports.userService.canonicalUsername(name.trim())
  const hinted = await canonical(loginHint)
  for (const name of names) if ((await canonical(name)) === hinted) return false
  return true
}

async function namesOf(
  ports: Pick<Ports, 'users' | 'userService'>,
  { client, session: { subject }, ...read }: Omit<Expected, 'loginHint'>,
): Promise<readonly string[]> {
  const account = await accountOf(ports, subject, read.account)
  const asked = { subject, client, caller: 'login_hint', claims: naming, allClaims: false, account } as const
  const profile = await ports.userService.profile(asked)
  const claims = naming.map(claim => profile[claim]).filter(name => typeof name === 'string')
  return [subject, ...(account === null ? [] : [account.username]), ...claims]
}

/** The policy of the site that requires a second factor, with any client. */
import type { Ports } from '#lib/ports/ports.ts'
import type { SignInToCheck } from '#lib/ports/sign-in-steps.ts'
import { accountOf } from '#lib/ports/users.ts'
import { needsSecondFactor, secondFactorPolicyOf } from '#lib/protocol/registration/policies.ts'

/**
 * Whether this user needs a second factor. Accounts in other stores are asked for their claims; without a client, that is not
 * possible, and the factor is required: the session could be used by any client.
 */
export async function requiresSecondFactor(
  ports: Pick<Ports, 'policies' | 'users' | 'userService'>,
  { proven: { subject }, account, hints: { client } }: Pick<SignInToCheck, 'proven' | 'account' | 'hints'>,
): Promise<boolean> {
  const policy = secondFactorPolicyOf(await ports.policies.current())
  if (policy.kind !== 'required_for') return policy.kind === 'required'
  const stored = await accountOf(ports, subject, account)
  if (stored !== null) return needsSecondFactor(policy, stored.claims)
  if (client === null) return true
  const names = [...new Set(policy.claims.map(({ name }) => name))]
  const request = {
    subject,
    claims: names,
    allClaims: false,
    client,
    caller: 'second_factor_policy',
  } as const
  return needsSecondFactor(policy, await ports.userService.profile(request))
}

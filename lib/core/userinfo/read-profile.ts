/** Reads the claims about a user for tokens and userinfo, from the configured user service. */
import type { Ports } from '#lib/ports/ports.ts'
import { accountOf, type ProfileRequest } from '#lib/ports/users.ts'
import type { Claims } from '#lib/protocol/claims.ts'

const nameClaim = 'preferred_username'

/**
 * Returns the profile of the user service. If `preferred_username`, which many apps need, was requested and is missing,
 * the user name of the enabled account in this server's store is added. A service that returns `null` for it prevents
 * that.
 */
export async function readProfile(
  ports: Pick<Ports, 'userService' | 'users'>,
  request: ProfileRequest,
): Promise<Claims> {
  if (!request.allClaims && !request.claims.includes(nameClaim)) return ports.userService.profile(request)
  const account = await accountOf(ports, request.subject, request.account)
  const profile = await ports.userService.profile({ ...request, account })
  if (profile[nameClaim] !== undefined || account === null || !account.enabled) return profile
  return { ...profile, [nameClaim]: account.username }
}

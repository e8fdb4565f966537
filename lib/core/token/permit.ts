/**
 * Decides, whenever the token endpoint makes tokens, whether that is still allowed: the client, the level that it requires, the
 * user, the grant types and the scopes may have changed.
 */
import type { Checks } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { FoundGrant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type GrantDetails, grantDetails } from '#lib/protocol/grant-details.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { allowedScopes, registeredScopes } from '../scopes/resolve-scopes.ts'
import { reaches } from '../sign-in/assurance.ts'
import { requiredAssurance } from '../sign-in/required-assurance.ts'

declare const permitted: unique symbol
declare const live: unique symbol

/**
 * The permission to issue tokens now. Only `permitTokens` makes one, and the token endpoint makes no tokens without one.
 * The caller may reduce `granted`, or add the claims of a sign-in.
 */
export type Permit = {
  readonly [permitted]: true
  readonly client: Client
  readonly grantType: string
  /** The user; `null`: the client acts for itself. */
  readonly subject: SubjectId | null
  readonly granted: GrantDetails
}

/**
 * A stored grant that `requireLive` accepted: it belongs to the client, has not expired and is not revoked, so its
 * consent was not withdrawn.
 */
export type LiveGrant = FoundGrant & { readonly [live]: true }

type PermitRequest = { readonly client: Client; readonly grantType: string; readonly checks: Checks }

/** The subject of a permit: a stored grant; or, if there is none yet, the user and the requested scopes. */
type PermitSubject =
  | LiveGrant
  | {
      readonly subject: SubjectId | null
      readonly granted: GrantDetails
      /** Whether the steps of the sign-in check the level, as they can say which factor is missing. */
      readonly hasSteps?: true
    }

/**
 * Checks everything that tokens depend on and that may have changed: client, grant type, user, level and scopes. A grant gives
 * no more than its client may have now (AU-10, CD-14, RT-05, TK-09), and needs the level that its client requires now (MF-06).
 * @throws OauthError `unknown_client` for a disabled client, `unauthorized_client` or `invalid_grant`
 */
export async function permitTokens(
  ports: Pick<Ports, 'userService' | 'scopes'>,
  { client, grantType, checks }: PermitRequest,
  about: PermitSubject,
): Promise<Permit> {
  requireGrantType(client, grantType)
  const { subject } = about
  if (subject !== null) {
    checks.begin('user_active')
    const account = 'account' in about ? about.account : undefined
    if (!(await ports.userService.isActive(subject, account))) throw new OauthError('subject_inactive')
  }
  const granted = 'granted' in about ? about.granted : grantDetails(about)
  if (subject !== null && !('hasSteps' in about)) {
    checks.begin('level_reached')
    requireLevel(client, granted)
  }
  checks.begin('scopes_still_allowed')
  const scopes = allowedScopes(granted.scopes, client, await registeredScopes(ports))
  if (scopes.length === 0) throw new OauthError('no_scope_left')
  return { client, grantType, subject, granted: { ...granted, scopes } } as Permit
}

function requireLevel(client: Client, { level = 'pwd' }: GrantDetails): void {
  if (!reaches(level, requiredAssurance({ client, acrValues: [] }))) throw new OauthError('level_not_reached')
}

/** TK-08: requires that the client is enabled and may use this grant type. */
export function requireGrantType(client: Client, grantType: string): void {
  if (!client.enabled) throw new OauthError('client_disabled')
  if (client.grantTypes.includes(grantType)) return
  throw new OauthError('grant_type_not_allowed', {
    evidence: { sent: grantType, expected: client.grantTypes },
  })
}

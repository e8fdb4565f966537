/** Providers with several organizations (tenants): the issuer of each, and the ones that are allowed. */
import type { AuthorizationServer } from 'oauth4webapi'
import { z } from 'zod'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import type { AllowsKey } from './provider-keys.ts'

/** The part of the issuer for which the metadata of Microsoft Entra has no value, because it is valid for several tenants. */
const placeholder = '{tenantid}'
/** The tenant of all personal accounts. */
const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * Returns the issuer that the metadata must name (OpenID Connect Discovery 4.3): the configured one, or for an address of several
 * tenants of Microsoft Entra the one with the placeholder.
 */
export function expectedIssuer({ preset, issuer }: Pick<IdentityProvider, 'preset' | 'issuer'>): string {
  if (preset !== 'microsoft') return issuer
  return issuer
    .replace(/\/(?:organizations|common)\/v2\.0$/, `/${placeholder}/v2.0`)
    .replace(/\/consumers\/v2\.0$/, `/${personalTenant}/v2.0`)
}

const tenantSchema = z.object({ tid: z.guid() })

/**
 * Returns the metadata with the issuer of the tenant that the ID token in the response names. Everything in the token is verified
 * later, also that this issuer issued it.
 * @throws OauthError `provider_failed` for a token that names no tenant
 */
export async function ofTenant(
  server: AuthorizationServer,
  response: Response,
): Promise<AuthorizationServer> {
  // The library reports the error of another status
  if (!server.issuer.includes(placeholder) || response.status !== 200) return server
  const tenant = tenantSchema.safeParse(await unverifiedClaims(response))
  if (!tenant.success) throw new OauthError('tenant_missing')
  return { ...server, issuer: server.issuer.replace(placeholder, tenant.data.tid.toLowerCase()) }
}

/**
 * Returns the check that the key which signed the token belongs to the issuer of the token: among the keys of Microsoft Entra are some
 * that have an `issuer`, with the placeholder if it is valid for several tenants.
 */
export async function keyCheck(
  server: AuthorizationServer,
  issuing: AuthorizationServer,
  response: Response,
): Promise<AllowsKey> {
  if (!server.issuer.includes(placeholder)) return () => true
  const read = z.object({ kid: z.string() }).safeParse(await unverifiedPart(response, 0))
  const template = [issuing.issuer, server.issuer]
  return ({ kid, issuer }) =>
    kid !== read.data?.kid || typeof issuer !== 'string' || template.includes(issuer)
}

/** Reads the claims of the ID token in a token response, which are not verified; `null` if there is none. */
export function unverifiedClaims(response: Response): Promise<unknown> {
  return unverifiedPart(response, 1)
}

async function unverifiedPart(response: Response, index: number): Promise<unknown> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const read = z.object({ id_token: z.string() }).safeParse(body)
  const part = read.data?.id_token.split('.')[index]
  if (part === undefined) return null
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    // The library reports what is wrong with the token
    return null
  }
}

/**
 * Refuses a verified user of an organization that the operator does not allow.
 * @throws OauthError `provider_failed`
 */
export function requireAllowedTenant(
  { preset, tenants }: Pick<IdentityProvider, 'preset' | 'tenants'>,
  claims: Readonly<Record<string, unknown>>,
): void {
  const { tenantClaim } = providerPresets[preset]
  if (tenantClaim === null || tenants.length === 0) return
  const tenant = claims[tenantClaim]
  if (typeof tenant !== 'string' || !tenants.includes(tenant.toLowerCase()))
    throw new OauthError('tenant_not_allowed')
}

/** The parameters that let a provider offer only accounts of the allowed organizations. */
export function tenantParameters({
  preset,
  tenants,
}: Pick<IdentityProvider, 'preset' | 'tenants'>): Readonly<Record<string, string>> {
  const [only] = tenants
  if (providerPresets[preset].tenantClaim !== 'hd' || only === undefined) return {}
  return { hd: tenants.length === 1 ? only : '*' }
}

/** Adds the tenant of a user to the access tokens of apps that asked for the scope `tenant`. */
import type { Extensions } from '#lib/ports/extensions.ts'
import type { Claims } from '#lib/protocol/claims.ts'

/** The tenant of each user. Replace it with a look-up in your own system. */
const tenants: Readonly<Record<string, string>> = { alice: 'north', bob: 'south' }

const extensions: Extensions = {
  tokenClaims: [
    {
      async claimsFor({ token, subject, scopes }): Promise<Claims> {
        if (token !== 'access_token' || subject === null) return {}
        if (!scopes.some(scope => scope === 'tenant')) return {}
        return { tenant: tenants[subject] ?? null }
      },
    },
  ],
}
export default extensions

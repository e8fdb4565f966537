/**
 * Rules for redirect URIs, authorization requests and token requests that are stricter than those of the server. The claims of a
 * client can contain settings for your code: here `needs_tenant` and `needs_purpose`.
 */
import type { Extensions } from '#lib/ports/extensions.ts'

/** Hosts that you no longer own, but that registrations still contain. */
const lostHosts = new Set(['shop.old-company.example'])
const tenants = new Set(['north', 'south'])

const extensions: Extensions = {
  async validateRedirectUri({ redirectUri }) {
    return !lostHosts.has(new URL(redirectUri).hostname)
  },

  async validateAuthorizeRequest({ client, acrValues }) {
    if (client.claims.needs_tenant !== true || tenants.has(acrValues.tenant ?? ''))
      return { kind: 'accepted' }
    const description = 'acr_values must contain tenant:north or tenant:south.'
    return { kind: 'refused', error: 'invalid_request', description }
  },

  async validateTokenRequest({ client, parameters }) {
    if (client.claims.needs_purpose !== true || parameters.purpose) return { kind: 'accepted' }
    return { kind: 'refused', error: 'purpose_missing', description: 'purpose is missing.' }
  },
}
export default extensions

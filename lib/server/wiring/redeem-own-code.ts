/** The dashboard is an app like any other: its code goes through the token endpoint's own function. */
import { adminClientId } from '#lib/admin/access/built-in.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { token } from '#lib/core/token/token.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'

export function redeemOwnCode(ports: Ports): AdminPorts['redeem'] {
  return async ({ code, verifier, redirectUri }, context) => {
    const parameters = parametersFrom({
      grant_type: 'authorization_code',
      client_id: adminClientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    })
    const outcome = await token(ports, { parameters, authorization: null }, context)
    if (outcome.kind !== 'issued') return null
    const { id_token: idToken } = outcome.response
    return typeof idToken === 'string' ? idToken : null
  }
}

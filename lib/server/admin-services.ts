/** The dashboard's ports, from this process's resources. */

import { adminClientId } from '#lib/admin/access/built-in.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { token } from '#lib/core/token/token.ts'
import { passwordProblem } from '#lib/crypto/password-policy.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Resources } from './resources.ts'

export function buildAdminPorts(resources: Resources, ports: Ports): AdminPorts {
  const { storage, config, keyRing, secrets } = resources
  return {
    ...ports,
    siteName: config.siteName,
    adminStore: storage.adminStore,
    adminLists: storage.adminLists,
    administrators: storage.administrators,
    adminSessions: storage.adminSessions,
    adminInvitations: storage.adminInvitations,
    adminFlashes: storage.adminFlashes,
    configuration: storage.configuration,
    meta: storage.meta,
    signingKeys: storage.signingKeys,
    keyRotation: keyRing,
    eventLog: storage.eventLog,
    flushEvents: resources.flushEvents,
    redeem: (redemption, context) => redeem(ports, redemption, context),
    passwordProblem,
    secretKeeper: secrets,
  }
}

/** The dashboard is an app like any other: its code goes through the token endpoint's own function. */
async function redeem(
  ports: Ports,
  { code, verifier, redirectUri }: Parameters<AdminPorts['redeem']>[0],
  context: RequestContext,
): Promise<string | null> {
  const parameters = {
    grant_type: 'authorization_code',
    client_id: adminClientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  }
  const outcome = await token(ports, { parameters, authorization: null }, context)
  if (outcome.kind !== 'issued') return null
  const { id_token: idToken } = outcome.response
  return typeof idToken === 'string' ? idToken : null
}

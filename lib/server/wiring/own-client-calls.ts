/** Lets client tests and the dashboard's own sign-in call the functions of the endpoints, as apps do. */

import { adminClientId } from '#lib/admin/access/built-in.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { ClientTestCalls, ClientTestRefusal } from '#lib/admin/clients/client-test/client-test-result.ts'
import { credentialsOf } from '#lib/admin/flow-runs/flows.ts'
import { revoke } from '#lib/core/revocation/revocation.ts'
import { authenticateClient, type ClientRequest } from '#lib/core/token/client-authentication.ts'
import { answerTokenRequest, type TokenOutcome } from '#lib/core/token/token.ts'
import { userinfo } from '#lib/core/userinfo/userinfo.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { clientTestRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { asHiddenClient } from './client-lookup.ts'

export function clientTestCalls(ports: Ports): ClientTestCalls {
  const { enabledEndpoints } = ports.settings
  const hasToken = enabledEndpoints.has('token')
  const turnedOff = refused('The token endpoint is turned off.')
  return {
    authenticate: async ({ client, secret, test }, context) => {
      try {
        await authenticateClient(asTest(ports, test), requestAs(client, secret, {}), context)
        return { kind: 'authenticated' }
      } catch (error) {
        if (isOauthError(error)) return refused(error.description)
        throw error
      }
    },
    requestOwnToken: async ({ client, secret, scopes, test }, context) => {
      if (!hasToken) return turnedOff
      const parameters = { grant_type: 'client_credentials', scope: scopes.join(' ') }
      return answerOf(
        await answerTokenRequest(asTest(ports, test), requestAs(client, secret, parameters), context),
      )
    },
    revokeOwnToken: async ({ client, secret, test, token: value }, context) => {
      await revoke(asTest(ports, test), requestAs(client, secret, { token: value }), context)
    },
    redeem: async ({ hidden, secret, code, verifier }, context) => {
      if (!hasToken) return turnedOff
      const parameters = {
        grant_type: 'authorization_code',
        redirect_uri: clientTestRedirectUri(ports.settings.issuer),
        code,
        code_verifier: verifier,
      }
      const request = requestAs(hidden.registered.client, secret, parameters)
      return answerOf(await answerTokenRequest(asHiddenClient(ports, hidden), request, context))
    },
    userinfo: async ({ hidden, accessToken }, context) => {
      if (!enabledEndpoints.has('userinfo')) return null
      const request = { authorization: `Bearer ${accessToken}`, bodyToken: null }
      const outcome = await userinfo(asHiddenClient(ports, hidden), request, context)
      return outcome.kind === 'claims' ? outcome.claims : null
    },
  }
}

/** Marks every event as part of a test, and records no last use of clients and secrets. */
function asTest(ports: Ports, test: string): Ports {
  return {
    ...ports,
    usage: { ...ports.usage, client: () => {}, secret: () => {} },
    events: {
      record: (event, context) =>
        ports.events.record({ ...event, details: { ...event.details, test } }, context),
    },
  }
}

function requestAs(
  client: Client,
  secret: string | null,
  parameters: Readonly<Record<string, string>>,
): ClientRequest {
  const { authorization, fields } = credentialsOf(client, secret)
  return { authorization, parameters: parametersFrom({ ...parameters, ...fields }) }
}

function answerOf(outcome: TokenOutcome) {
  if (outcome.kind === 'issued') return outcome
  return refused(outcome.refusal.description)
}

function refused(description: string): ClientTestRefusal {
  return { kind: 'refused', description }
}

export function redeemOwnCode(ports: Ports): AdminPorts['redeem'] {
  return async ({ code, verifier, redirectUri }, context) => {
    const parameters = parametersFrom({
      grant_type: 'authorization_code',
      client_id: adminClientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    })
    const outcome = await answerTokenRequest(ports, { parameters, authorization: null }, context)
    if (outcome.kind !== 'issued') return null
    const { id_token: idToken } = outcome.response
    return typeof idToken === 'string' ? idToken : null
  }
}

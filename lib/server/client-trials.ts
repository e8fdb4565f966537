/** Tests of clients go through the endpoints' own functions, so that they find what an app would find. */
import type { ClientTrials, Trial, TrialRefusal } from '#lib/admin/clients/trial/client-trials.ts'
import { revoke } from '#lib/core/revocation/revocation.ts'
import { authenticateClient } from '#lib/core/token/client-auth.ts'
import { refusalOf, type TokenOutcome } from '#lib/core/token/outcome.ts'
import type { AuthenticatedRequest } from '#lib/core/token/presented-credentials.ts'
import { token } from '#lib/core/token/token.ts'
import { userinfo } from '#lib/core/userinfo/userinfo.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/client.ts'
import { clientTestAddress } from '#lib/protocol/client-test-address.ts'
import type { FormParameters } from '#lib/protocol/token-params.ts'

export function clientTrials(ports: Ports): ClientTrials {
  return {
    prove: async ({ client, secret, test }, context) => {
      try {
        await authenticateClient(asTest(ports, test), proofOf(client, secret), context)
        return { kind: 'proven' }
      } catch (error) {
        if (isOauthError(error)) return refused(refusalOf(error).description)
        throw error
      }
    },
    redeem: async ({ client, test, code, verifier }, context) => {
      const parameters = {
        grant_type: 'authorization_code',
        client_id: client.clientId,
        redirect_uri: clientTestAddress(ports.settings.issuer),
        code,
        code_verifier: verifier,
      }
      return answerOf(await token(vouching(ports, { client, test }), withoutSecret(parameters), context))
    },
    forItself: async ({ client, secret, scopes, test }, context) => {
      const proof = proofOf(client, secret)
      const wanted = { grant_type: 'client_credentials', scope: scopes.join(' ') }
      const request = { ...proof, parameters: { ...proof.parameters, ...wanted } }
      return answerOf(await token(asTest(ports, test), request, context))
    },
    userinfo: async ({ test, accessToken }, context) => {
      const request = { authorization: `Bearer ${accessToken}`, bodyToken: null }
      const outcome = await userinfo(asTest(ports, test), request, context)
      return outcome.kind === 'claims' ? outcome.claims : null
    },
    revoke: async ({ client, test, token: value }, context) => {
      const parameters = { client_id: client.clientId, token: value }
      await revoke(vouching(ports, { client, test }), withoutSecret(parameters), context)
    },
  }
}

/** The same, with every event named as a test's and nothing marked as used. */
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

/** NOTE: only for what the caller knows to be the client's: for this one call it needs no secret. */
function vouching(ports: Ports, { client, test }: Trial): Ports {
  const find: Ports['clients']['find'] = async clientId => {
    const found = await ports.clients.find(clientId)
    if (found === null || clientId !== client.clientId) return found
    return { ...found, client: { ...found.client, tokenEndpointAuthMethod: 'none' } }
  }
  return asTest({ ...ports, clients: { ...ports.clients, find } }, test)
}

function withoutSecret(parameters: FormParameters): AuthenticatedRequest {
  return { parameters, authorization: null }
}

// RFC 6749 2.3.1: both parts form-encoded
function proofOf(
  { clientId, tokenEndpointAuthMethod: method }: Client,
  secret: string,
): AuthenticatedRequest {
  if (method === 'client_secret_post') return withoutSecret({ client_id: clientId, client_secret: secret })
  const pair = [clientId, secret].map(formEncoded).join(':')
  return { parameters: {}, authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length)
}

function answerOf(outcome: TokenOutcome) {
  if (outcome.kind === 'issued') return outcome
  return refused(outcome.refusal.description)
}

function refused(because: string): TrialRefusal {
  return { kind: 'refused', because }
}

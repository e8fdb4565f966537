/**
 * The requests of clients, and the JSON responses of the protocol endpoints: tokens, introspection, claims, validation,
 * metadata, and refusals (RFC 6749 5, RFC 6750 3).
 */
import { bodyBytes, lifetimeSeconds, validationQueryCharacters } from '#lib/config/limits.ts'
import type { IntrospectionOutcome } from '#lib/core/introspection/introspection.ts'
import type { RevocationOutcome } from '#lib/core/revocation/revocation.ts'
import type { TokenOutcome } from '#lib/core/token/token.ts'
import type { UserinfoOutcome } from '#lib/core/userinfo/userinfo.ts'
import type { ValidationOutcome } from '#lib/core/validation/validation.ts'
import { catalogRow } from '#lib/errors/catalog.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import type { EndpointOptions } from './endpoint.ts'
import type { EndpointServices, WriteRefusal } from './exchange.ts'
import { type HttpRefusal, refusalFromCode, retryHeaders } from './http-refusal.ts'
import { decodeForm, queryText, readFormPairs, readFormParameters, readParameters } from './read-params.ts'
import { emptyReply, jsonReply, type Reply } from './reply.ts'
import { withHeaders } from './security-headers.ts'

/** The headers of uncached responses. RFC 6749 5.1: `Pragma` is for caches that only know HTTP/1.0. */
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

/**
 * Reads the request of an endpoint at which clients authenticate.
 * @throws OauthError like `readFormParameters`
 */
export async function readClientRequest(request: Request) {
  const parameters = await readFormParameters(request, bodyBytes.token)
  return { parameters, authorization: request.headers.get('authorization') }
}

/**
 * Makes the response of an endpoint at which clients authenticate. RFC 7009 2.2: an empty 200 for a revocation, even if
 * there was nothing to revoke.
 */
export function respondToClient(outcome: TokenOutcome | IntrospectionOutcome | RevocationOutcome): Reply {
  if (outcome.kind === 'done') return emptyReply(200, uncached)
  if (outcome.kind !== 'refused') return jsonReply(200, outcome.response, uncached)
  const { code, wireCode, description, retryAfterSeconds } = outcome.refusal
  return jsonRefusal(refusalFromCode(code, description, retryAfterSeconds), wireCode)
}

/** Writes a thrown refusal as JSON. */
export function refuseWithJson(refused: HttpRefusal): Reply {
  return jsonRefusal(refused)
}

function jsonRefusal(
  { code, description, status, retryAfterSeconds }: HttpRefusal,
  wireCode: string | null = null,
): Reply {
  const { jsonStatus = status, jsonCode = code } = catalogRow(code)
  const headers = { ...uncached, ...retryHeaders(retryAfterSeconds) }
  // RFC 6749 5.2 and RFC 9110 11.6.1: a 401 names the authentication scheme
  const challenge = { 'www-authenticate': 'Basic realm="Latchkey", charset="UTF-8"' }
  const body = { error: wireCode ?? jsonCode, error_description: description }
  return jsonReply(jsonStatus, body, jsonStatus === 401 ? { ...headers, ...challenge } : headers)
}

const realm = 'Bearer realm="Latchkey"'

export function respondUserinfo(outcome: UserinfoOutcome): Reply {
  if (outcome.kind === 'claims') return jsonReply(200, outcome.claims, uncached)
  return challengeReply(outcome.status, outcome.code, outcome.description)
}

/** Writes a refusal, with a challenge if the status is 400, 401 or 403. */
export const refuseWithChallenge: WriteRefusal = ({ status, code, description, retryAfterSeconds }) => {
  if (status === 400 || status === 401 || status === 403) return challengeReply(status, code, description)
  const body = { error: code, error_description: description }
  return jsonReply(status, body, { ...uncached, ...retryHeaders(retryAfterSeconds) })
}

/**
 * Writes the challenge. `code` is `null` when no token was sent, because then no error should be named (RFC 6750 3.1).
 */
function challengeReply(status: number, code: string | null, description: string | null): Reply {
  if (code === null) return emptyReply(status, { ...uncached, 'www-authenticate': realm })
  const words = [
    realm,
    `error="${code}"`,
    ...(description === null ? [] : [`error_description="${description}"`]),
  ]
  const body = { error: code, error_description: description ?? undefined }
  return jsonReply(status, body, { ...uncached, 'www-authenticate': words.join(', ') })
}

type ValidationServices = EndpointServices & {
  readonly config: { readonly allowTokenInQuery: boolean }
}
type Validate = (
  input: { readonly parameters: Parameters },
  context: RequestContext,
) => Promise<ValidationOutcome>

/** Creates one of the two validation endpoints: by GET if the operator allows a token in a query, and by POST. */
export function validationEndpoint<S extends ValidationServices>(
  validateWith: (services: S) => Validate,
): Pick<EndpointOptions<S>, 'writeRefusal' | 'GET' | 'POST'> {
  return {
    writeRefusal: refusal =>
      refusal.reason === 'token_in_query_disabled'
        ? withHeaders(refuseWithMessage(refusal), { allow: 'POST' })
        : refuseWithMessage(refusal),
    GET: async ({ request, context, services }) => {
      if (!services.config.allowTokenInQuery) throw new OauthError('token_in_query_disabled')
      const pairs = decodeForm(queryText(request, validationQueryCharacters))
      const parameters = readParameters(pairs, validationRules)
      return respondValidation(await validateWith(services)({ parameters }, context))
    },
    POST: async ({ request, context, services }) => {
      const parameters = readParameters(await readFormPairs(request, bodyBytes.token), validationRules)
      return respondValidation(await validateWith(services)({ parameters }, context))
    },
  }
}

/**
 * The parameters whose length is not checked here: the core refuses a value that is too long like any other wrong
 * value.
 */
const validationRules = { anyLength: ['token', 'client_id', 'expectedScope'] }

/** Writes the claims, or for a refusal `{"Message": …}` as in IdentityServer3, and in addition the code. */
function respondValidation(outcome: ValidationOutcome): Reply {
  if (outcome.kind === 'valid') return jsonReply(200, outcome.claims, uncached)
  return messageReply(outcome.status, outcome.message, outcome.error, outcome.retryAfterSeconds)
}

export function refuseWithMessage({ status, description, code, retryAfterSeconds }: HttpRefusal): Reply {
  return messageReply(status, description, code, retryAfterSeconds)
}

function messageReply(status: number, Message: string, error: string, retryAfter: number | null): Reply {
  return jsonReply(status, { Message, error }, { ...uncached, ...retryHeaders(retryAfter) })
}

type Metadata<S> = {
  /** Returns the objects from which the document is made. A change replaces them. */
  readonly basis: (services: S) => Promise<readonly object[]>
  readonly write: (services: S) => Promise<unknown>
}

/**
 * Creates the GET handler of a discovery document or of the key set, which is written again only when its basis has
 * changed.
 */
export function metadataHandler<S>({ basis, write }: Metadata<S>) {
  let written: { readonly basis: readonly object[]; readonly reply: Reply } | undefined
  return async ({ services }: { readonly services: S }): Promise<Reply> => {
    const current = await basis(services)
    if (written === undefined || !areSame(written.basis, current))
      written = { basis: current, reply: metadataReply(await write(services)) }
    return written.reply
  }
}

function areSame(left: readonly object[], right: readonly object[]): boolean {
  return left.length === right.length && left.every((each, index) => each === right[index])
}

/** Makes the response with a document, which may be cached publicly. */
function metadataReply(document: unknown): Reply {
  return jsonReply(200, document, {
    'cache-control': `public, max-age=${lifetimeSeconds.keySetCache}`,
    'cross-origin-resource-policy': 'cross-origin',
  })
}

/** The identity token validation endpoint: for clients that cannot check signatures themselves. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import {
  isTooLong,
  readValidationParameters,
  type ValidationParameters,
} from '#lib/protocol/wire/parameters.ts'
import { findEnabledClient } from '../enabled-client.ts'
import { renderAsText } from './render-claims.ts'
import {
  clientIdMissing,
  invalidToken,
  limitedByAddress,
  tokenMissing,
  type ValidationOutcome,
} from './validation-outcome.ts'

/** Valid only for the client it was issued for, which the caller must name (JW-06). */
export async function validateIdentityToken(
  ports: Ports,
  { parameters }: { readonly parameters: Parameters },
  context: RequestContext,
): Promise<ValidationOutcome> {
  return limitedByAddress(ports, context, () => validate(ports, readValidationParameters(parameters)))
}

async function validate(ports: Ports, { token, clientId }: ValidationParameters): Promise<ValidationOutcome> {
  if (token === null) return tokenMissing
  if (clientId === null) return clientIdMissing
  const claims = await readIdentityToken(ports, token, clientId)
  // The endpoint's specification lists `idp`; the token leaves it out where it is our own.
  return claims === null
    ? invalidToken
    : {
        kind: 'valid',
        claims: renderAsText({ idp: localProvider, ...claims }),
        of: { clientId, subject: String(claims.sub) },
      }
}

async function readIdentityToken(ports: Ports, token: string, clientId: string): Promise<Claims | null> {
  if (isTooLong('token', token)) return null
  const verified = await ports.signer.verify(token, 'JWT')
  if (verified === null || verified.claims.aud !== clientId) return null
  const [client, isPerson] = await Promise.all([
    findEnabledClient(ports, clientId),
    isActivePerson(ports, verified.claims),
  ])
  return client !== null && isPerson ? verified.claims : null
}

async function isActivePerson(ports: Ports, { sub }: Claims): Promise<boolean> {
  const subject = subjectIdSchema.safeParse(sub)
  return subject.success && (await ports.userService.isActive(subject.data))
}

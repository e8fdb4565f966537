/** Answers to the client: the fields every one of them ends with. */
import { catalog } from '#lib/errors/catalog.ts'
import type { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { AuthorizeOutcome } from './outcome.ts'
import type { ReturnAddress } from './return-address.ts'

type Fields = ReadonlyArray<readonly [string, string]>

type Response = Extract<AuthorizeOutcome, { kind: 'respond' }>

/** Adds `state`, byte for byte as it came, and `iss` (RFC 9207 2). */
export function respond(ports: Ports, to: ReturnAddress, fields: Fields): Response {
  const state: Fields = to.state === null ? [] : [['state', to.state]]
  return { kind: 'respond', to, fields: [...fields, ...state, ['iss', ports.settings.issuer]] }
}

/** Tells the client why not (RFC 6749 4.1.2.1). */
export function respondWithError(ports: Ports, to: ReturnAddress, error: OauthError): AuthorizeOutcome {
  const description = permitted(error.description ?? catalog[error.code].description)
  return respond(ports, to, [
    ['error', error.code],
    ['error_description', description],
  ])
}

// RFC 6749 4.1.2.1: %x20-21 / %x23-5B / %x5D-7E
function permitted(description: string): string {
  return description.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?')
}

/** How a client can be tested, and why some cannot. */
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import type { ResponseType } from '#lib/protocol/vocabulary.ts'
import { openidScope } from '#lib/protocol/wire/scopes.ts'

export type TestPlan =
  /** The admin signs in as a user of the client. */
  | { readonly kind: 'sign_in'; readonly responseType: ResponseType; readonly takesSecret: boolean }
  /** It requests a token for itself, with a secret that the admin enters. */
  | { readonly kind: 'for_itself' }
  | { readonly kind: 'none'; readonly because: string }

export function testPlan(client: Client): TestPlan {
  const responseType = responseTypeFor(client)
  if (responseType !== null)
    return { kind: 'sign_in', responseType, takesSecret: responseType === 'code' && !isPublic(client) }
  if (client.grantTypes.includes('client_credentials')) return { kind: 'for_itself' }
  return { kind: 'none', because: client.grantTypes.includes('password') ? ownPassword : ownGrant }
}

const ownPassword =
  'Its users enter their password in the app itself. A test would need a user’s password, which this dashboard never requests: use the set-up below with a test account.'
const ownGrant =
  'It has no users and uses only grants of your extensions, which define what such a request contains.'

/** A code where it may have one; else what shows most of it. */
function responseTypeFor({ responseTypes, scopes }: Client): ResponseType | null {
  const best = scopes.includes(openidScope) ? withIdentity : withoutIdentity
  return best.find(type => responseTypes.includes(type)) ?? null
}

const withIdentity = ['code', 'id_token token', 'id_token', 'token'] as const
const withoutIdentity = ['code', 'token'] as const

/** Which app asks for a sign-out, how far it proves it, and where it may have the person sent. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { isTooLong } from '#lib/protocol/wire/parameters.ts'
import { findEnabledClient } from '../enabled-client.ts'

export type Asker = {
  readonly clientName: string | null
  readonly redirect: string | null
  /** An identity token of ours, for the person who is signed in, if anybody is. */
  readonly isProven: boolean
  /** What of the request counted for nothing; told to developers only. */
  readonly ignored: IgnoredParameter | null
}

/** `no_client`: a redirect URI without the client that registered it. */
export type IgnoredParameter = 'id_token_hint' | 'client_id' | 'post_logout_redirect_uri' | 'no_client'

function nobody(ignored: IgnoredParameter | null): Asker {
  return { clientName: null, redirect: null, isProven: false, ignored }
}

/** A hint that is forged, or names another app or person than the rest of the request, makes all of it void. */
export async function readAsker(
  ports: Ports,
  parameters: Parameters,
  session: Session | null,
): Promise<Asker> {
  const hint = parameters.one('id_token_hint')
  const named = parameters.one('client_id')
  const proven = hint === null ? null : await readHint(ports, hint)
  if (hint !== null && proven === null) return nobody('id_token_hint')
  if (proven !== null && session !== null && proven.subject !== session.subject)
    return nobody('id_token_hint')
  if (proven !== null && named !== null && !proven.audience.includes(named)) return nobody('client_id')
  const client = await findEnabledClient(ports, named ?? proven?.audience[0] ?? '')
  if (client === null) return nobody(ignoredWithoutClient(named, parameters))
  const redirect = redirectOf(client, parameters)
  const isRefused = redirect === null && parameters.one('post_logout_redirect_uri') !== null
  return {
    clientName: client.clientName,
    redirect,
    isProven: proven !== null,
    ignored: isRefused ? 'post_logout_redirect_uri' : null,
  }
}

/** A redirect URI is only used for a client that is named. */
function ignoredWithoutClient(named: string | null, parameters: Parameters): IgnoredParameter | null {
  if (named !== null) return 'client_id'
  return parameters.one('post_logout_redirect_uri') !== null ? 'no_client' : null
}

type Hint = { readonly subject: string; readonly audience: readonly JsonValue[] }

/** An expired one will do, it only identifies; the signature always counts. */
async function readHint(ports: Ports, hint: string): Promise<Hint | null> {
  if (isTooLong('id_token_hint', hint)) return null
  const verified = await ports.signer.verify(hint, 'JWT', { ignoreExpiry: true })
  const { sub, aud } = verified?.claims ?? {}
  if (typeof sub !== 'string' || aud === undefined) return null
  return { subject: sub, audience: Array.isArray(aud) ? aud : [aud] }
}

/** Only an address registered for exactly this purpose, character by character. */
function redirectOf(client: Client, parameters: Parameters): string | null {
  const uri = parameters.one('post_logout_redirect_uri') ?? ''
  const state = parameters.one('state') ?? ''
  if (!client.postLogoutRedirectUris.includes(uri)) return null
  if (state === '' || isTooLong('state', state)) return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`
}

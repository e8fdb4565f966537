/** Which app asks for a sign-out, how far it proves it, and where it may have the person sent. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { Client } from '#lib/protocol/client.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { isTooLong } from '#lib/protocol/parameter-length.ts'

export type Asker = {
  readonly clientName: string | null
  readonly redirect: string | null
  /** An identity token of ours, for the person who is signed in, if anybody is. */
  readonly isProven: boolean
}

const nobody: Asker = { clientName: null, redirect: null, isProven: false }

/** A hint that is forged, or names another app or person than the rest of the request, makes all of it void. */
export async function readAsker(
  ports: Ports,
  parameters: Readonly<Record<string, string>>,
  session: Session | null,
): Promise<Asker> {
  const hint = parameters.id_token_hint || null
  const named = parameters.client_id || null
  const proven = hint === null ? null : await readHint(ports, hint)
  if (hint !== null && proven === null) return nobody
  if (proven !== null && session !== null && proven.subject !== session.subject) return nobody
  if (proven !== null && named !== null && !proven.audience.includes(named)) return nobody
  const client = await findClient(ports, named ?? proven?.audience[0] ?? '')
  if (client === null) return nobody
  return {
    clientName: client.clientName,
    redirect: redirectOf(client, parameters),
    isProven: proven !== null,
  }
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

async function findClient(ports: Ports, clientId: JsonValue): Promise<Client | null> {
  const parsed = clientIdSchema.safeParse(clientId)
  if (!parsed.success) return null
  const registered = await ports.clients.find(parsed.data)
  return registered?.client.enabled ? registered.client : null
}

/** Only an address registered for exactly this purpose, character by character. */
function redirectOf(client: Client, parameters: Readonly<Record<string, string>>): string | null {
  const uri = parameters.post_logout_redirect_uri ?? ''
  const state = parameters.state ?? ''
  if (!client.postLogoutRedirectUris.includes(uri)) return null
  if (state === '' || isTooLong('state', state)) return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`
}

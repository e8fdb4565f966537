/** Which scopes a test asks for: all the client may have, as far as the kind of answer allows. */

import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import type { ResponseType } from '#lib/protocol/vocabulary.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import type { AdminPorts } from '../../admin-ports.ts'

/** Why there are no tokens, and which of the client's scopes are not available. */
export async function withMissingScopes(
  ports: Pick<AdminPorts, 'scopes'>,
  because: string,
  client: Client,
): Promise<string> {
  const missing = await missingScopes(ports, client)
  return missing === null ? sentence(because) : `${sentence(because)} ${missing}`
}

async function missingScopes(
  { scopes }: Pick<AdminPorts, 'scopes'>,
  { scopes: named }: Client,
): Promise<string | null> {
  const found = await Promise.all(named.map(name => scopes.find(name)))
  const isThere = (name: ScopeName, index: number) => found[index]?.scope.enabled ?? name === offlineScope
  const missing = named.filter((name, index) => !isThere(name, index))
  if (missing.length === 0) return null
  const names = missing.map(name => `"${name}"`).join(', ')
  return missing.length === 1
    ? `Its scope ${names} does not exist here, or is disabled.`
    : `Its scopes ${names} do not exist here, or are disabled.`
}

/** A scope that is not known here is asked for, too: that is a finding. */
export async function testedScopes(
  { scopes }: Pick<AdminPorts, 'scopes'>,
  client: Client,
  responseType: ResponseType,
): Promise<readonly ScopeName[]> {
  if (responseType === 'code' || responseType === 'id_token token') return client.scopes
  const wanted = responseType === 'token' ? 'resource' : 'identity'
  const kinds = new Map((await scopes.all()).map(({ scope }) => [scope.name, scope.kind]))
  return client.scopes.filter(name => name !== offlineScope && (kinds.get(name) ?? wanted) === wanted)
}

/** Which scopes a test asks for: all the client may have, as far as the kind of answer allows. */
import type { Client } from '#lib/protocol/client.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import { offlineScope } from '#lib/protocol/requested-scopes.ts'
import type { ResponseType } from '#lib/protocol/vocabulary.ts'
import type { AdminPorts } from '../../admin-ports.ts'

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

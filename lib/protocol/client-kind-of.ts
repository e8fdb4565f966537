import type { Client } from './client.ts'
import { isPublic } from './client.ts'
import type { ClientKind } from './client-kind.ts'

const byMachine: ReadonlySet<string> = new Set(['client_credentials'])
/** What today's standards advise against (RFC 9700 2.1.2 and 2.4). */
const outdated: ReadonlySet<string> = new Set(['implicit', 'password'])

/** What a registration amounts to, whatever it was made as. */
export function clientKindOf(client: Client): ClientKind {
  if (client.grantTypes.some(grantType => outdated.has(grantType))) return 'legacy'
  if (client.grantTypes.length > 0 && client.grantTypes.every(grantType => byMachine.has(grantType)))
    return 'machine'
  if (client.applicationType === 'native') return 'native'
  return isPublic(client) ? 'spa' : 'web'
}

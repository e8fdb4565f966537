/** Discovery documents and the key set: public, and the only answers of the protocol that may be cached. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { jsonReply, type Reply } from './reply.ts'

export function metadataReply(document: unknown): Reply {
  return jsonReply(200, document, {
    'cache-control': `public, max-age=${lifetimeSeconds.keySetCache}`,
    'cross-origin-resource-policy': 'cross-origin',
  })
}

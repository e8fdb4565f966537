/** Apps that would be shown to people under our own name (CN-09). */

import { isRecord } from '#lib/protocol/registration/fields.ts'
import { looksLike } from '#lib/protocol/text/similar-names.ts'

const product = 'Latchkey'

/**
 * One problem for each client whose name looks like this site's or this software's: "… wants to see your address" must
 * never seem to come from the sign-in itself. Reads the raw document, so that all problems are reported together.
 */
export function imitatedNames(document: unknown, siteName: string): readonly string[] {
  const clients: unknown = isRecord(document) ? document.clients : null
  if (!Array.isArray(clients)) return []
  return clients.flatMap((client: unknown, index) => {
    const name = isRecord(client) ? client.client_name : null
    const own = typeof name === 'string' ? imitatedName(name, siteName) : null
    if (own === null) return []
    return [`clients[${index}].client_name: looks like "${own}", the sign-in itself; name the app`]
  })
}

/** The name of this site or software that this one resembles; `null` if none. */
export function imitatedName(name: string, siteName: string): string | null {
  return [siteName, product].find(own => looksLike(name, own)) ?? null
}

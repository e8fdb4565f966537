/** Unknown grant types, which the token endpoint would always refuse. */
import type { CustomGrant } from '#lib/ports/extensions.ts'
import { grantTypeSchema } from '#lib/protocol/registration/client-rules.ts'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { meantName, unknownName } from '#lib/protocol/text/similar-names.ts'
import { grantTypes } from '#lib/protocol/vocabulary.ts'

type CustomGrants = readonly Pick<CustomGrant, 'grantType'>[]

/** One problem for each in a document, with its path. Reads the raw document, so that all are reported together. */
export function unknownGrants(document: unknown, customGrants: CustomGrants): readonly string[] {
  const clients: unknown = isRecord(document) ? document.clients : null
  if (!Array.isArray(clients)) return []
  return clients.flatMap((client: unknown, index) => {
    const grants: unknown = isRecord(client) ? client.grant_types : null
    if (!Array.isArray(grants)) return []
    return grants.flatMap((grant: unknown, at) => {
      const problem = typeof grant === 'string' ? unknownGrant(grant, customGrants) : null
      return problem === null ? [] : [`clients[${index}].grant_types[${at}]: ${sentence(problem)}`]
    })
  })
}

/** Why a client cannot use it; `null` if it is implemented, or if the schema refuses it. */
export function unknownGrant(grant: string, customGrants: CustomGrants): string | null {
  const known = [...grantTypes, ...customGrants.map(({ grantType }) => grantType)]
  if (known.includes(grant) || !grantTypeSchema.safeParse(grant).success) return null
  const problem = unknownName(grant, 'grant type', known)
  return meantName(grant, known) === null ? `${problem}; there are ${known.join(', ')}` : problem
}

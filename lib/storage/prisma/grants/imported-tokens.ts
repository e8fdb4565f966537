/** Tokens that another server issued, stored by an import. */
import type { ImportedToken, ImportedTokens } from '#lib/ports/grants.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import type { Tables } from '../../database.ts'
import type { Store } from '../../store.ts'
import { batchesOf } from '../rows.ts'
import { grantToRow } from './grant-rows.ts'
import { referenceToRow, refreshToRow } from './tokens.ts'

export const importedTokenStore: Store<ImportedTokens> = {
  create: database => ({ known: tokens => knownOf(database, tokens) }),
}

/** Stores the unexpired tokens that no earlier import stored, and returns their number. */
export async function putImportedTokens(
  tables: Tables,
  tokens: readonly ImportedToken[],
  now: Date,
): Promise<number> {
  let written = 0
  for (const batch of batchesOf(tokens.filter(token => endOf(token) > now))) {
    const known = await knownOf(tables, batch)
    const added = batch.filter(({ token }) => !known.has(token.digest))
    await putNew(tables, added)
    written += added.length
  }
  return written
}

async function putNew(tables: Tables, tokens: readonly ImportedToken[]): Promise<void> {
  const marks = tokens.map(token => ({ jti: markOf(token), expiresAt: endOf(token) }))
  await tables.revokedToken.createMany({ data: marks })
  const grants = tokens.flatMap(({ grant }) => (grant === null ? [] : [grantToRow(grant)]))
  await tables.grant.createMany({ data: grants })
  const refresh = tokens.flatMap(each => (each.kind === 'refresh' ? [refreshToRow(each.token)] : []))
  await tables.refreshToken.createMany({ data: refresh })
  const reference = tokens.flatMap(each => (each.kind === 'reference' ? [referenceToRow(each.token)] : []))
  await tables.referenceToken.createMany({ data: reference })
}

/** Returns the digests that an earlier import stored, including those of tokens that were deleted since. */
async function knownOf(tables: Tables, tokens: readonly ImportedToken[]): Promise<ReadonlySet<Digest>> {
  const found = new Set<string>()
  for (const batch of batchesOf(tokens)) {
    const where = { jti: { in: batch.map(markOf) } }
    const rows = await tables.revokedToken.findMany({ where, select: { jti: true } })
    for (const { jti } of rows) found.add(jti)
  }
  return new Set(tokens.filter(token => found.has(markOf(token))).map(({ token }) => token.digest))
}

/**
 * The ID of a row among the revoked tokens, stored until the token expires: a token that was imported and then revoked
 * here is not imported again.
 */
function markOf({ kind, token }: ImportedToken): string {
  return `imported_${kind}:${token.digest}`
}

function endOf(token: ImportedToken): Date {
  return token.kind === 'refresh' ? token.token.absoluteExpiresAt : token.token.expiresAt
}

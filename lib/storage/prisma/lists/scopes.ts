/**
 * Lists of scopes and identity providers, which are few, and of secrets that expire soon; the policies; and the number of users who
 * are linked to a provider.
 */
import { countedAtMost } from '#lib/config/limits.ts'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import { scopeMetadataFields } from '#lib/protocol/registration/scope.ts'
import type { Database } from '../../database.ts'
import { providerFromRow } from '../configuration/identity-providers.ts'
import { policiesFromRow } from '../configuration/policies.ts'
import { orderByPosition, secretDates, secretFromRow } from '../configuration/secrets.ts'
import { readDocument } from '../configuration/stored-documents.ts'
import { scopeName } from '../rows.ts'
import { expiringSecrets } from './expiring-secrets.ts'
import { counted } from './page.ts'

export function createScopeLists(
  database: Database,
): Pick<AdminLists, 'scopes' | 'scope' | 'providers' | 'policies' | 'linkedUsers' | 'expiringSecrets'> {
  const include = { secrets: { orderBy: orderByPosition } }
  return {
    scopes: async () => (await database.scope.findMany({ orderBy: orderByPosition, include })).map(versioned),
    scope: async name => {
      const row = await database.scope.findUnique({ where: { name }, include })
      return row && { ...versioned(row), secretDates: row.secrets.map(secretDates) }
    },
    providers: async () => {
      const rows = await database.identityProvider.findMany({ orderBy: orderByPosition })
      return rows.map(row => {
        const { version, createdAt, updatedAt } = row
        return { ...providerFromRow(row), version, createdAt, updatedAt }
      })
    },
    policies: async () => {
      const row = await database.sitePolicies.findFirst()
      if (row === null) return null
      const { version, createdAt, updatedAt } = row
      return { ...policiesFromRow(row), version, createdAt, updatedAt }
    },
    linkedUsers: async scheme => {
      // A limited scan of the primary key, which begins with the scheme
      const take = countedAtMost + 1
      const orderBy = [{ issuer: 'asc' }, { externalSubject: 'asc' }] as const
      const rows = await database.externalLogin.findMany({
        where: { scheme },
        orderBy: [...orderBy],
        select: { subject: true },
        take,
      })
      const { count } = counted(new Set(rows.map(row => row.subject)).size)
      return { count, isMore: rows.length === take }
    },
    expiringSecrets: (from, until, limit) => expiringSecrets(database, { from, until, limit }),
  }
}

type ScopeRow = {
  readonly name: string
  readonly metadata: string
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly secrets: readonly Parameters<typeof secretFromRow>[0][]
}

function versioned({ name, metadata, version, createdAt, updatedAt, secrets }: ScopeRow) {
  const record = {
    name: scopeName(name),
    metadata: readDocument(metadata, scopeMetadataFields),
    secrets: secrets.map(secretFromRow),
  }
  return { ...record, version, createdAt, updatedAt }
}

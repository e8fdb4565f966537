/** The servers whose exports can be imported. */
import { consentsOf4, registrationsOf4 } from './identityserver4.ts'
import {
  type Imported,
  type ImportedConsent,
  type ImportedRegistration,
  type ImportedUser,
  type ReadRow,
  readRegistration,
  readUser,
} from './imported.ts'
import { type FieldRule, fieldIn } from './mapping/field-map.ts'
import { clientRules, scopeRules } from './mapping/identityserver3.ts'
import { userAccountRules } from './mapping/membership-reboot.ts'
import { identityServer3Tables, identityServer4Tables, userTables } from './mapping/product-tables.ts'
import { type ReadToken, readIdentityServer3Token, readIdentityServer4Token } from './mapping/tokens.ts'
import { aspNetUserRules } from './mapping/users.ts'
import type { CollectedExport, MainTable, SourceObject } from './source/tables.ts'
import { userProductNames } from './user-exports/read-user-export.ts'

export const productNames = ['identityserver3', 'identityserver4'] as const
export type ProductName = (typeof productNames)[number]

/** All names: those of products whose tables are read, and of products of which only the users are. */
export const importNames = [...productNames, ...userProductNames] as const

type Product = {
  /** The name of the product in texts. */
  readonly name: string
  readonly tables: readonly MainTable[]
  readonly read: (collected: CollectedExport) => Imported
}

export const products: Readonly<Record<ProductName, Product>> = {
  identityserver3: {
    name: 'IdentityServer3',
    tables: [...identityServer3Tables, ...userTables],
    read: collected => ({
      scopes: registrations(collected, 'Scopes', { rules: scopeRules, secrets: 'ScopeSecrets' }),
      clients: registrations(collected, 'Clients', { rules: clientRules, secrets: 'ClientSecrets' }),
      users: users(collected),
      consents: consents(collected),
      tokens: parts => tokens(collected, 'Tokens', row => readIdentityServer3Token(row, parts)),
    }),
  },
  identityserver4: {
    name: 'IdentityServer4',
    tables: [...identityServer4Tables, ...userTables],
    read: collected => ({
      ...registrationsOf4(collected),
      users: users(collected),
      consents: consentsOf4(collected),
      tokens: parts => tokens(collected, 'PersistedGrants', row => readIdentityServer4Token(row, parts)),
    }),
  },
}

function* registrations(
  { objectsOf }: CollectedExport,
  table: string,
  mapping: { readonly rules: readonly FieldRule[]; readonly secrets: string },
): Generator<ImportedRegistration> {
  for (const object of objectsOf(table)) yield readRegistration(object, mapping)
}

function* users({ objectsOf }: CollectedExport): Generator<ImportedUser> {
  const roleNames = new Map<string, string>()
  for (const { fields } of objectsOf('AspNetRoles'))
    roleNames.set(String(fieldIn(fields, 'Id')).toLowerCase(), String(fieldIn(fields, 'Name')))
  for (const object of objectsOf('AspNetUsers')) yield readUser(object, { rules: aspNetUserRules, roleNames })
  for (const object of objectsOf('UserAccounts'))
    yield readUser(object, { rules: userAccountRules, roleNames })
}

function* consents({ objectsOf }: CollectedExport): Generator<ImportedConsent> {
  for (const { place, fields } of objectsOf('Consents'))
    yield {
      place,
      subject: String(fieldIn(fields, 'Subject')),
      clientId: String(fieldIn(fields, 'ClientId')),
      scopes: String(fieldIn(fields, 'Scopes') ?? '')
        .split(',')
        .filter(scope => scope !== ''),
      expiresAt: null,
    }
}

function* tokens(
  { objectsOf }: CollectedExport,
  table: string,
  read: (row: SourceObject) => ReadToken,
): Generator<ReadRow> {
  for (const row of objectsOf(table)) {
    const owner = `${fieldIn(row.fields, 'SubjectId') ?? ''} ${fieldIn(row.fields, 'ClientId') ?? ''}`
    yield { place: row.place, owner: owner.trim(), read: read(row) }
  }
}

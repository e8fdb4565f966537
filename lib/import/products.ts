/** The servers whose exports can be imported. */
import { type Imported, type ImportedRegistration, readRegistration } from './imported.ts'
import type { FieldRule } from './mapping/field-map.ts'
import { clientRules, identityServer3Tables, scopeRules } from './mapping/identityserver3.ts'
import type { CollectedExport, MainTable } from './source/tables.ts'

export const productNames = ['identityserver3'] as const
export type ProductName = (typeof productNames)[number]

type Product = {
  /** The name in texts. */
  readonly name: string
  readonly tables: readonly MainTable[]
  readonly read: (collected: CollectedExport) => Imported
}

export const products: Readonly<Record<ProductName, Product>> = {
  identityserver3: {
    name: 'IdentityServer3',
    tables: identityServer3Tables,
    read: collected => ({
      scopes: registrations(collected, 'Scopes', { rules: scopeRules, secrets: 'ScopeSecrets' }),
      clients: registrations(collected, 'Clients', { rules: clientRules, secrets: 'ClientSecrets' }),
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

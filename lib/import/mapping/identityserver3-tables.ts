/** The tables of IdentityServer3's Entity Framework store. */
import type { MainTable } from '../source/tables.ts'

const foreignKey = 'Client_Id'

export const identityServer3Tables: readonly MainTable[] = [
  {
    table: 'Clients',
    key: 'Id',
    children: [
      { table: 'ClientSecrets', foreignKey, member: 'ClientSecrets' },
      { table: 'ClientScopes', foreignKey, member: 'AllowedScopes', value: 'Scope' },
      { table: 'ClientRedirectUris', foreignKey, member: 'RedirectUris', value: 'Uri' },
      { table: 'ClientPostLogoutRedirectUris', foreignKey, member: 'PostLogoutRedirectUris', value: 'Uri' },
      { table: 'ClientCorsOrigins', foreignKey, member: 'AllowedCorsOrigins', value: 'Origin' },
      {
        table: 'ClientIdPRestrictions',
        foreignKey,
        member: 'IdentityProviderRestrictions',
        value: 'Provider',
      },
      { table: 'ClientCustomGrantTypes', foreignKey, member: 'AllowedCustomGrantTypes', value: 'GrantType' },
      { table: 'ClientClaims', foreignKey, member: 'Claims' },
    ],
  },
  {
    table: 'Scopes',
    key: 'Id',
    children: [
      { table: 'ScopeClaims', foreignKey: 'Scope_Id', member: 'Claims' },
      { table: 'ScopeSecrets', foreignKey: 'Scope_Id', member: 'ScopeSecrets' },
    ],
  },
  { table: 'Consents', key: 'Subject', children: [] },
  { table: 'Tokens', key: 'Key', children: [] },
]

/** The tables of the Entity Framework stores of IdentityServer3 and IdentityServer4, and of the stores of users. */
import type { ChildTable, MainTable } from '../source/tables.ts'

/** A `ChildTable` as a tuple. */
type Child = readonly [
  table: string,
  member: string,
  others?: Partial<Pick<ChildTable, 'value' | 'earlierName'>>,
]

function childrenBy(foreignKey: string, children: readonly Child[]): readonly ChildTable[] {
  return children.map(([table, member, others]) => ({ table, foreignKey, member, ...others }))
}

export const identityServer3Tables: readonly MainTable[] = [
  {
    table: 'Clients',
    key: 'Id',
    children: childrenBy('Client_Id', [
      ['ClientSecrets', 'ClientSecrets'],
      ['ClientScopes', 'AllowedScopes', { value: 'Scope' }],
      ['ClientRedirectUris', 'RedirectUris', { value: 'Uri' }],
      ['ClientPostLogoutRedirectUris', 'PostLogoutRedirectUris', { value: 'Uri' }],
      ['ClientCorsOrigins', 'AllowedCorsOrigins', { value: 'Origin' }],
      ['ClientIdPRestrictions', 'IdentityProviderRestrictions', { value: 'Provider' }],
      ['ClientCustomGrantTypes', 'AllowedCustomGrantTypes', { value: 'GrantType' }],
      ['ClientClaims', 'Claims'],
    ]),
  },
  {
    table: 'Scopes',
    key: 'Id',
    children: childrenBy('Scope_Id', [
      ['ScopeClaims', 'Claims'],
      ['ScopeSecrets', 'ScopeSecrets'],
    ]),
  },
  { table: 'Consents', key: 'Subject', children: [] },
  { table: 'Tokens', key: 'Key', children: [] },
]

/** The tables of IdentityServer4. The earlier names are those of its versions before 4. */
export const identityServer4Tables: readonly MainTable[] = [
  {
    table: 'Clients',
    key: 'Id',
    children: childrenBy('ClientId', [
      ['ClientSecrets', 'ClientSecrets'],
      ['ClientGrantTypes', 'AllowedGrantTypes', { value: 'GrantType' }],
      ['ClientScopes', 'AllowedScopes', { value: 'Scope' }],
      ['ClientRedirectUris', 'RedirectUris', { value: 'RedirectUri' }],
      ['ClientPostLogoutRedirectUris', 'PostLogoutRedirectUris', { value: 'PostLogoutRedirectUri' }],
      ['ClientCorsOrigins', 'AllowedCorsOrigins', { value: 'Origin' }],
      ['ClientIdPRestrictions', 'IdentityProviderRestrictions', { value: 'Provider' }],
      ['ClientClaims', 'Claims'],
      ['ClientProperties', 'Properties'],
    ]),
  },
  {
    table: 'IdentityResources',
    key: 'Id',
    children: childrenBy('IdentityResourceId', [
      ['IdentityResourceClaims', 'UserClaims', { value: 'Type', earlierName: 'IdentityClaims' }],
      ['IdentityResourceProperties', 'Properties', { earlierName: 'IdentityProperties' }],
    ]),
  },
  {
    table: 'ApiResources',
    key: 'Id',
    children: childrenBy('ApiResourceId', [
      ['ApiResourceClaims', 'UserClaims', { value: 'Type', earlierName: 'ApiClaims' }],
      ['ApiResourceSecrets', 'ApiSecrets', { earlierName: 'ApiSecrets' }],
      ['ApiResourceScopes', 'Scopes', { value: 'Scope' }],
      ['ApiResourceProperties', 'Properties', { earlierName: 'ApiProperties' }],
    ]),
  },
  {
    table: 'ApiScopes',
    key: 'Id',
    children: [
      {
        table: 'ApiScopeClaims',
        foreignKey: 'ScopeId',
        earlierForeignKey: 'ApiScopeId',
        member: 'UserClaims',
        value: 'Type',
      },
      { table: 'ApiScopeProperties', foreignKey: 'ScopeId', member: 'Properties' },
    ],
  },
  { table: 'PersistedGrants', key: 'Key', children: [] },
]

/** The tables of ASP.NET Identity and MembershipReboot. */
export const userTables: readonly MainTable[] = [
  {
    table: 'AspNetUsers',
    key: 'Id',
    children: childrenBy('UserId', [
      ['AspNetUserClaims', 'Claims'],
      ['AspNetUserLogins', 'Logins'],
      ['AspNetUserRoles', 'Roles', { value: 'RoleId' }],
    ]),
  },
  { table: 'AspNetRoles', key: 'Id', children: [] },
  {
    table: 'UserAccounts',
    key: 'Key',
    children: childrenBy('ParentKey', [
      ['UserClaims', 'Claims'],
      ['LinkedAccounts', 'Logins'],
    ]),
  },
]

/** The tables of the Entity Framework stores of IdentityServer3 and IdentityServer4, and of the stores of users. */
import type { ChildTable, MainTable } from '../source/tables.ts'

/** As in `ChildTable`. */
type Child = readonly [table: string, member: string, value?: string | undefined, earlierName?: string]

function childrenBy(foreignKey: string, children: readonly Child[]): readonly ChildTable[] {
  return children.map(([table, member, value, earlierName]) => {
    return { table, earlierName, foreignKey, member, value }
  })
}

export const identityServer3Tables: readonly MainTable[] = [
  {
    table: 'Clients',
    key: 'Id',
    children: childrenBy('Client_Id', [
      ['ClientSecrets', 'ClientSecrets'],
      ['ClientScopes', 'AllowedScopes', 'Scope'],
      ['ClientRedirectUris', 'RedirectUris', 'Uri'],
      ['ClientPostLogoutRedirectUris', 'PostLogoutRedirectUris', 'Uri'],
      ['ClientCorsOrigins', 'AllowedCorsOrigins', 'Origin'],
      ['ClientIdPRestrictions', 'IdentityProviderRestrictions', 'Provider'],
      ['ClientCustomGrantTypes', 'AllowedCustomGrantTypes', 'GrantType'],
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

/** The earlier names are those of its versions before 4. */
export const identityServer4Tables: readonly MainTable[] = [
  {
    table: 'Clients',
    key: 'Id',
    children: childrenBy('ClientId', [
      ['ClientSecrets', 'ClientSecrets'],
      ['ClientGrantTypes', 'AllowedGrantTypes', 'GrantType'],
      ['ClientScopes', 'AllowedScopes', 'Scope'],
      ['ClientRedirectUris', 'RedirectUris', 'RedirectUri'],
      ['ClientPostLogoutRedirectUris', 'PostLogoutRedirectUris', 'PostLogoutRedirectUri'],
      ['ClientCorsOrigins', 'AllowedCorsOrigins', 'Origin'],
      ['ClientIdPRestrictions', 'IdentityProviderRestrictions', 'Provider'],
      ['ClientClaims', 'Claims'],
      ['ClientProperties', 'Properties'],
    ]),
  },
  {
    table: 'IdentityResources',
    key: 'Id',
    children: childrenBy('IdentityResourceId', [
      ['IdentityResourceClaims', 'UserClaims', 'Type', 'IdentityClaims'],
      ['IdentityResourceProperties', 'Properties', undefined, 'IdentityProperties'],
    ]),
  },
  {
    table: 'ApiResources',
    key: 'Id',
    children: childrenBy('ApiResourceId', [
      ['ApiResourceClaims', 'UserClaims', 'Type', 'ApiClaims'],
      ['ApiResourceSecrets', 'ApiSecrets', undefined, 'ApiSecrets'],
      ['ApiResourceScopes', 'Scopes', 'Scope'],
      ['ApiResourceProperties', 'Properties', undefined, 'ApiProperties'],
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

/** Of ASP.NET Identity and MembershipReboot. */
export const userTables: readonly MainTable[] = [
  {
    table: 'AspNetUsers',
    key: 'Id',
    children: childrenBy('UserId', [
      ['AspNetUserClaims', 'Claims'],
      ['AspNetUserLogins', 'Logins'],
      ['AspNetUserRoles', 'Roles', 'RoleId'],
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

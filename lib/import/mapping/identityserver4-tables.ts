/** The tables of IdentityServer4's Entity Framework stores; the aliases are those of its versions before 4. */
import type { MainTable } from '../source/tables.ts'

const ofClient = 'ClientId'

export const identityServer4Tables: readonly MainTable[] = [
  {
    table: 'Clients',
    key: 'Id',
    children: [
      { table: 'ClientSecrets', foreignKey: ofClient, member: 'ClientSecrets' },
      { table: 'ClientGrantTypes', foreignKey: ofClient, member: 'AllowedGrantTypes', value: 'GrantType' },
      { table: 'ClientScopes', foreignKey: ofClient, member: 'AllowedScopes', value: 'Scope' },
      { table: 'ClientRedirectUris', foreignKey: ofClient, member: 'RedirectUris', value: 'RedirectUri' },
      {
        table: 'ClientPostLogoutRedirectUris',
        foreignKey: ofClient,
        member: 'PostLogoutRedirectUris',
        value: 'PostLogoutRedirectUri',
      },
      { table: 'ClientCorsOrigins', foreignKey: ofClient, member: 'AllowedCorsOrigins', value: 'Origin' },
      {
        table: 'ClientIdPRestrictions',
        foreignKey: ofClient,
        member: 'IdentityProviderRestrictions',
        value: 'Provider',
      },
      { table: 'ClientClaims', foreignKey: ofClient, member: 'Claims' },
      { table: 'ClientProperties', foreignKey: ofClient, member: 'Properties' },
    ],
  },
  {
    table: 'IdentityResources',
    key: 'Id',
    children: [
      {
        table: 'IdentityResourceClaims',
        aliases: ['IdentityClaims'],
        foreignKey: 'IdentityResourceId',
        member: 'UserClaims',
        value: 'Type',
      },
      {
        table: 'IdentityResourceProperties',
        aliases: ['IdentityProperties'],
        foreignKey: 'IdentityResourceId',
        member: 'Properties',
      },
    ],
  },
  {
    table: 'ApiResources',
    key: 'Id',
    children: [
      {
        table: 'ApiResourceClaims',
        aliases: ['ApiClaims'],
        foreignKey: 'ApiResourceId',
        member: 'UserClaims',
        value: 'Type',
      },
      {
        table: 'ApiResourceSecrets',
        aliases: ['ApiSecrets'],
        foreignKey: 'ApiResourceId',
        member: 'ApiSecrets',
      },
      { table: 'ApiResourceScopes', foreignKey: 'ApiResourceId', member: 'Scopes', value: 'Scope' },
      {
        table: 'ApiResourceProperties',
        aliases: ['ApiProperties'],
        foreignKey: 'ApiResourceId',
        member: 'Properties',
      },
    ],
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

/** The rules for the fields of identity resources, API scopes and API resources of IdentityServer4. */
import { claimNames, requiredName, scopeSettings } from './client-values.ts'
import {
  copied,
  type FieldRule,
  flag,
  gone,
  internal,
  note,
  optional,
  readElsewhere,
  textsIn,
} from './field-map.ts'

const ofEveryRow = ['Id', 'Created', 'Updated', 'LastAccessed', 'NonEditable', 'Properties'].map(internal)

const ofEveryScope: readonly FieldRule[] = [
  ...ofEveryRow,
  ...scopeSettings,
  copied('UserClaims', 'claims', claimNames),
]

export const identityResourceRules: readonly FieldRule[] = [
  ...ofEveryScope,
  { field: '(every identity resource)', becomes: ['kind'], read: () => ({ fields: { kind: 'identity' } }) },
]

/** The rules for API scopes. The names of their API resources come from the table `ApiResources`. */
export const apiScopeRules: readonly FieldRule[] = [
  ...ofEveryScope,
  internal('ApiResourceId'),
  {
    field: 'ApiResources',
    becomes: ['audience', 'claims'],
    why: 'the name of the API resource is the audience; its user claims are those of each of its scopes',
    read: (_value, all) => {
      const [audience, ...others] = textsIn(all, 'ApiResources')
      const notes = others.map(other => note('changed', 'ApiResources', `is not in the audience: ${other}`))
      return { fields: { kind: 'resource', ...(audience === undefined ? {} : { audience }) }, notes }
    },
  },
  readElsewhere('ApiSecrets', ['secrets'], 'those of the API resource of the same name'),
]

/** The rules for an API that introspects under a name that no scope has: it becomes a client without grants. */
export const apiResourceRules: readonly FieldRule[] = [
  ...ofEveryRow,
  copied('Enabled', 'enabled', flag, { otherwise: true }),
  {
    field: 'Name',
    becomes: ['client_id'],
    read: value => ({ fields: { client_id: requiredName(value), grant_types: [], response_types: [] } }),
  },
  optional('DisplayName', 'client_name'),
  internal('Description'),
  internal('ShowInDiscoveryDocument'),
  internal('UserClaims'),
  internal('Scopes'),
  internal('AllowedAccessTokenSigningAlgorithms'),
  gone('RequireResourceIndicator', [false], { why: 'resource indicators are not supported' }),
  readElsewhere('ApiSecrets', ['client_secrets']),
]

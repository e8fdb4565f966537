/** Identity resources, API scopes and API resources of IdentityServer4: what becomes of each field. */
import { claimNames, requiredName } from './client-values.ts'
import {
  copied,
  type FieldRule,
  fieldIn,
  flag,
  gone,
  internal,
  type Note,
  optional,
  or,
  texts,
} from './field-map.ts'

const changed = (field: string, text: string): Note => ({ kind: 'changed', field, text })

const ofEveryScope: readonly FieldRule[] = [
  ...['Id', 'Created', 'Updated', 'LastAccessed', 'NonEditable', 'Properties'].map(internal),
  copied('Enabled', 'enabled', flag, { otherwise: true }),
  { field: 'Name', becomes: ['name'], read: value => ({ fields: { name: requiredName(value) } }) },
  optional('DisplayName', 'display_name'),
  optional('Description', 'description'),
  copied('Required', 'required', flag, { otherwise: false }),
  copied('Emphasize', 'emphasize', flag, { otherwise: false }),
  copied('ShowInDiscoveryDocument', 'show_in_discovery', flag, { otherwise: true }),
  { field: 'UserClaims', becomes: ['claims'], read: value => ({ fields: { claims: claimNames(value) } }) },
]

export const identityResourceRules: readonly FieldRule[] = [
  ...ofEveryScope,
  { field: '(every identity resource)', becomes: ['kind'], read: () => ({ fields: { kind: 'identity' } }) },
]

/** The names of the API resources of a scope come from `ApiResources`. */
export const apiScopeRules: readonly FieldRule[] = [
  ...ofEveryScope,
  internal('ApiResourceId'),
  {
    field: 'ApiResources',
    becomes: ['audience', 'claims'],
    why: 'the name of the API resource is the audience; its user claims are those of each of its scopes',
    read: (_value, all) => {
      const [audience, ...others] = or(texts, [])(fieldIn(all, 'ApiResources'))
      const notes = others.map(other => changed('ApiResources', `is not in the audience: ${other}`))
      return { fields: { kind: 'resource', ...(audience === undefined ? {} : { audience }) }, notes }
    },
  },
  {
    field: 'ApiSecrets',
    becomes: ['secrets'],
    why: 'those of the API resource of the same name',
    read: () => ({}),
  },
]

/** An API that introspects under a name that no scope has is a client without grants. */
export const apiResourceRules: readonly FieldRule[] = [
  ...ofEveryScope.filter(
    ({ field }) =>
      ![
        'Name',
        'DisplayName',
        'Description',
        'ShowInDiscoveryDocument',
        'UserClaims',
        'Required',
        'Emphasize',
      ].includes(field),
  ),
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
  { field: 'ApiSecrets', becomes: ['client_secrets'], read: () => ({}) },
]

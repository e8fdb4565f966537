/** Converts the clients, scopes and consents in an export of IdentityServer4. */
import { isRecord } from '#lib/protocol/registration/fields.ts'
import {
  type Imported,
  type ImportedConsent,
  type ImportedRegistration,
  readRegistration,
} from './imported.ts'
import { fieldIn, list, or, time, WrongValue } from './mapping/field-map.ts'
import { clientRules4 } from './mapping/identityserver4.ts'
import { apiResourceRules, apiScopeRules, identityResourceRules } from './mapping/identityserver4-scopes.ts'
import { type CollectedExport, type Fields, fieldsOf, type SourceObject } from './source/tables.ts'

type Registrations = Pick<Imported, 'scopes' | 'clients'>

/**
 * Reads scopes and API resources together: an API scope gets the claims and the audience of its resources. A resource
 * with secrets, whose name no API scope has, becomes a client.
 */
export function registrationsOf4({ objectsOf }: CollectedExport): Registrations {
  const resources = [...objectsOf('ApiResources')]
  const apiScopes = [...objectsOf('ApiScopes')]
  const names = new Set(apiScopes.map(({ fields }) => fieldIn(fields, 'Name')))
  return {
    scopes: scopes(objectsOf('IdentityResources'), apiScopes, resources),
    clients: clients(
      objectsOf('Clients'),
      resources.filter(({ fields }) => !names.has(fieldIn(fields, 'Name'))),
    ),
  }
}

function* scopes(
  identity: Iterable<SourceObject>,
  apiScopes: readonly SourceObject[],
  resources: readonly SourceObject[],
): Generator<ImportedRegistration> {
  for (const object of identity)
    yield readRegistration(object, { rules: identityResourceRules, secrets: 'ApiSecrets' })
  for (const { place, fields } of apiScopes) {
    const complete = withResources(fields, resources)
    yield readRegistration({ place, fields: complete }, { rules: apiScopeRules, secrets: 'ApiSecrets' })
  }
}

function withResources(scope: Fields, resources: readonly SourceObject[]): Fields {
  const name = fieldIn(scope, 'Name')
  const owner = fieldIn(scope, 'ApiResourceId')
  const own = resources.filter(
    ({ fields }) =>
      or(list, [])(fieldIn(fields, 'Scopes')).map(scopeName).includes(name) ||
      (owner !== null && fieldIn(fields, 'Id') === owner),
  )
  const claims = [scope, ...own.map(({ fields }) => fields)].flatMap(fields =>
    or(list, [])(fieldIn(fields, 'UserClaims')),
  )
  const api = own.find(({ fields }) => fieldIn(fields, 'Name') === name)
  return new Map([
    ...scope,
    ['userclaims', claims],
    ['apiresources', own.map(({ fields }) => fieldIn(fields, 'Name'))],
    ['apisecrets', api === undefined ? [] : fieldIn(api.fields, 'ApiSecrets')],
  ])
}

/** Returns the name of a scope of an API resource. Before version 4, the scopes of an API resource were objects. */
function scopeName(entry: unknown): unknown {
  return isRecord(entry) ? fieldIn(fieldsOf(entry), 'Scope', 'Name') : entry
}

function* clients(
  objects: Iterable<SourceObject>,
  resources: readonly SourceObject[],
): Generator<ImportedRegistration> {
  for (const object of objects) {
    const read = readRegistration(object, { rules: clientRules4, secrets: 'ClientSecrets' })
    const isPublic = read.document.token_endpoint_auth_method === 'none'
    yield isPublic ? { ...read, secrets: [] } : read
  }
  for (const object of resources) {
    const hasSecrets = or(list, [])(fieldIn(object.fields, 'ApiSecrets')).length > 0
    if (hasSecrets) yield readRegistration(object, { rules: apiResourceRules, secrets: 'ApiSecrets' })
  }
}

/** Reads the consents, which are rows of `PersistedGrants` with JSON. */
export function* consentsOf4({ objectsOf }: CollectedExport): Generator<ImportedConsent> {
  for (const { place, fields } of objectsOf('PersistedGrants')) {
    if (fieldIn(fields, 'Type') !== 'user_consent') continue
    yield {
      place,
      subject: String(fieldIn(fields, 'SubjectId')),
      clientId: String(fieldIn(fields, 'ClientId')),
      scopes: scopesIn(fieldIn(fields, 'Data')),
      expiresAt: endOf(fieldIn(fields, 'Expiration')),
    }
  }
}

/** Returns the expiry; `null` if there is none. A time that cannot be parsed counts as past. */
function endOf(expiration: unknown): Date | null {
  try {
    return or<Date | null>(time, null)(expiration)
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    return new Date(0)
  }
}

function scopesIn(data: unknown): readonly string[] {
  try {
    const scopes = fieldIn(fieldsOf(JSON.parse(String(data))), 'Scopes')
    return Array.isArray(scopes) ? scopes.map(String) : []
  } catch {
    return []
  }
}

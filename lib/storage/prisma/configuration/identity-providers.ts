/** Identity providers: writes them, and reads them once per revision of the configuration. */

import { ConfigurationConflict } from '#lib/ports/configuration-store.ts'
import type { IdentityProvider, IdentityProviders } from '#lib/ports/upstream.ts'
import {
  noPresetValues,
  type PresetName,
  type PresetValues,
} from '#lib/protocol/registration/provider-presets.ts'
import type { Reauthentication } from '#lib/protocol/vocabulary.ts'
import type { IdentityProvider as ProviderRow } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import type { StoreContext } from '../../store.ts'
import { endSessions } from '../identity/ended-sessions.ts'
import { cachedRead } from '../reads.ts'
import { equals, parseStringList, providerScheme } from '../rows.ts'
import { orderByPosition } from './secrets.ts'
import { documentText, readDocument } from './stored-documents.ts'

export function createIdentityProviders(database: Database, { revision }: StoreContext): IdentityProviders {
  const readAll = cachedRead({ load: () => load(database), size: 1, revision: revision.current })
  const all = async () => (await readAll('all')) ?? []
  return {
    all,
    find: async scheme => (await all()).find(provider => provider.scheme === scheme) ?? null,
  }
}

async function load(database: Database): Promise<readonly IdentityProvider[]> {
  const rows = await database.identityProvider.findMany({ orderBy: orderByPosition })
  return rows.map(providerFromRow)
}

export function providerFromRow(row: ProviderRow): IdentityProvider {
  const {
    displayName,
    issuer,
    clientId,
    clientSecret,
    scope,
    signOutAtProvider,
    hidden,
    trustsEmail,
    enabled,
  } = row
  const [scheme, domains] = [providerScheme(row.scheme), parseStringList(row.domains)]
  // The column contains only values that this code wrote
  const reauthentication = row.reauthentication as Reauthentication
  const secondFactorValues = parseStringList(row.secondFactorValues)
  const settings = {
    scope,
    domains,
    reauthentication,
    signOutAtProvider,
    hidden,
    secondFactorValues,
    trustsEmail,
    enabled,
  }
  const preset = row.preset as PresetName
  return {
    scheme,
    displayName,
    preset,
    issuer,
    clientId,
    clientSecret,
    ...presetValues(row.presetValues),
    ...settings,
  }
}

/** Reads the values of the preset. Those that the row does not have, such as in a row of an earlier release, have their defaults. */
function presetValues(stored: string): PresetValues {
  // The column contains only values that this code wrote
  return { ...noPresetValues, ...(readDocument(stored, noPresetValues) as Partial<PresetValues>) }
}

/** Returns the values of the preset as JSON, in a fixed order. */
function presetValuesText(provider: IdentityProvider): string {
  const { authorizationEndpoint, tokenEndpoint, userinfoEndpoint, clientAuthentication } = provider
  const { claimNames, pkce, tenants, teamId, keyId } = provider
  const endpoints = { authorizationEndpoint, tokenEndpoint, userinfoEndpoint, clientAuthentication }
  return JSON.stringify({ ...endpoints, claimNames, pkce, tenants, teamId, keyId } satisfies PresetValues)
}

function providerToRow(provider: IdentityProvider) {
  const { scheme, displayName, preset, issuer, clientId, clientSecret } = provider
  const { scope, reauthentication, signOutAtProvider, hidden, trustsEmail, enabled } = provider
  const domains = JSON.stringify(provider.domains)
  const secondFactorValues = JSON.stringify(provider.secondFactorValues)
  const settings = {
    scope,
    domains,
    reauthentication,
    signOutAtProvider,
    hidden,
    secondFactorValues,
    trustsEmail,
    enabled,
  }
  const kind = { preset, presetValues: presetValuesText(provider) }
  return { scheme, displayName, issuer, clientId, clientSecret, ...kind, ...settings }
}

/**
 * Creates or replaces an identity provider. Disabling it ends the sessions and grants of its users. Returns false if
 * nothing changed.
 */
export async function putProvider(tables: Tables, provider: IdentityProvider, now: Date): Promise<boolean> {
  const { scheme } = provider
  const columns = providerToRow(provider)
  const found = await tables.identityProvider.findUnique({ where: { scheme } })
  if (found !== null && isSame(providerToRow(providerFromRow(found)), columns)) return false
  const last = await tables.identityProvider.findFirst({ orderBy: { position: 'desc' } })
  const position = (last?.position ?? 0) + 1
  const create = { ...columns, position, version: 1, createdAt: now, updatedAt: now }
  const presetValues = documentText(
    JSON.parse(columns.presetValues),
    found?.presetValues ?? null,
    noPresetValues,
  )
  const update = { ...columns, presetValues, version: { increment: 1 }, updatedAt: now }
  await tables.identityProvider.upsert({ where: { scheme }, create, update })
  if (found?.enabled === true && !provider.enabled)
    await endSessions(tables, { idp: scheme }, 'provider_disabled', now)
  return true
}

/**
 * Refuses changes that would assign one domain to two providers, even if they are concurrent. Must be called after all
 * providers are written.
 */
export async function refuseSharedDomains(
  tables: Tables,
  written: readonly IdentityProvider[],
): Promise<void> {
  if (written.length === 0) return
  const all = (await tables.identityProvider.findMany()).map(providerFromRow)
  for (const { scheme, domains } of written) {
    for (const domain of domains) {
      const other = all.find(it => it.scheme !== scheme && it.domains.includes(domain))
      if (other === undefined) continue
      throw new ConfigurationConflict(
        `The domain ${domain} would lead to both ${other.scheme} and ${scheme}.`,
      )
    }
  }
}

function isSame(left: object, right: object): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** Removes an identity provider and ends the sessions and grants of its users. Returns false if it did not exist. */
export async function removeProvider(tables: Tables, scheme: string, now: Date): Promise<boolean> {
  const { count } = await tables.identityProvider.deleteMany({ where: { scheme: equals(scheme) } })
  if (count === 0) return false
  await endSessions(tables, { idp: scheme }, 'provider_disabled', now)
  return true
}

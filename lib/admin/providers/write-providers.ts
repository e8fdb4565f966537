/** Creates, changes, enables, disables and restores identity providers. */
import { z } from 'zod'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import {
  checkPreset,
  checkPresetSecret,
  type PresetReport,
  withPresetDefaults,
} from '#lib/protocol/registration/provider-rules.ts'
import { providerFieldsSchema, providerSecretContext } from '#lib/protocol/registration/records.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, errorFor, type FieldError, invalid, lenient, ok } from '../admin-result.ts'
import { providerFromDocument, sendsSecretAlike } from '../configuration/configured-records.ts'
import { createRow, updateRow, versionSchema } from '../resource/resource.ts'
import { restoreUseCase, setEnabledUseCase } from '../resource/resource-use-cases.ts'
import { settingForm } from '../setting-form.ts'
import { defineUseCase, type FormFields, type UseCase } from '../use-case.ts'
import { deleteProvider, findProviderClients, setProviderClients } from './provider-clients.ts'
import { providers, providerViewSchema, type StoredProvider, storedProvider } from './provider-resource.ts'
import { finishProviderTest, startProviderTest } from './provider-test.ts'
import { listProviders, previewProvider, readProvider } from './read-providers.ts'

const { shape } = providerFieldsSchema

export const { shape: providerFields } = providerFieldsSchema.omit({ client_secret: true })

/** The fields of the form that follow from the schema. */
export const providerForm = settingForm(
  shape,
  { domains: { kind: 'words' }, tenants: { kind: 'words' } },
  () => null,
)

const inputSchema = z.object({
  ...providerFields,
  client_secret: shape.client_secret.describe('Left out: the stored secret is kept.').optional(),
  is_public: z
    .boolean()
    .default(false)
    .describe('Registered there without a secret: a public client with PKCE.'),
})

type ProviderInput = z.output<typeof inputSchema>

export const createProvider = defineUseCase({
  name: 'providers.create',
  permission: 'providers:create',
  summary: 'Registers an identity provider.',
  done: 'Provider saved. Try a sign-in before users do.',
  isSensitive: true,
  input: inputSchema,
  output: providerViewSchema,
  fromForm: providerFromForm,
  validate: async (ports, raw) => {
    const read = readableSchema.safeParse(raw)
    return read.success ? providerErrors(ports, null, read.data) : []
  },
  api: { method: 'POST', path: '/providers', status: 201 },
  run: async (ports, input, call) => {
    const row = await providerRow(ports, null, input)
    return row.kind === 'ok' ? createRow(providers, ports, row.value, call) : row
  },
})

export const updateProvider = defineUseCase({
  name: 'providers.update',
  permission: 'providers:update',
  summary: 'Changes an identity provider. Its secret is kept unless a new one is sent.',
  done: 'Provider saved. The next sign-in uses the new settings.',
  isSensitive: true,
  input: inputSchema.extend({ version: versionSchema }),
  output: providerViewSchema,
  fromForm: providerFromForm,
  validate: async (ports, raw) => {
    const read = readableSchema.safeParse(raw)
    const scheme = read.data?.scheme
    const stored = scheme === undefined ? null : await storedProvider(ports, scheme)
    return read.success && stored !== null ? providerErrors(ports, stored, read.data) : []
  },
  api: { method: 'PUT', path: '/providers/{scheme}' },
  run: (ports, { version, ...input }, call) => {
    const alter = (stored: StoredProvider) => providerRow(ports, stored, input)
    return updateRow(providers, ports, { id: input.scheme, version, alter }, call)
  },
})

export const setProviderEnabled = setEnabledUseCase(providers, {
  summary:
    'Enables or disables an identity provider. Users who came from there are signed out when it is disabled.',
  done: 'Provider saved.',
  isSensitive: true,
  isVersioned: true,
})

const restoredSchema = z.object({ ...providerFields, has_secret: z.boolean() })

/** NOTE: the secret of a deleted provider was deleted with it and has to be entered again. */
export const restoreProvider = restoreUseCase(providers, {
  kind: 'provider',
  permission: 'providers:update',
  summary:
    'Restores the settings that a provider had after an earlier change. Its secret is kept; a deleted provider needs it again.',
  isSensitive: true,
  input: { client_secret: z.string().default('') },
  rowOf: (ports, document, { id, stored, input: { client_secret: secret } }) => {
    const read = restoredSchema.safeParse({ ...document, scheme: id })
    if (!read.success) return invalid('seq', 'This change left no version that can be restored.')
    const { has_secret: hadSecret, ...settings } = read.data
    const given = typeof secret !== 'string' || secret === '' ? {} : { client_secret: secret }
    return providerRow(ports, stored, { ...settings, ...given, is_public: !hadSecret })
  },
})

export const providerUseCases: readonly UseCase[] = [
  listProviders,
  readProvider,
  previewProvider,
  createProvider,
  updateProvider,
  setProviderEnabled,
  findProviderClients,
  setProviderClients,
  startProviderTest,
  finishProviderTest,
  deleteProvider,
  restoreProvider,
]

/** Reads a posted form. An empty secret counts as absent. */
function providerFromForm(fields: FormFields): unknown {
  const text = (name: string) => fields[name]?.at(-1)?.trim() ?? ''
  return {
    ...providerForm.documentOf(fields),
    scheme: text('scheme'),
    version: text('version'),
    display_name: text('display_name') || undefined,
    preset: text('preset') || undefined,
    issuer: text('issuer') || undefined,
    client_id: text('client_id'),
    client_secret: text('client_secret') || undefined,
    is_public: text('is_public') === 'true',
  }
}

/** Returns the row to store, or the errors that `providerErrors` finds. `stored` is `null` for a new provider. */
async function providerRow(
  ports: AdminPorts,
  stored: IdentityProvider | null,
  input: ProviderInput,
): Promise<AdminResult<IdentityProvider>> {
  const { scheme, client_secret: secret = null, is_public: isPublic } = input
  const errors = await providerErrors(ports, stored, input)
  if (errors.length > 0) return { kind: 'invalid', errors }
  const kept = isPublic ? null : (stored?.clientSecret ?? null)
  const sealed = secret === null ? kept : ports.sealing.seal(secret, providerSecretContext(scheme))
  return ok(providerFromDocument(input, sealed))
}

const readableSchema = z.object({
  scheme: lenient(shape.scheme),
  preset: lenient(shape.preset),
  issuer: lenient(shape.issuer),
  scope: lenient(shape.scope),
  reauthentication: lenient(shape.reauthentication),
  authorization_endpoint: lenient(shape.authorization_endpoint),
  token_endpoint: lenient(shape.token_endpoint),
  userinfo_endpoint: lenient(shape.userinfo_endpoint),
  client_authentication: lenient(shape.client_authentication),
  claim_names: lenient(shape.claim_names),
  pkce: lenient(shape.pkce),
  tenants: lenient(shape.tenants),
  team_id: lenient(shape.team_id),
  key_id: lenient(shape.key_id),
  client_secret: lenient(shape.client_secret),
  is_public: lenient(z.boolean()),
  domains: lenient(z.array(z.string())),
})

type ReadableInput = z.output<typeof readableSchema>

/** Errors that depend on more than one field or on what is stored: in the scheme, the secret and the domains. */
async function providerErrors(
  ports: AdminPorts,
  stored: IdentityProvider | null,
  input: ReadableInput,
): Promise<readonly FieldError[]> {
  const { scheme } = input
  const isTaken = stored === null && scheme !== undefined && (await storedProvider(ports, scheme)) !== null
  return [
    ...errorFor('scheme', isTaken ? `There is a provider "${scheme}" already.` : null),
    ...errorFor('client_secret', secretProblem(stored, input)),
    ...presetErrors(stored, input),
    ...(await domainErrors(ports, input)),
  ]
}

/** Returns what contradicts the preset. The stored secret was checked when it was entered. */
function presetErrors(stored: IdentityProvider | null, input: ReadableInput): readonly FieldError[] {
  const errors: FieldError[] = []
  const report: PresetReport = (path, message) => errors.push(...errorFor(path.join('.'), message))
  checkPreset(input, report)
  const { preset = 'openid_connect', client_secret: given = null, is_public: isPublic = false } = input
  if (isPublic || given !== null || stored === null)
    checkPresetSecret({ preset, client_secret: given }, report)
  return errors
}

function secretProblem(stored: IdentityProvider | null, input: ReadableInput): string | null {
  const { client_secret: given, is_public: isPublic = false } = input
  const hasSecret = (given ?? null) !== null
  if (hasSecret && isPublic) return 'There is a secret, and the box says that the provider gave none.'
  if (hasSecret || isPublic) return null
  if (stored === null) return 'Enter the secret, or tick the box if the provider gave none.'
  // Changing the address that receives the secret must not reveal it (AD-05)
  const { preset = 'openid_connect', token_endpoint: tokenEndpoint = null } = input
  const { issuer } = withPresetDefaults(input)
  return stored.clientSecret !== null && !sendsSecretAlike(stored, { preset, issuer, tokenEndpoint })
    ? 'The address that receives the secret has changed: enter the secret of the new provider.'
    : null
}

/** Refuses a domain that leads to another provider already. */
async function domainErrors(
  { adminLists }: Pick<AdminPorts, 'adminLists'>,
  { scheme, domains = [] }: ReadableInput,
): Promise<readonly FieldError[]> {
  const others = (await adminLists.providers()).filter(other => other.scheme !== scheme)
  return domains.flatMap((domain, index) => {
    const owner = others.find(other => other.domains.includes(domain.toLowerCase()))
    if (owner === undefined) return []
    return errorFor(
      `domains.${index}`,
      `${domain} leads to "${owner.displayName}" (${owner.scheme}) already.`,
    )
  })
}

/** Creating a provider, changing it, and switching it off and on. */
import { z } from 'zod'
import type { Expected } from '#lib/ports/admin-store.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { providerRecordSchema, providerSecretPlace } from '#lib/protocol/provider-record.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, notFound, ok } from '../admin-result.ts'
import { commit, type Deed, defineUseCase } from '../use-case.ts'
import {
  alsoWrongWithNew,
  alsoWrongWithStored,
  newProviderErrors,
  providerErrors,
} from './provider-errors.ts'
import { type ProviderInput, providerFields, providerFromForm, providerOf } from './provider-input.ts'
import {
  type ProviderView,
  providerFacts,
  providerView,
  providerViewSchema,
  type StoredProvider,
  storedProvider,
} from './provider-view.ts'

const secretSchema = providerRecordSchema.shape.client_secret
  .describe('Left out: the stored one stays.')
  .optional()

const publicSchema = z
  .boolean()
  .default(false)
  .describe('Registered there without a secret: PKCE alone proves who asks.')

export const createProvider = defineUseCase({
  name: 'providers.create',
  permission: 'providers:create',
  summary: 'Registers an identity provider.',
  done: 'Provider saved. Try a sign-in before people do.',
  isSensitive: true,
  input: z.object({ ...providerFields, client_secret: secretSchema, is_public: publicSchema }),
  output: providerViewSchema,
  fromForm: providerFromForm,
  alsoWrong: alsoWrongWithNew,
  api: { method: 'POST', path: '/providers', status: 201 },
  run: (ports, input, deed) => addProvider(ports, input, deed),
})

type NewProvider = ProviderInput & {
  readonly client_secret?: string | null | undefined
  readonly is_public: boolean
}

/** Stores a new provider with its audit row. */
export async function addProvider(
  ports: AdminPorts,
  input: NewProvider,
  deed: Deed,
): Promise<AdminResult<ProviderView>> {
  const { scheme, client_secret: secret = null } = input
  const errors = await newProviderErrors(ports, input)
  if (errors.length > 0) return { kind: 'invalid', errors }
  const provider = providerOf(input, secret === null ? null : sealed(ports, scheme, secret))
  return write(ports, { before: null, after: provider, version: 0 }, deed)
}

export const updateProvider = defineUseCase({
  name: 'providers.update',
  permission: 'providers:update',
  summary: 'Changes an identity provider. Its secret stays unless a new one is sent.',
  done: 'Provider saved. The next sign-in uses it as it is now.',
  isSensitive: true,
  input: z.object({
    ...providerFields,
    version: z.coerce.number().int(),
    client_secret: secretSchema,
    is_public: publicSchema,
  }),
  output: providerViewSchema,
  fromForm: providerFromForm,
  alsoWrong: alsoWrongWithStored,
  api: { method: 'PUT', path: '/providers/{scheme}' },
  run: (ports, input, deed) => changeProvider(ports, input, deed),
})

/** Stores a changed provider with its audit row. */
export async function changeProvider(
  ports: AdminPorts,
  input: NewProvider & { readonly version: number },
  deed: Deed,
): Promise<AdminResult<ProviderView>> {
  const { scheme, version, client_secret: secret, is_public: isPublic } = input
  const before = await storedProvider(ports, scheme)
  if (before === null) return notFound
  const errors = await providerErrors(ports, before, input)
  if (errors.length > 0) return { kind: 'invalid', errors }
  const after = providerOf(input, secretAfter(ports, before, { secret, isPublic }))
  return write(ports, { before, after, version }, deed)
}

export const setProviderEnabled = defineUseCase({
  name: 'providers.set_enabled',
  permission: 'providers:update',
  summary:
    'Enables or disables an identity provider. Whoever came from there is signed out when it is disabled.',
  done: 'Provider saved.',
  isSensitive: true,
  input: z.object({
    scheme: providerFields.scheme,
    version: z.coerce.number().int().optional(),
    enabled: z.stringbool().or(z.boolean()),
  }),
  output: providerViewSchema,
  api: { method: 'POST', path: '/providers/{scheme}/enabled' },
  run: async (ports, { scheme, version, enabled }, deed) => {
    const before = await storedProvider(ports, scheme)
    if (before === null) return notFound
    const after = { ...plain(before), enabled }
    return write(ports, { before, after, version: version ?? before.version }, deed)
  },
})

type Write = {
  readonly before: StoredProvider | null
  /** Its secret is sealed. */
  readonly after: IdentityProvider
  readonly version: number
}

async function write(
  ports: AdminPorts,
  { before, after, version }: Write,
  { entry, now }: Deed,
): Promise<AdminResult<ProviderView>> {
  const { scheme } = after
  const expected: Expected = { kind: 'provider', id: scheme, version }
  const change = {
    writes: [{ kind: 'configuration', changes: { put: { providers: [after] }, remove: {} } }],
    expected: [expected],
    audit: [entry({ kind: 'provider', id: scheme, ...told(before, after) })],
  } as const
  const current = async (): Promise<JsonValue | null> => {
    const stored = await storedProvider(ports, scheme)
    return stored === null ? null : { version: stored.version, ...providerFacts(stored) }
  }
  const result = await commit(ports, change, { now, value: null, current })
  if (result.kind !== 'ok') return result
  const stored = await storedProvider(ports, scheme)
  return stored === null ? notFound : ok(providerView(ports, stored))
}

function told(before: IdentityProvider | null, after: IdentityProvider) {
  if (before === null) return { before, after: providerFacts(after) }
  const isReplaced = before.clientSecret !== after.clientSecret
  return {
    before: providerFacts(before),
    after: { ...providerFacts(after), ...(isReplaced ? { secret_changed: true } : {}) },
  }
}

type SecretWish = { readonly secret: string | null | undefined; readonly isPublic: boolean }

function secretAfter(
  ports: Pick<AdminPorts, 'sealing'>,
  { scheme, clientSecret }: IdentityProvider,
  { secret, isPublic }: SecretWish,
): string | null {
  if (isPublic) return null
  return secret === undefined || secret === null ? clientSecret : sealed(ports, scheme, secret)
}

function sealed({ sealing }: Pick<AdminPorts, 'sealing'>, scheme: string, secret: string): string {
  return sealing.seal(secret, providerSecretPlace(scheme))
}

function plain({
  version: _version,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...provider
}: StoredProvider) {
  return provider
}

/** Creating a provider and changing it. */
import { z } from 'zod'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import { providerRecordSchema, providerSecretPlace } from '#lib/protocol/registration/records.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, ok } from '../admin-result.ts'
import { changeRow, createRow } from '../resource/resource.ts'
import { versionSchema } from '../resource/resource-use-cases.ts'
import { defineUseCase } from '../use-case.ts'
import {
  newProviderErrors,
  providerErrors,
  validateNewProvider,
  validateStoredProvider,
} from './provider-errors.ts'
import { type ProviderInput, providerFields, providerFromForm, providerOf } from './provider-input.ts'
import { providers } from './provider-resource.ts'
import { providerViewSchema, type StoredProvider } from './provider-view.ts'

const secretSchema = providerRecordSchema.shape.client_secret
  .describe('Left out: the stored one stays.')
  .optional()

const publicSchema = z
  .boolean()
  .default(false)
  .describe('Registered there without a secret: a public client with PKCE.')

export const createProvider = defineUseCase({
  name: 'providers.create',
  permission: 'providers:create',
  summary: 'Registers an identity provider.',
  done: 'Provider saved. Try a sign-in before users do.',
  isSensitive: true,
  input: z.object({ ...providerFields, client_secret: secretSchema, is_public: publicSchema }),
  output: providerViewSchema,
  fromForm: providerFromForm,
  validate: validateNewProvider,
  api: { method: 'POST', path: '/providers', status: 201 },
  run: async (ports, input, call) => {
    const row = await newProvider(ports, input)
    return row.kind === 'ok' ? createRow(providers, ports, row.value, call) : row
  },
})

export const updateProvider = defineUseCase({
  name: 'providers.update',
  permission: 'providers:update',
  summary: 'Changes an identity provider. Its secret stays unless a new one is sent.',
  done: 'Provider saved. The next sign-in uses the new settings.',
  isSensitive: true,
  input: z.object({
    ...providerFields,
    version: versionSchema,
    client_secret: secretSchema,
    is_public: publicSchema,
  }),
  output: providerViewSchema,
  fromForm: providerFromForm,
  validate: validateStoredProvider,
  api: { method: 'PUT', path: '/providers/{scheme}' },
  run: (ports, { version, ...input }, call) => {
    const alter = (stored: StoredProvider) => changedProvider(ports, stored, input)
    return changeRow(providers, ports, { id: input.scheme, version, alter }, call)
  },
})

type ProviderWithSecret = ProviderInput & {
  readonly client_secret?: string | null | undefined
  readonly is_public: boolean
}

/** The row of a new provider, or everything that is wrong with it. */
export async function newProvider(
  ports: AdminPorts,
  input: ProviderWithSecret,
): Promise<AdminResult<IdentityProvider>> {
  const { scheme, client_secret: secret = null } = input
  const errors = await newProviderErrors(ports, input)
  if (errors.length > 0) return { kind: 'invalid', errors }
  return ok(providerOf(input, secret === null ? null : sealed(ports, scheme, secret)))
}

/** The row of a stored provider with what was entered, or everything that is wrong with it. */
export async function changedProvider(
  ports: AdminPorts,
  stored: IdentityProvider,
  input: ProviderWithSecret,
): Promise<AdminResult<IdentityProvider>> {
  const { client_secret: secret, is_public: isPublic } = input
  const errors = await providerErrors(ports, stored, input)
  if (errors.length > 0) return { kind: 'invalid', errors }
  return ok(providerOf(input, secretAfter(ports, stored, { secret, isPublic })))
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

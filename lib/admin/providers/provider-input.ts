/** What an admin says about a provider. */
import type { z } from 'zod'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import { providerRecordSchema } from '#lib/protocol/registration/records.ts'
import type { FormFields } from '../use-case.ts'

const { shape } = providerRecordSchema

export const providerFields = {
  scheme: shape.scheme,
  display_name: shape.display_name,
  issuer: shape.issuer,
  client_id: shape.client_id,
  domains: shape.domains,
  enabled: shape.enabled,
} as const

/** A cleared checkbox sends nothing; domains are one text. An empty secret counts as absent. */
export function providerFromForm(fields: FormFields): unknown {
  const text = (name: string) => fields[name]?.at(-1)?.trim() ?? ''
  const displayName = text('display_name')
  return {
    scheme: text('scheme'),
    version: text('version'),
    ...(displayName === '' ? {} : { display_name: displayName }),
    issuer: text('issuer'),
    client_id: text('client_id'),
    ...(text('client_secret') === '' ? {} : { client_secret: text('client_secret') }),
    is_public: fields.is_public?.at(-1) === 'true',
    domains: text('domains')
      .split(/[\s,;]+/)
      .filter(domain => domain !== ''),
    enabled: fields.enabled?.at(-1) === 'true',
  }
}

export type ProviderInput = z.output<z.ZodObject<typeof providerFields>>

/** What is stored of it. A domain that is named twice counts once. */
export function providerOf(input: ProviderInput, sealedSecret: string | null): IdentityProvider {
  return {
    scheme: input.scheme,
    displayName: input.display_name ?? input.scheme,
    issuer: input.issuer,
    clientId: input.client_id,
    clientSecret: sealedSecret,
    domains: [...new Set(input.domains.map(domain => domain.toLowerCase()))],
    enabled: input.enabled,
  }
}

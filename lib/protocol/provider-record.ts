/** An identity provider as an operator writes it. */
import { z } from 'zod'
import { clientIdSchema, providerSchemeSchema } from './ids.ts'
import { isLoopbackHost } from './loopback.ts'
import { displayTextSchema, strictFields } from './metadata-fields.ts'
import { localProvider } from './vocabulary.ts'

export const providerRecordSchema = strictFields('identity provider field', {
  scheme: providerSchemeSchema
    .refine(scheme => scheme !== localProvider, `"${localProvider}" names the server’s own accounts`)
    .describe('Names it in `acr_values=idp:<scheme>` and in its callback address.'),
  display_name: displayTextSchema(200).optional().describe('As people read it. Default: the scheme.'),
  issuer: z
    .string()
    .max(2000)
    .refine(
      isIssuer,
      'must be an https address without query or fragment (http for loopback addresses only)',
    ),
  client_id: clientIdSchema.describe('Our name at that provider.'),
  client_secret: z
    .string()
    .min(1)
    .max(1024)
    .nullable()
    .default(null)
    .describe('Stored encrypted. Without one: a public client with PKCE.'),
  domains: z
    .array(
      z
        .string()
        .regex(
          /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/i,
          'must be a domain such as "example.com"',
        ),
    )
    .default([])
    .describe('E-mail domains whose people sign in there.'),
  enabled: z.boolean().default(true),
})

export type ProviderRecord = z.output<typeof providerRecordSchema>

/** Where a provider's secret is sealed. */
export function providerSecretPlace(scheme: string): string {
  return `identity_provider:client_secret:${scheme}`
}

/** OpenID Connect Discovery 3: https, no query, no fragment. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}

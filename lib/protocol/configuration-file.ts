/** The file that LATCHKEY_CONFIG names: clients, scopes, people and identity providers as code. */
import { z } from 'zod'
import { clientMetadataFields } from './client-metadata.ts'
import { checkClientRules, checkClientSecrets, isRuled } from './client-rules.ts'
import { describeProblem, plainMessage } from './configuration-problems.ts'
import { checkReferences } from './configuration-rules.ts'
import { isRecord, strictFields } from './metadata-fields.ts'
import { providerRecordSchema } from './provider-record.ts'
import { scopeMetadataFields } from './scope-metadata.ts'
import { secretListSchema, secretValueSchema } from './secret-entries.ts'
import { userRecordSchema } from './user-record.ts'

const clientRegistrationSchema = strictFields('client field', {
  ...clientMetadataFields,
  client_secret: secretValueSchema.optional(),
  client_secret_expires_at: z
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Seconds since 1970; 0: never (RFC 7591 3.2.1).'),
  client_secrets: secretListSchema.describe(
    'Further secrets that live at the same time, for a rotation without a gap.',
  ),
}).superRefine(
  (client, context) => {
    checkClientRules(client, context)
    checkClientSecrets(client, context)
  },
  { when: ({ issues, value }) => isRecord(value) && !issues.some(({ path }) => isRuled(path?.[0])) },
)

const scopeRegistrationSchema = strictFields('scope field', {
  ...scopeMetadataFields,
  secrets: secretListSchema.describe(
    'With one of them the API behind a resource scope may introspect tokens.',
  ),
})

export const configurationFileSchema = strictFields('section', {
  $schema: z.string().optional(),
  clients: z.array(clientRegistrationSchema).default([]),
  scopes: z.array(scopeRegistrationSchema).default([]),
  users: z.array(userRecordSchema).default([]),
  identity_providers: z.array(providerRecordSchema).default([]),
}).superRefine(checkReferences, { when: ({ value }) => isRecord(value) })

export type ConfigurationFile = z.output<typeof configurationFileSchema>
export type ConfigurationFileInput = z.input<typeof configurationFileSchema>
export type ClientRegistration = ConfigurationFile['clients'][number]
export type ScopeRegistration = ConfigurationFile['scopes'][number]

/** The configuration, or everything that is wrong with it, each with its path in the file. */
export function readConfiguration(
  document: unknown,
):
  | { readonly kind: 'valid'; readonly configuration: ConfigurationFile }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] } {
  const read = configurationFileSchema.safeParse(document, { error: plainMessage })
  if (read.success) return { kind: 'valid', configuration: read.data }
  return { kind: 'invalid', problems: read.error.issues.flatMap(describeProblem) }
}

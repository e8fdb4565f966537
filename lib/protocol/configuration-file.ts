/** The file that LATCHKEY_CONFIG names: clients, scopes, people and identity providers as code. */
import { z } from 'zod'
import { clientMetadataFields } from './client-fields.ts'
import { checkClientRules, checkClientSecrets, checkNewClient, evenIfWrong } from './client-rules.ts'
import { describeProblem, plainMessage } from './configuration-problems.ts'
import { checkReferences } from './configuration-rules.ts'
import { isRecord, strictFields } from './metadata-fields.ts'
import { providerRecordSchema } from './provider-record.ts'
import { hasFewClaims, scopeMetadataFields, tooManyClaims } from './scope-metadata.ts'
import { secretListSchema, secretValueSchema } from './secret-entries.ts'
import { userRecordSchema } from './user-record.ts'

export const clientFields = {
  ...clientMetadataFields,
  client_secret: secretValueSchema.optional().describe('8 to 256 characters, stored as a hash.'),
  client_secret_expires_at: z
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Seconds since 1970; 0: never (RFC 7591 3.2.1).'),
  client_secrets: secretListSchema.describe(
    'Further secrets that live at the same time, for a rotation without a gap.',
  ),
}

/** What an admin applies may leave out secrets that are stored; what a start applies may not. */
const clientRegistrationSchema = (secrets: 'all_given' | 'may_be_stored') =>
  strictFields('client field', clientFields).superRefine((client, context) => {
    checkClientRules(client, context)
    checkNewClient(client, context)
    if (secrets === 'all_given') checkClientSecrets(client, context)
  }, evenIfWrong)

const scopeRegistrationSchema = strictFields('scope field', {
  ...scopeMetadataFields,
  claims: scopeMetadataFields.claims.refine(hasFewClaims, tooManyClaims),
  secrets: secretListSchema.describe(
    'With one of them the API behind a resource scope may introspect tokens.',
  ),
})

const fileSchema = (secrets: 'all_given' | 'may_be_stored') =>
  strictFields('section', {
    $schema: z.string().optional(),
    clients: z.array(clientRegistrationSchema(secrets)).default([]),
    scopes: z.array(scopeRegistrationSchema).default([]),
    users: z.array(userRecordSchema).default([]),
    identity_providers: z.array(providerRecordSchema).default([]),
  }).superRefine(checkReferences, { when: ({ value }) => isRecord(value) })

export const configurationFileSchema = fileSchema('all_given')
const partialFileSchema = fileSchema('may_be_stored')

export type ConfigurationFile = z.output<typeof configurationFileSchema>
export type ConfigurationFileInput = z.input<typeof configurationFileSchema>
export type ClientRegistration = ConfigurationFile['clients'][number]
export type ScopeRegistration = ConfigurationFile['scopes'][number]

export type ReadConfiguration =
  | { readonly kind: 'valid'; readonly configuration: ConfigurationFile }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** The configuration, or everything that is wrong with it, each with its path in the file. */
export function readConfiguration(document: unknown): ReadConfiguration {
  return readWith(configurationFileSchema, document)
}

/** The same for a document over what is stored: secrets may be left out. */
export function readPartialConfiguration(document: unknown): ReadConfiguration {
  return readWith(partialFileSchema, document)
}

function readWith(schema: typeof configurationFileSchema, document: unknown): ReadConfiguration {
  const read = schema.safeParse(document, { error: plainMessage })
  if (read.success) return { kind: 'valid', configuration: read.data }
  return { kind: 'invalid', problems: read.error.issues.flatMap(describeProblem) }
}

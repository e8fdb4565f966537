/** The wire form of a scope, in configuration files and in the store. */
import { z } from 'zod'
import { claimLimits } from '#lib/config/limits.ts'
import { scopeNameSchema } from './ids.ts'
import { languageTagSchema } from './language-tag.ts'
import { displayTextSchema, strictFields } from './metadata-fields.ts'
import type { Scope } from './scope.ts'
import { scopeKinds } from './vocabulary.ts'

const displayName = displayTextSchema(200).nullable().default(null)
const description = displayTextSchema(1000).nullable().default(null)

const noLanguage = 'names no language; tags are spelled as in BCP 47: "de", "pt-BR", "zh-Hant"'

/** The fields of a scope; its secrets are stored separately. */
export const scopeMetadataFields = {
  name: scopeNameSchema.describe('The word that apps put into `scope`.'),
  kind: z
    .enum(scopeKinds)
    .default('resource')
    .describe('`identity`: about the person; `resource`: access to an API.'),
  enabled: z.boolean().default(true),
  display_name: displayName.describe('The permission in a few words, for the consent page.'),
  description,
  localized: z
    .record(languageTagSchema, strictFields('text of a scope', { display_name: displayName, description }), {
      error: issue => (issue.code === 'invalid_key' ? noLanguage : undefined),
    })
    .default({})
    .describe('The same two texts in other languages, by language tag: `de`, `pt-BR`.'),
  required: z.boolean().default(false).describe('Cannot be unticked on the consent page.'),
  emphasize: z.boolean().default(false).describe('Shown as sensitive on the consent page.'),
  claims: z.array(z.string().min(1).max(250)).default([]).describe('Claims that this scope opens.'),
  show_in_discovery: z.boolean().default(true),
  audience: z
    .string()
    .min(1)
    .max(255)
    .nullable()
    .default(null)
    .describe(
      'What `aud` calls this resource; else `<issuer>/resources`. A token for several names them all.',
    ),
}

/** NOTE: only for what is newly written: a stored scope with more can still be read. */
export function hasFewClaims(claims: readonly string[]): boolean {
  return claims.length <= claimLimits.most
}
export const tooManyClaims = `must not have more than ${claimLimits.most} claims`

export const scopeMetadataSchema = strictFields('scope field', scopeMetadataFields)

/** A scope in a configuration file or in the database. */
export type ScopeMetadata = z.input<typeof scopeMetadataSchema>
/** The same with every default filled in. */
export type ScopeMetadataRead = z.output<typeof scopeMetadataSchema>

/** Reads a scope from its wire form and fills in the defaults. Throws a ZodError when it is not one. */
export function scopeFromMetadata(metadata: unknown): Scope {
  const read = scopeMetadataSchema.parse(metadata)
  return {
    name: read.name,
    kind: read.kind,
    enabled: read.enabled,
    displayName: read.display_name,
    description: read.description,
    localized: localizedOf(read),
    required: read.required,
    emphasize: read.emphasize,
    claims: [...new Set(read.claims)],
    showInDiscovery: read.show_in_discovery,
    audience: read.audience,
  }
}

function localizedOf({ localized }: ScopeMetadataRead): Scope['localized'] {
  return Object.fromEntries(
    Object.entries(localized).map(([language, texts]) => [
      language,
      { displayName: texts.display_name, description: texts.description },
    ]),
  )
}

/** The wire form of a scope, in configuration files and in the store. */
import { z } from 'zod'
import { claimLimits } from '#lib/config/limits.ts'
import { adminScope } from '../admin-role.ts'
import { scopeNameSchema } from '../ids.ts'
import { languageTagSchema } from '../text/language-tags.ts'
import { unknownName } from '../text/similar-names.ts'
import { scopeKinds } from '../vocabulary.ts'
import { openidScope } from '../wire/scopes.ts'
import { displayTextSchema, strictFields } from './fields.ts'

const displayName = displayTextSchema(200).nullable().default(null)
const description = displayTextSchema(1000).nullable().default(null)

const noLanguage = 'names no language; tags are spelled as in BCP 47: "de", "pt-BR", "zh-Hant"'

/** The fields of a scope; its secrets are stored separately. */
export const scopeMetadataFields = {
  name: scopeNameSchema.describe('The word that apps put into `scope`.'),
  kind: z
    .enum(scopeKinds)
    .default('resource')
    .describe('`identity`: about the user; `resource`: access to an API.'),
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

/** NOTE: only for new input; a stored scope with more claims can still be read. */
export function hasFewClaims(claims: readonly string[]): boolean {
  return claims.length <= claimLimits.most
}
export const tooManyClaims = `must not have more than ${claimLimits.most} claims`

export const scopeMetadataSchema = strictFields('scope field', scopeMetadataFields)

/** A scope in a configuration file or in the database. */
export type ScopeMetadata = z.input<typeof scopeMetadataSchema>
/** The same with every default filled in. */
export type ScopeMetadataRead = z.output<typeof scopeMetadataSchema>

/** A scope as the core reads it; the fields of its wire form are described above. */
export type Scope = Readonly<ReturnType<typeof scopeFromMetadata>>
/** The texts of a scope in one language. `null`: the built-in text for this name, otherwise the name itself. */
export type ScopeTexts = { readonly displayName: string | null; readonly description: string | null }

/** Whether users must allow this scope. Without `openid` it would be a different kind of request. */
export function isRequired({ name, required }: Pick<Scope, 'name' | 'required'>): boolean {
  return required || name === openidScope
}

/** Reads a scope from its wire form and fills in the defaults. Throws a ZodError if it is not a scope. */
export function scopeFromMetadata(metadata: unknown) {
  const read = scopeMetadataSchema.parse(metadata)
  const claims: readonly string[] = [...new Set(read.claims)]
  return {
    name: read.name,
    kind: read.kind,
    enabled: read.enabled,
    displayName: read.display_name,
    description: read.description,
    localized: localizedOf(read),
    required: read.required,
    emphasize: read.emphasize,
    claims,
    showInDiscovery: read.show_in_discovery,
    audience: read.audience,
  }
}

function localizedOf({ localized }: ScopeMetadataRead): Readonly<Record<string, ScopeTexts>> {
  return Object.fromEntries(
    Object.entries(localized).map(([language, texts]) => [
      language,
      { displayName: texts.display_name, description: texts.description },
    ]),
  )
}

/**
 * The scopes that always exist: OpenID Connect Core 5.4 and 11, `roles` as in IdentityServer3. A configuration can change their
 * texts, which come from the message catalogues, but not their kind.
 */
export const standardScopes: readonly ScopeMetadata[] = [
  { name: 'openid', kind: 'identity', required: true, claims: ['sub'] },
  {
    name: 'profile',
    kind: 'identity',
    claims: [
      'name',
      'family_name',
      'given_name',
      'middle_name',
      'nickname',
      'preferred_username',
      'profile',
      'picture',
      'website',
      'gender',
      'birthdate',
      'zoneinfo',
      'locale',
      'updated_at',
    ],
  },
  { name: 'email', kind: 'identity', claims: ['email', 'email_verified'] },
  { name: 'phone', kind: 'identity', emphasize: true, claims: ['phone_number', 'phone_number_verified'] },
  { name: 'address', kind: 'identity', emphasize: true, claims: ['address'] },
  { name: 'roles', kind: 'identity', emphasize: true, claims: ['role'] },
  { name: 'offline_access', kind: 'resource' },
]

/** The standard scope of this name, if it is one. */
export function standardScope(name: string): ScopeMetadata | null {
  return standardScopes.find(scope => scope.name === name) ?? null
}

/** Why a client may not be registered for a scope that is not known, as the end of a sentence. */
export function unknownScope(word: string, known: ReadonlySet<string>): string {
  if (!word.split(',').some(part => known.has(part))) return unknownName(word, 'scope', known)
  return `"${word}" is not a known scope; put spaces between scopes, no commas`
}

/** What a client may be registered for: what this server knows by itself, and what was registered with it. */
export function knownScopes(registered: Iterable<string>): ReadonlySet<string> {
  return new Set([...standardScopes.map(({ name }) => name), adminScope, ...registered])
}

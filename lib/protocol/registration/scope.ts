/** Scopes: their wire form in configuration files and in the store, their conversion, and the standard scopes. */
import { z } from 'zod'
import { claimLimits } from '#lib/config/limits.ts'
import { adminScope } from '../admin-role.ts'
import { scopeNameSchema } from '../ids.ts'
import { languageTagSchema } from '../text/language-tags.ts'
import { unknownName } from '../text/similar-names.ts'
import { accessTokenFormats, scopeKinds } from '../vocabulary.ts'
import { openidScope } from '../wire/scopes.ts'
import { accessTokenFormatLabels, described, displayTextSchema, strictFields } from './fields.ts'

const displayName = displayTextSchema(200).nullable().default(null)
const description = displayTextSchema(1000).nullable().default(null)

const noLanguage = 'names no language; tags are spelled as in BCP 47: "de", "pt-BR", "zh-Hant"'

const consent = 'On the consent page'
const tokens = 'Claims and tokens'

/** The fields in the order of the form. A scope's secrets are stored separately. */
export const scopeMetadataFields = {
  name: described(scopeNameSchema, {
    label: 'Name',
    help: 'The value that clients send in scope, such as “orders.read”. It can never be changed.',
  }),
  kind: described(z.enum(scopeKinds).default('resource'), {
    label: 'Kind',
    help: '`identity`: claims about the user. `resource`: access to an API.',
  }),
  display_name: described(displayName, {
    group: consent,
    label: 'Name on the consent page',
    help: 'Such as “See your orders”. Empty: a built-in text for standard scopes, the name for others.',
  }),
  description: described(description, {
    group: consent,
    label: 'Description',
    help: 'One sentence about what the app can do with it, in the words of users.',
  }),
  localized: described(
    z
      .record(
        languageTagSchema,
        strictFields('text of a scope', { display_name: displayName, description }),
        { error: issue => (issue.code === 'invalid_key' ? noLanguage : undefined) },
      )
      .default({}),
    {
      group: consent,
      label: 'In other languages',
      help: 'The same two texts by language tag, such as `de` or `pt-BR`.',
    },
  ),
  required: described(z.boolean().default(false), {
    group: consent,
    label: 'Required',
    help: 'Users cannot decline it if they want to use the app.',
  }),
  emphasize: described(z.boolean().default(false), {
    group: consent,
    label: 'Sensitive',
    help: 'The consent page marks it with ⚠, so that users think twice.',
  }),
  claims: described(z.array(z.string().min(1).max(250)).default([]), {
    group: tokens,
    label: 'Claims',
    help: 'The user’s claims that the client or API gets with this scope.',
  }),
  always_include_in_id_token: described(z.array(z.string().min(1).max(250)).default([]), {
    group: tokens,
    label: 'Claims in every ID token',
    help: 'Of an identity scope: those of its claims that ID tokens always contain. Clients read the others at userinfo.',
  }),
  include_all_claims_for_user: described(z.boolean().default(false), {
    group: tokens,
    label: 'All claims of the user',
    help: 'It allows every claim of the user: at userinfo and in ID tokens (identity), or in access tokens (resource).',
  }),
  audience: described(z.string().min(1).max(255).nullable().default(null), {
    group: tokens,
    label: 'Audience',
    help: 'For APIs: the aud of tokens with this scope. Empty: the audience of all of this server’s APIs.',
  }),
  allow_unrestricted_introspection: described(z.boolean().default(false), {
    group: tokens,
    label: 'Introspection shows all scopes',
    help: 'For APIs: introspection returns every scope of a token that has this one. Off: this scope only.',
  }),
  access_token_format: described(z.enum(accessTokenFormats).nullable().default(null), {
    group: tokens,
    label: 'Access token format',
    help: 'For APIs: the format of tokens with this scope, unless the client has a format. Of several scopes, one with IdentityServer3 is enough, then one with typ JWT (for APIs that refuse at+jwt, such as Spring Security’s default).',
    choices: accessTokenFormatLabels,
    absent: 'that of the server',
  }),
  show_in_discovery: described(z.boolean().default(true), {
    group: tokens,
    label: 'Listed in the discovery document',
    help: 'Unlisted scopes still work.',
  }),
  enabled: described(z.boolean().default(true), {
    group: tokens,
    label: 'Enabled',
    help: 'A disabled scope is treated as unknown: requests that name it are refused.',
  }),
}

export const scopeMetadataSchema = strictFields('scope field', scopeMetadataFields)

type ScopeClaims = {
  readonly claims: readonly string[]
  readonly always_include_in_id_token: readonly string[]
}

/** Checks the rules for new registrations: a stored scope that breaks one can still be read. */
export function checkNewScope(scope: ScopeClaims, context: z.core.$RefinementCtx): void {
  const { claims, always_include_in_id_token: always } = scope
  const report = (path: ReadonlyArray<string | number>, message: string) =>
    context.addIssue({ code: 'custom', path: [...path], message })
  if (claims.length > claimLimits.most)
    report(['claims'], `must not have more than ${claimLimits.most} claims`)
  for (const [index, name] of always.entries())
    if (!claims.includes(name))
      report(['always_include_in_id_token', index], `"${name}" is not in claims of this scope`)
}

/** A scope in a configuration file or in the database. */
export type ScopeMetadata = z.input<typeof scopeMetadataSchema>
/** The wire form with every default filled in. */
export type ScopeMetadataRead = z.output<typeof scopeMetadataSchema>

/** A scope in the form that the core uses. The fields of its wire form are described above. */
export type Scope = Readonly<ReturnType<typeof scopeFromMetadata>>
/** The texts of a scope in one language. `null`: not set; `app/_ui/scope-wording.ts` chooses a different one. */
export type ScopeTexts = { readonly displayName: string | null; readonly description: string | null }

/** Whether users cannot decline the scope. Without `openid` the request would no longer be one of OpenID Connect. */
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
    alwaysIncludeInIdToken: read.always_include_in_id_token,
    includeAllClaimsForUser: read.include_all_claims_for_user,
    allowUnrestrictedIntrospection: read.allow_unrestricted_introspection,
    showInDiscovery: read.show_in_discovery,
    audience: read.audience,
    accessTokenFormat: read.access_token_format,
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
 * The scopes that always exist: OpenID Connect Core 5.4 and 11, `roles` as in IdentityServer3, and `groups`, which many
 * apps request. A configuration can extend them and change their texts, but not their kind.
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
  { name: 'groups', kind: 'identity', emphasize: true, claims: ['groups'] },
  { name: 'offline_access', kind: 'resource' },
]

/** Returns the standard scope of this name, or `null`. */
export function standardScope(name: string): ScopeMetadata | null {
  return standardScopes.find(scope => scope.name === name) ?? null
}

/** Returns the end of a sentence that refuses an unknown scope in a client's registration. */
export function unknownScope(word: string, known: ReadonlySet<string>): string {
  if (!word.split(',').some(part => known.has(part))) return unknownName(word, 'scope', known)
  return `"${word}" is not a known scope; put spaces between scopes, no commas`
}

/** Returns the scopes that a client may be registered for: built-in and registered ones. */
export function knownScopes(registered: Iterable<string>): ReadonlySet<string> {
  return new Set([...standardScopes.map(({ name }) => name), adminScope, ...registered])
}

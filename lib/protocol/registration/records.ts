/** Users, secrets and identity providers as the configuration file and the forms contain them. */
import { z } from 'zod'
import { claimLimits, passwordCharacters, secretList } from '#lib/config/limits.ts'
import { claimsProblem, reservedClaims } from '../claims.ts'
import { clientIdSchema, providerSchemeSchema, subjectIdSchema } from '../ids.ts'
import { isLoopbackHost } from '../text/addresses.ts'
import { localProvider, reauthentications } from '../vocabulary.ts'
import { isPlainScope, scopeWords } from '../wire/scopes.ts'
import { alsoForInvalidFields } from './client-rules.ts'
import { described, displayTextSchema, strictFields } from './fields.ts'
import { digestOfSecretHash, secretHashSchema } from './imported-hashes.ts'
import { checkPreset, checkPresetSecret, type PresetReport, presetFields } from './provider-rules.ts'

export const userRecordSchema = strictFields('user field', {
  username: displayTextSchema(255).refine(name => name.trim() === name, 'must not begin or end with a blank'),
  password: z
    .string()
    .min(passwordCharacters.minimum, `must have at least ${passwordCharacters.minimum} characters`)
    .refine(text => Buffer.byteLength(text) <= passwordCharacters.maximumBytes, 'is too long')
    .refine(text => text.isWellFormed(), 'must be valid Unicode')
    .optional()
    .describe('Stored as an Argon2id hash. Without one the user cannot sign in with a password.'),
  sub: subjectIdSchema
    .optional()
    .describe('Identifies the user to apps, permanently. Default: generated at random and kept.'),
  enabled: z.boolean().default(true),
  claims: z
    .record(z.string().min(1).max(250), z.json())
    .superRefine((claims, context) => {
      for (const name of Object.keys(claims).filter(claim => reservedClaims.has(claim))) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `"${name}" is set by the server and cannot be given`,
        })
      }
      const problem = claimsProblem(claims, claimLimits.userBytes)
      if (problem !== null) context.addIssue({ code: 'custom', message: problem })
    })
    .default({})
    .describe('Any JSON, for example `"name": "Alice"` or `"role": ["admin"]`.'),
})

export type UserRecord = z.output<typeof userRecordSchema>

/** A secret, or the digest of an unknown one, with an optional expiry. */
export type SecretEntry = ({ readonly value: string } | { readonly digest: string }) & {
  readonly expiresAt: Date | null
}

export const secretValueSchema = z
  .string()
  .min(8, 'must have at least 8 characters; better generate one with 256 random bits')
  .max(256)
  .refine(text => text.isWellFormed(), 'must be valid Unicode')
  .describe(
    'Stored as a hash. `lks_` and 43 random base64url characters are recognized as generated and cost no password hash.',
  )

const secretObjectSchema = strictFields('secret field', {
  value: secretValueSchema.optional(),
  sha256: secretHashSchema('sha256')
    .optional()
    .describe(
      'Instead of `value`: base64 of the SHA-256 hash of the secret in UTF-8, as IdentityServer stores it.',
    ),
  sha512: secretHashSchema('sha512').optional().describe('The same with SHA-512.'),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be a time with its zone, such as "2027-01-01T00:00:00Z"' })
    .nullable()
    .default(null)
    .describe('ISO 8601 time with its zone; null: never.'),
}).refine(
  ({ value, sha256, sha512 }) => [value, sha256, sha512].filter(given => given !== undefined).length === 1,
  'must have one of "value", "sha256" and "sha512"',
)

/** A list of secrets: each is a string, or an object that can have an expiry. */
export const secretListSchema = z
  .array(z.union([secretValueSchema, secretObjectSchema]))
  .max(secretList.most)
  .default([])

export function secretEntries(list: z.output<typeof secretListSchema>): readonly SecretEntry[] {
  return list.map(entry => {
    if (typeof entry === 'string') return { value: entry, expiresAt: null }
    const { value = '', sha256, sha512, expires_at: end } = entry
    const expiresAt = end === null ? null : new Date(end)
    if (sha256 !== undefined) return { digest: digestOfSecretHash({ sha256 }), expiresAt }
    if (sha512 !== undefined) return { digest: digestOfSecretHash({ sha512 }), expiresAt }
    return { value, expiresAt }
  })
}

const signIns = 'Sign-ins'
const { preset: _preset, ...ownPresetFields } = presetFields

/** The fields of an identity provider. Those with a group are settings on the form. */
export const providerFieldsSchema = strictFields('identity provider field', {
  scheme: described(
    providerSchemeSchema.refine(
      scheme => scheme !== localProvider,
      `"${localProvider}" names the server’s own accounts`,
    ),
    {
      label: 'Scheme',
      help: 'The name of the provider in `acr_values=idp:<scheme>` and in its redirect URI.',
    },
  ),
  display_name: described(displayTextSchema(200).optional(), {
    label: 'Name',
    help: 'The name that users see.',
    absent: 'the scheme',
  }),
  preset: presetFields.preset,
  issuer: described(
    z
      .string()
      .max(2000)
      .refine(
        isIssuer,
        'must be an https address without query or fragment (http for loopback addresses only)',
      )
      .optional(),
    {
      label: 'Issuer',
      help: 'As in its metadata. A part of the key of each account: with another issuer, users get other accounts.',
      absent: 'that of the preset; with oauth2 the origin of the userinfo endpoint',
    },
  ),
  client_id: described(clientIdSchema, {
    label: 'Client ID',
    help: 'The client ID of this server at that provider.',
  }),
  client_secret: described(z.string().min(1).max(1024).nullable().default(null), {
    label: 'Client secret',
    help: 'Stored encrypted. Without one: a public client with PKCE. With apple: the content of the .p8 file.',
  }),
  ...ownPresetFields,
  scope: described(
    z
      .string()
      .max(1000)
      .refine(text => scopeWords(text).every(isPlainScope), 'must be scope names separated by spaces')
      .optional(),
    {
      group: signIns,
      label: 'Scopes',
      help: 'What is requested there, separated by spaces. With groups, the claim groups of its users follows the provider at each sign-in.',
      absent: 'those of the preset, such as openid profile email',
    },
  ),
  domains: described(
    z
      .array(
        z
          .string()
          .regex(
            /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/i,
            'must be a domain such as "example.com"',
          ),
      )
      .default([]),
    {
      group: signIns,
      label: 'Email domains',
      help: 'Users with such an email address sign in at this provider. Each domain can belong to one provider only.',
    },
  ),
  reauthentication: described(z.enum(reauthentications).optional(), {
    group: signIns,
    label: 'New sign-in',
    help: 'What is sent to the provider when an app requires a new sign-in (prompt=login or max_age). If the provider does not report auth_time, the time of its callback counts, unless auth_time must be reported.',
    choices: {
      prompt: 'prompt=login and max_age',
      auth_time: 'prompt=login and max_age, and auth_time must be reported',
      select_account: 'prompt=select_account, as for Google',
    },
    absent: 'that of the preset',
  }),
  sign_out_at_provider: described(z.boolean().default(false), {
    group: signIns,
    label: 'Sign out at the provider',
    help: 'Users who sign out here are redirected to the provider, which signs them out and returns them, if its metadata has an end_session_endpoint. Register the post-logout redirect URI there.',
  }),
  hidden: described(z.boolean().default(false), {
    group: signIns,
    label: 'Hidden',
    help: 'A hidden provider is not listed on pages. Users reach it from apps that request it with idp: in acr_values.',
  }),
  second_factor_values: described(
    z
      .array(z.string().regex(/^[\x21-\x7e]{1,250}$/))
      .max(20)
      .default([]),
    {
      group: signIns,
      label: 'Counts as two factors',
      help: 'Values of amr or acr in its ID tokens with which a sign-in there counts as two factors, such as mfa. Only for a provider that you trust to have asked.',
      absent: 'none: users prove a second factor here',
    },
  ),
  trusts_email: described(z.boolean().default(false), {
    group: signIns,
    label: 'Trust its verified email addresses',
    help: 'On: a user of the provider gets the account here with the same verified address, without its password; anyone who controls the provider or the address there gets into that account, but not into one of an administrator. Off: the user first proves the account here, or gets a new one.',
  }),
  enabled: described(z.boolean().default(true), {
    group: signIns,
    label: 'Enabled',
    help: 'A disabled provider is not offered to users, and users who came from there are signed out. You can still test it.',
  }),
})

export type ProviderRecord = z.output<typeof providerFieldsSchema>

/** Returns the schema of a provider with the rules of its preset. A document that an admin applies may omit a secret that is stored. */
export function providerRegistrationSchema(secrets: 'all_given' | 'may_be_stored') {
  return providerFieldsSchema.superRefine((provider, context) => {
    // A rule about an invalid field would mislead
    const wrong = new Set(context.issues.map(({ path }) => path?.[0]))
    const valid = Object.fromEntries(Object.entries(provider).filter(([field]) => !wrong.has(field)))
    const report: PresetReport = (path, message) => {
      if (!wrong.has(path[0])) context.addIssue({ code: 'custom', path: [...path], message })
    }
    if (wrong.has('preset')) return
    checkPreset(valid, report)
    if (secrets === 'all_given' || (provider.client_secret ?? null) !== null)
      checkPresetSecret(provider, report)
  }, alsoForInvalidFields)
}

export const providerRecordSchema = providerRegistrationSchema('all_given')

/** The sealing context of a provider's secret. */
export function providerSecretContext(scheme: string): string {
  return `identity_provider:client_secret:${scheme}`
}

/**
 * Whether the text is an issuer (OpenID Connect Discovery 3): https, or http for a loopback address; no query, fragment
 * or credentials.
 */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}

/**
 * Checks that docs/identityserver3.md refers only to existing names, and covers every setting and service of
 * IdentityServer3. Its tables of fields are generated from those of the importer: `npm run docs:write`.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { z } from 'zod'
import { environmentSchema } from '#lib/config/environment-fields.ts'
import { catalog } from '#lib/errors/catalog.ts'
import type { Extensions } from '#lib/ports/extensions.ts'
import type { UserService } from '#lib/ports/users.ts'
import { reservedClaims } from '#lib/protocol/claims.ts'
import { clientFields, configurationFileSchema } from '#lib/protocol/registration/configuration-file.ts'
import { providerRecordSchema, userRecordSchema } from '#lib/protocol/registration/records.ts'
import { scopeMetadataFields, standardScopes } from '#lib/protocol/registration/scope.ts'
import { grantTypes, prompts, responseTypeNames } from '#lib/protocol/vocabulary.ts'
import { parameterRules } from '#lib/protocol/wire/parameters.ts'
import type { FieldRule } from './mapping/field-map.ts'
import { importTables } from './testing/import-tables.ts'

const file = new URL('../../docs/identityserver3.md', import.meta.url)
const [start, end] = ['<!-- fields of the import -->', '<!-- end of the fields of the import -->'] as const

const clientSchema = z.object(clientFields)
const scopeSchema = z.object({ ...scopeMetadataFields, secrets: z.unknown() })

const code = (text: string) => (/[ (]/.test(text) ? text : `\`${text}\``)

/** The position of a table in the guide: those of IdentityServer4 are the last. */
function rank(name: string): number {
  return name.startsWith('IdentityServer4') ? 1 : 0
}

function tableOf([title, { rules }]: readonly [string, { readonly rules: readonly FieldRule[] }]): string {
  const [own, rows] = [rules.filter(isInternal), rules.filter(rule => !isInternal(rule))]
  const lines = rows.map(
    ({ field, aliases = [], becomes, why = '' }) =>
      `| ${[field, ...aliases].map(code).join(', ')} | ${becomes.length === 0 ? '–' : becomes.map(code).join(', ')} | ${why} |`,
  )
  const unread =
    own.length === 0 ? '' : `\nWithout a meaning here: ${own.map(({ field }) => code(field)).join(', ')}.\n`
  return `\n| ${title} | Latchkey | |\n|---|---|---|\n${lines.join('\n')}\n${unread}`
}

function isInternal({ becomes, why }: FieldRule): boolean {
  return becomes.length === 0 && why === 'only for its own store'
}

function withTables(document: string): string {
  const [head = '', rest = ''] = document.split(start)
  const [, tail] = rest.split(end)
  if (tail === undefined) throw new Error(`the guide lacks ${start} or ${end}`)
  return `${head}${start}\n${Object.entries(importTables)
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(tableOf)
    .join('')}\n${end}${tail}`
}

const written = readFileSync(file, 'utf8')
if (process.env.UPDATE_DOCS === '1') writeFileSync(file, withTables(written))
const guide = readFileSync(file, 'utf8')
/** The texts in backticks. */
const spans = [...guide.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
const named = new Set(spans)

test('the tables of fields in docs/identityserver3.md are written from those of the importer', () => {
  assert.equal(guide, withTables(guide), 'run npm run docs:write')
})

/** The settings and services of IdentityServer3 2.6, from its documentation. */
const settings = {
  IdentityServerOptions:
    'SiteName IssuerUri SigningCertificate SecondarySigningCertificate RequireSsl PublicOrigin Factory DataProtector Endpoints DiscoveryOptions AuthenticationOptions CspOptions LoggingOptions EventsOptions InputLengthRestrictions PluginConfiguration ProtocolLogoutUrls EnableWelcomePage',
  EndpointOptions:
    'EnableAuthorizeEndpoint EnableTokenEndpoint EnableUserInfoEndpoint EnableDiscoveryEndpoint EnableAccessTokenValidationEndpoint EnableIdentityTokenValidationEndpoint EnableTokenRevocationEndpoint EnableIntrospectionEndpoint EnableEndSessionEndpoint EnableCheckSessionEndpoint EnableClientPermissionsEndpoint EnableCspReportEndpoint',
  DiscoveryOptions:
    'ShowEndpoints ShowKeySet ShowIdentityScopes ShowResourceScopes ShowClaims ShowResponseTypes ShowResponseModes ShowGrantTypes ShowCustomGrantTypes ShowTokenEndpointAuthenticationMethods CustomEntries',
  AuthenticationOptions:
    'EnableLocalLogin EnableLoginHint CookieOptions LoginPageLinks RequireSignOutPrompt EnableSignOutPrompt EnablePostSignOutAutoRedirect PostSignOutAutoRedirectDelay RequireAuthenticatedUserForSignOutMessage RememberLastUsername EnableAutoCallbackForFederatedSignout IdentityProviders SignInMessageThreshold InvalidSignInRedirectUrl',
  CookieOptions:
    'Prefix ExpireTimeSpan IsPersistent SlidingExpiration Path AllowRememberMe RememberMeDuration SecureMode SessionStoreProvider',
  CspOptions: 'Enabled ScriptSrc StyleSrc FontSrc ConnectSrc ImgSrc FrameSrc',
  service:
    'IUserService.PreAuthenticateAsync IUserService.AuthenticateLocalAsync IUserService.AuthenticateExternalAsync IUserService.PostAuthenticateAsync IUserService.SignOutAsync IUserService.GetProfileDataAsync IUserService.IsActiveAsync IClientStore IScopeStore IConsentStore IAuthorizationCodeStore IRefreshTokenStore ITokenHandleStore IConsentService IClientPermissionsService ICustomRequestValidator ICustomGrantValidator ICustomTokenResponseGenerator ICustomTokenValidator IRedirectUriValidator ISecretParser ISecretValidator ICorsPolicyService IExternalClaimsFilter IAuthenticationSessionValidator IClaimsProvider ITokenService IRefreshTokenService ITokenSigningService ISigningKeyService IEventService ILocalizationService IViewService IViewLoader ICache',
} as const

test('every setting and service of IdentityServer3 has a row in the table of its class', () => {
  for (const [title, names] of Object.entries(settings)) {
    const table =
      new RegExp(`^\\| \`?${title}\`? \\|[^\\n]*\\n\\|---.*\\n((?:\\|.*\\n)+)`, 'm').exec(guide)?.[1] ?? ''
    const first = table.split('\n').map(row => row.split(' | ')[0] ?? '')
    const listed = first.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
    for (const name of names.split(' ')) assert.ok(listed.includes(name), `${title}: ${name}`)
  }
})

/** The names of extension points, typed so that a removed name does not compile. */
const members: readonly (keyof Extensions | keyof UserService)[] = [
  'userService',
  'signInFields',
  'authenticate',
  'authenticateExternal',
  'profile',
  'isActive',
  'customGrants',
  'tokenClaims',
  'eventSinks',
  'preAuthenticate',
  'postAuthenticate',
  'signOut',
  'validateRedirectUri',
  'validateAuthorizeRequest',
  'validateTokenRequest',
  'tokenResponse',
]

test('every hook in the table of services exists', () => {
  const services = guide.split('## Services')[1]?.split('\n## ')[0] ?? ''
  const right = services.split('\n').map(row => row.split(' | ')[1] ?? '')
  const hooks = right.flatMap(cell => [...cell.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name = '']) => name))
  assert.ok(hooks.length > 10)
  for (const name of hooks)
    assert.ok(
      members.some(member => member === name),
      name,
    )
})

// Stored users have this field, users in a configuration file do not
const userSchema = userRecordSchema.extend({ must_change_password: z.boolean() })
const registrations = [clientSchema, scopeSchema, userSchema, providerRecordSchema]
const ourNames = new Set([
  ...registrations.flatMap(({ shape }) => Object.keys(shape)),
  ...Object.keys(configurationFileSchema.shape),
  ...Object.keys(parameterRules),
  ...Object.keys(catalog),
  ...standardScopes.flatMap(({ name, claims = [] }) => [name, ...claims]),
  ...reservedClaims,
  ...grantTypes,
  ...prompts,
  ...responseTypeNames,
])
/** Names from standards that no table of this product contains. */
const standardNames = new Set([
  'auth_time',
  'session_state',
  'expired_token',
  'missing_token',
  'private_key_jwt',
  'token_type',
])

test('every name with underscores in the guide exists', () => {
  for (const name of named) {
    if (/^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(name))
      assert.ok(ourNames.has(name) || standardNames.has(name), `${name} does not exist`)
    if (/^(?:LATCHKEY_[A-Z_]+|[A-Z]+_[A-Z_]+|ISSUER)$/.test(name))
      assert.ok(Object.hasOwn(environmentSchema.shape, name), `${name} is not a setting`)
  }
})

test('every value of a setting in the guide is valid', () => {
  const snippets = [
    ...spans.filter(span => /^"\w+": /.test(span)).map(span => `{${span}}`),
    ...[...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text),
  ]
  assert.ok(snippets.length > 3)
  for (const [name, value] of snippets.flatMap(text => Object.entries<unknown>(JSON.parse(text)))) {
    const schemas: readonly (z.ZodType | undefined)[] = registrations.map(
      ({ shape }) => Object.entries(shape).find(([key]) => key === name)?.[1],
    )
    assert.ok(
      schemas.some(schema => schema?.safeParse(value).success),
      `"${name}": ${JSON.stringify(value)}`,
    )
  }
  for (const [, name = '', value] of guide.matchAll(/\b(LATCHKEY_[A-Z_]+)=([\w.,-]+)/g)) {
    const read = environmentSchema.safeParse({ [name]: value })
    assert.ok(read.success && Object.hasOwn(environmentSchema.shape, name), `${name}=${value}`)
  }
})

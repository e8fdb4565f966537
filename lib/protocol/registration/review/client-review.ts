/** Reviews the settings of a client. */
import { adminScope } from '../../admin-role.ts'
import { isLoopbackHost } from '../../text/addresses.ts'
import { type Client, clientKindOf, legacySwitches, notedSettingsOf } from '../client.ts'
import { standardScopes } from '../scope.ts'
import { type Finding, findingsAbout, type Rule } from './finding.ts'

/** The longest lifetime of a JWT, in seconds, that is not a finding: until then a stolen one works even after a revocation. */
const longJwtSeconds = 3600

const identityScopes: ReadonlySet<string> = new Set(standardScopes.map(({ name }) => name))

/** The texts about a setting by which clients are found. The overview of the dashboard uses them for several clients. */
type SettingTexts = Pick<Finding, 'severity' | 'fix' | 'source'> & {
  /** The end of a sentence about one client, and about several. */
  readonly predicate: readonly [one: string, several: string]
  readonly consequence: string
}

export const settingNames = [...legacySwitches, 'idle_offline_access', 'administration'] as const
export type SettingName = (typeof settingNames)[number]

export const settingTexts: Readonly<Record<SettingName, SettingTexts>> = {
  password_grant: {
    severity: 'error',
    predicate: may('use the password grant'),
    consequence: 'users enter their passwords in the app',
    fix: 'Use the authorization code flow, then remove password from grant_types.',
    source: 'RFC 9700 2.4',
  },
  implicit_tokens: {
    severity: 'error',
    predicate: may('get access tokens by the implicit flow'),
    consequence: 'the tokens are sent through the address bar',
    fix: 'Use the authorization code flow with PKCE, then remove the response types with token.',
    source: 'RFC 9700 2.1.2',
  },
  plain_code_challenge: {
    severity: 'warning',
    predicate: may('use plain PKCE'),
    consequence: 'it does not protect a code from someone who can read the authorization request',
    fix: 'Set pkce to required-s256.',
    source: 'RFC 9700 2.1.1',
  },
  optional_pkce: {
    severity: 'warning',
    predicate: may('omit PKCE'),
    consequence: 'an injected code is then not detected',
    fix: 'Set pkce to required-s256, or to s256-or-nonce if the app checks a nonce.',
    source: 'RFC 9700 2.1.1',
  },
  reused_refresh_tokens: {
    severity: 'note',
    predicate: ['is set to reuse refresh tokens', 'are set to reuse refresh tokens'],
    consequence: 'this has no effect, because refresh tokens of public clients are always replaced',
    fix: 'Set refresh_token_usage to one_time.',
    source: 'RFC 9700 4.14.2',
  },
  every_scope: {
    severity: 'warning',
    predicate: may('request every scope'),
    consequence: 'this includes scopes that are added later',
    fix: 'List its scopes in scope, then remove allow_access_to_all_scopes.',
    source: 'RFC 9700 2.3',
  },
  idle_offline_access: {
    severity: 'note',
    predicate: may('request offline_access, but not use refresh tokens'),
    consequence: 'the scope is ignored',
    fix: 'Add refresh_token to grant_types, or remove offline_access from scope.',
    source: 'OpenID Connect Core 11',
  },
  administration: {
    severity: 'warning',
    predicate: may(`request ${adminScope} and administer this server`),
    consequence: 'its tokens are accepted by the admin API',
    fix: 'Remove the scope where it is not needed.',
    source: 'RFC 9700 2.3',
  },
}

function may(text: string) {
  return [`may ${text}`, `may ${text}`] as const
}

const settingRules = settingNames.map(name => {
  const { predicate, consequence, ...texts } = settingTexts[name]
  const problem = `The client ${predicate[0]}: ${consequence}.`
  return [name, { ...texts, problem, isBroken: (client: Client) => hasSetting(client, name) }] as const
})

function hasSetting(client: Client, name: SettingName): boolean {
  if (name === 'administration') return client.scopes.some(scope => scope === adminScope)
  return notedSettingsOf(client).includes(name)
}

const rules: Readonly<Record<string, Rule<Client>>> = {
  ...Object.fromEntries(settingRules),
  long_access_tokens: {
    severity: 'warning',
    problem:
      'JWT access tokens are valid for more than an hour. An API that reads them accepts a stolen one that long.',
    fix: 'Set access_token_lifetime to 3600 or less, or access_token_type to reference.',
    source: 'RFC 9700 2.3',
    isBroken: client =>
      client.accessTokenType === 'jwt' && client.accessTokenLifetimeSeconds > longJwtSeconds,
  },
  identity_scopes_of_machine: {
    severity: 'note',
    problem: 'The client signs in no user, so its scopes about users have no effect.',
    fix: 'Remove these scopes from scope.',
    source: 'RFC 6749 4.4',
    isBroken: client =>
      clientKindOf(client) === 'machine' && client.scopes.some(name => identityScopes.has(name)),
  },
  development_address: {
    severity: 'warning',
    problem: 'Codes may be sent to a web server on the machine of the user (localhost).',
    fix: 'Remove the redirect URI from this client, and register a second client for development.',
    source: 'RFC 9700 2.1',
    isBroken: client =>
      client.applicationType === 'web' &&
      client.redirectUris.some(isLocal) &&
      !client.redirectUris.every(isLocal),
  },
}

/** Returns the findings about a client; none about a disabled one, which gets no tokens. */
export function reviewClient(client: Client): readonly Finding[] {
  return client.enabled ? findingsAbout(rules, client, { kind: 'client', id: client.clientId }) : []
}

function isLocal(uri: string): boolean {
  return URL.canParse(uri) && isLoopbackHost(new URL(uri).hostname)
}

/** Reviews the settings of a client. */
import { adminScope } from '../../admin-role.ts'
import { isLoopbackHost } from '../../text/addresses.ts'
import { type Client, clientKindOf, isOfflineIdle, type LegacySwitch, legacySwitchesOf } from '../client.ts'
import { standardScopes } from '../scope.ts'
import { type Finding, findingsAbout, type Rule } from './finding.ts'

/** The longest lifetime of a JWT, in seconds, that is not a finding: until then a stolen one works even after a revocation. */
const longJwtSeconds = 3600

const identityScopes: ReadonlySet<string> = new Set(standardScopes.map(({ name }) => name))

type LegacyTexts = Omit<Rule<Client>, 'isBroken'>

const legacyTexts: Readonly<Record<LegacySwitch, LegacyTexts>> = {
  password_grant: {
    severity: 'error',
    problem: 'The app asks users for their passwords itself (grant type password).',
    fix: 'Use the authorization code flow, then remove password from grant_types.',
    source: 'RFC 9700 2.4',
  },
  implicit_tokens: {
    severity: 'error',
    problem: 'Access tokens are sent through the address bar (implicit flow).',
    fix: 'Use the authorization code flow with PKCE, then remove the response types with token.',
    source: 'RFC 9700 2.1.2',
  },
  plain_code_challenge: {
    severity: 'warning',
    problem:
      'The client may use plain PKCE, which does not protect a code from someone who can read the authorization request.',
    fix: 'Set pkce to required-s256.',
    source: 'RFC 9700 2.1.1',
  },
  optional_pkce: {
    severity: 'warning',
    problem: 'The client may leave out PKCE, so an injected code is not detected.',
    fix: 'Set pkce to required-s256, or to s256-or-nonce if the app checks a nonce.',
    source: 'RFC 9700 2.1.1',
  },
  reused_refresh_tokens: {
    severity: 'note',
    problem:
      'Refresh tokens of a public client are always replaced, so the setting to reuse them has no effect.',
    fix: 'Set refresh_token_usage to one_time.',
    source: 'RFC 9700 4.14.2',
  },
  every_scope: {
    severity: 'warning',
    problem: 'The client may request every scope, also those that are added later.',
    fix: 'List its scopes in scope, then remove allow_access_to_all_scopes.',
    source: 'RFC 9700 2.3',
  },
}

const legacyRules = Object.entries(legacyTexts).map(([name, texts]) => {
  const isBroken = (client: Client) => legacySwitchesOf(client).some(one => one === name)
  return [name, { ...texts, isBroken }] as const
})

const rules: Readonly<Record<string, Rule<Client>>> = {
  ...Object.fromEntries(legacyRules),
  administration: {
    severity: 'warning',
    problem: `The client may administer this server (scope ${adminScope}).`,
    fix: 'Remove the scope unless the client is made for administration.',
    source: 'RFC 9700 2.3',
    isBroken: ({ scopes }) => scopes.some(name => name === adminScope),
  },
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
  idle_offline_access: {
    severity: 'note',
    problem: 'The client may request offline_access, but gets no refresh token.',
    fix: 'Add refresh_token to grant_types, or remove offline_access from scope.',
    source: 'OpenID Connect Core 11',
    isBroken: ({ scopes, grantTypes }) => isOfflineIdle(scopes, grantTypes),
  },
}

/** Returns the findings about a client; none about a disabled one, which gets no tokens. */
export function reviewClient(client: Client): readonly Finding[] {
  return client.enabled ? findingsAbout(rules, client, { kind: 'client', id: client.clientId }) : []
}

function isLocal(uri: string): boolean {
  return URL.canParse(uri) && isLoopbackHost(new URL(uri).hostname)
}

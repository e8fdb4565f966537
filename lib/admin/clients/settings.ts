/** Every setting of a client, grouped and explained: what forms are drawn from, and how they are read back. */
import { longestLifetimeSeconds, longestRefreshRetryWindowSeconds } from '#lib/config/limits.ts'
import {
  accessTokenTypes,
  pkcePolicies,
  responseTypes,
  signingAlgorithms,
  tokenEndpointAuthMethods,
} from '#lib/protocol/vocabulary.ts'

export type SettingInput =
  | { readonly kind: 'text' }
  | { readonly kind: 'words' }
  /** One entry per line. */
  | { readonly kind: 'lines' }
  | { readonly kind: 'check' }
  /** `empty`: what no value means. */
  | { readonly kind: 'choice'; readonly options: readonly string[]; readonly empty?: string }
  | { readonly kind: 'seconds'; readonly longest: number; readonly empty?: string }
  | { readonly kind: 'json' }

export type Setting = {
  /** As the registration document spells it. */
  readonly field: string
  readonly label: string
  readonly help: string
  readonly input: SettingInput
  /** The standard that defines it. */
  readonly standard: { readonly name: string; readonly href: string } | null
}

export type SettingGroup = { readonly title: string; readonly settings: readonly Setting[] }

const registration = (section: string) => ({
  name: `RFC 7591 §${section}`,
  href: `https://www.rfc-editor.org/rfc/rfc7591.html#section-${section}`,
})
const oidcRegistration = {
  name: 'OpenID Connect Registration §2',
  href: 'https://openid.net/specs/openid-connect-registration-1_0.html#ClientMetadata',
}
const rfc = (number: number, section: string) => ({
  name: `RFC ${number} §${section}`,
  href: `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`,
})
const ours = null
const text = { kind: 'text' } as const
const lines = { kind: 'lines' } as const
const check = { kind: 'check' } as const
const seconds = (longest: number, empty?: string) =>
  ({ kind: 'seconds', longest, ...(empty === undefined ? {} : { empty }) }) as const
const choice = (options: readonly string[], empty?: string) =>
  ({ kind: 'choice', options, ...(empty === undefined ? {} : { empty }) }) as const

type Row = readonly [
  field: string,
  label: string,
  help: string,
  input: SettingInput,
  standard: Setting['standard'],
]

const rows: Readonly<Record<string, readonly Row[]>> = {
  'What people see': [
    ['client_name', 'Name', 'Shown on the sign-in and consent pages.', text, registration('2')],
    ['client_uri', 'Home page', 'Where "Back to the app" leads.', text, registration('2')],
    [
      'logo_uri',
      'Logo',
      'The address of a square picture. Shown only when it lies on this server’s own origin.',
      text,
      registration('2'),
    ],
    ['policy_uri', 'Privacy policy', 'Linked on the consent page.', text, registration('2')],
    ['tos_uri', 'Terms of service', 'Linked on the consent page.', text, registration('2')],
    ['contacts', 'Contacts', 'For your own records; people do not see them.', lines, registration('2')],
  ],
  'Where it may go': [
    [
      'redirect_uris',
      'Redirect URIs',
      'One per line, compared character by character.',
      lines,
      rfc(9700, '2.1'),
    ],
    [
      'post_logout_redirect_uris',
      'After sign-out',
      'Where it may ask to return to after a sign-out. One per line.',
      lines,
      {
        name: 'OpenID Connect RP-Initiated Logout §3',
        href: 'https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RedirectionAfterLogout',
      },
    ],
    [
      'allowed_cors_origins',
      'Browser origins',
      'Pages that may call our endpoints by script, such as https://app.example.com. One per line.',
      lines,
      ours,
    ],
  ],
  'How it gets tokens': [
    [
      'application_type',
      'Application type',
      'Native apps may use loopback addresses with any port, and schemes of their own.',
      choice(['web', 'native']),
      oidcRegistration,
    ],
    [
      'grant_types',
      'Grant types',
      'What it may use at the token endpoint. One per line.',
      lines,
      registration('2'),
    ],
    [
      'response_types',
      'Response types',
      `What it may ask for: ${responseTypes.join(', ')}. One per line; empty: what the grant types need.`,
      lines,
      registration('2'),
    ],
    [
      'token_endpoint_auth_method',
      'Client authentication',
      'How it proves who it is. "none" is a public client.',
      choice(tokenEndpointAuthMethods, 'by header or body'),
      registration('2'),
    ],
    [
      'pkce',
      'Proof key (PKCE)',
      'Keeps a stolen code useless. Only old apps do without.',
      choice(pkcePolicies),
      rfc(7636, '4'),
    ],
    ['scope', 'Scopes', 'What it may ask for, separated by spaces.', { kind: 'words' }, registration('2')],
  ],
  'Who may sign in, and how': [
    [
      'enable_local_login',
      'Sign in with a password of this server',
      'Off: only with an identity provider.',
      check,
      ours,
    ],
    [
      'identity_provider_restrictions',
      'Identity providers',
      'The only ones people may come from, one per line; empty: all.',
      lines,
      ours,
    ],
    ['require_consent', 'Ask for consent', 'Off only for apps of your own.', check, ours],
    [
      'allow_remember_consent',
      'Let people have their consent remembered',
      'Off: they are asked each time.',
      check,
      ours,
    ],
    [
      'consent_lifetime',
      'Consent is remembered for',
      'In seconds.',
      seconds(longestLifetimeSeconds.consent, 'until it is removed'),
      ours,
    ],
  ],
  Tokens: [
    [
      'access_token_type',
      'Access token',
      'A JWT that APIs check by themselves, or a reference that they ask us about and that you can revoke at once.',
      choice(accessTokenTypes),
      rfc(9068, '2'),
    ],
    [
      'access_token_lifetime',
      'Access token lives for',
      'In seconds.',
      seconds(longestLifetimeSeconds.accessToken),
      rfc(6749, '4.2.2'),
    ],
    [
      'access_token_signed_response_alg',
      'Access token signature',
      '',
      choice(signingAlgorithms),
      rfc(7518, '3.1'),
    ],
    [
      'id_token_lifetime',
      'Identity token lives for',
      'In seconds.',
      seconds(longestLifetimeSeconds.identityToken),
      {
        name: 'OpenID Connect Core §2',
        href: 'https://openid.net/specs/openid-connect-core-1_0.html#IDToken',
      },
    ],
    [
      'id_token_signed_response_alg',
      'Identity token signature',
      '',
      choice(signingAlgorithms),
      oidcRegistration,
    ],
    [
      'authorization_code_lifetime',
      'Code lives for',
      'In seconds; a minute is plenty.',
      seconds(longestLifetimeSeconds.authorizationCode),
      rfc(6749, '4.1.2'),
    ],
  ],
  'Refresh tokens': [
    [
      'refresh_token_usage',
      'Usage',
      'One-time tokens are replaced at each use, so that a stolen one is noticed.',
      choice(['one_time', 'reuse']),
      rfc(9700, '4.14.2'),
    ],
    [
      'refresh_token_expiration',
      'Expiry',
      'Absolute: after a fixed time. Sliding: after a time without use.',
      choice(['absolute', 'sliding']),
      ours,
    ],
    [
      'absolute_refresh_token_lifetime',
      'Ends after',
      'In seconds, however much it is used.',
      seconds(longestLifetimeSeconds.refreshToken),
      ours,
    ],
    [
      'sliding_refresh_token_lifetime',
      'Ends after no use for',
      'In seconds; for sliding expiry.',
      seconds(longestLifetimeSeconds.refreshToken),
      ours,
    ],
    [
      'refresh_retry_window',
      'Retry window',
      'In seconds. A retry with a used one-time token gets the same answer for so long; later it revokes the grant. 0: off.',
      seconds(longestRefreshRetryWindowSeconds, 'as set for the server'),
      rfc(9700, '4.14.2'),
    ],
    [
      'update_access_token_claims_on_refresh',
      'Read claims anew at each refresh',
      'Off: the access token keeps those it was first issued with.',
      check,
      ours,
    ],
  ],
  'Claims of the client': [
    [
      'claims',
      'Claims',
      'About the client itself, as JSON; sent with the prefix client_.',
      { kind: 'json' },
      ours,
    ],
    [
      'always_send_client_claims',
      'Send them with people’s tokens, too',
      'Off: only with tokens of its own.',
      check,
      ours,
    ],
    [
      'jwks',
      'Public keys',
      'A JWK set, kept for key-based authentication; not used yet.',
      { kind: 'json' },
      registration('2'),
    ],
  ],
}

export const clientSettings: readonly SettingGroup[] = Object.entries(rows).map(([title, group]) => ({
  title,
  settings: group.map(([field, label, help, input, standard]) => ({ field, label, help, input, standard })),
}))

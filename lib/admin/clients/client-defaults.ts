/** The kinds of clients with their default settings, which follow RFC 9700 or the needs of old apps. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { ClientKind } from '#lib/protocol/registration/client.ts'

export type KindAdvice = {
  readonly title: string
  /** Advice on when to choose this kind. */
  readonly text: string
  /** Whether users sign in to such a client, so that it needs a redirect URI. */
  readonly hasRedirectUri: boolean
  /** The default fields of the registration document. */
  readonly metadata: Readonly<Record<string, JsonValue>>
}

const signIn = {
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid profile email offline_access',
}

export const kindAdvice: Readonly<Record<ClientKind, KindAdvice>> = {
  web: {
    title: 'Web app',
    text: 'Runs on a server that can keep a secret: Next.js, Express, ASP.NET Core, Spring, Django, Rails.',
    hasRedirectUri: true,
    metadata: signIn,
  },
  spa: {
    title: 'Single-page app',
    text: 'Runs only in the browser: React, Vue, Angular, Svelte. It cannot keep a secret and uses PKCE.',
    hasRedirectUri: true,
    metadata: { ...signIn, token_endpoint_auth_method: 'none' },
  },
  native: {
    title: 'Native app',
    text: 'Installed on a phone or computer: iOS, Android, desktop, command line.',
    hasRedirectUri: true,
    metadata: { ...signIn, application_type: 'native', token_endpoint_auth_method: 'none' },
  },
  machine: {
    title: 'Machine',
    text: 'A service that acts for itself, without a user: a job, a daemon, another server.',
    hasRedirectUri: false,
    metadata: { grant_types: ['client_credentials'] },
  },
  legacy: {
    title: 'Legacy app',
    text: 'An app for IdentityServer3 that cannot be changed yet: implicit flow, tokens in the URL. For migration only.',
    hasRedirectUri: true,
    metadata: {
      grant_types: ['implicit'],
      response_types: ['id_token token', 'id_token', 'token'],
      token_endpoint_auth_method: 'none',
      scope: 'openid profile email',
    },
  },
}

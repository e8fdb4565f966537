/** Frameworks and libraries for the developers of applications. */
import type { Application } from './application.ts'

export const authJs: Application = {
  id: 'authjs',
  name: 'Auth.js (NextAuth)',
  group: 'Frameworks',
  kind: 'web',
  addressExample: 'https://app.example.com',
  client: {
    redirect_uris: ['{{app}}/api/auth/callback/latchkey', '{{app}}/auth/callback/latchkey'],
    scope: 'openid profile email groups',
    always_include_user_claims_in_id_token: true,
  },
  claims: ['sub', 'name', 'email', 'groups'],
  steps: ['Add the provider to the configuration of Auth.js.'],
  files: [
    {
      path: 'auth.ts',
      language: 'ts',
      content: `providers: [
  {
    id: 'latchkey',
    name: 'Latchkey',
    type: 'oidc',
    issuer: '{{issuer}}',
    clientId: '{{client_id}}',
    clientSecret: process.env.AUTH_LATCHKEY_SECRET,
    authorization: { params: { scope: 'openid profile email groups' } },
  },
]
`,
    },
    {
      path: '.env.local',
      language: 'ini',
      content: `AUTH_URL={{app}}
AUTH_LATCHKEY_SECRET={{client_secret}}
`,
    },
  ],
  signOut: 'Ends the session of the application only.',
  limits: [
    'It reads the name and the email address only from the ID token, unless the provider has `idToken: false`.',
    'The redirect URI with `/api` is that of Next.js, the other one that of Express and SvelteKit: remove the one that you do not use.',
  ],
  version: { number: '@auth/express 0.12', from: 'trial' },
  test: null,
  documents: 'https://authjs.dev/guides/configuring-oauth-providers',
}

export const betterAuth: Application = {
  id: 'better-auth',
  name: 'Better Auth',
  group: 'Frameworks',
  kind: 'web',
  addressExample: 'https://app.example.com',
  client: {
    redirect_uris: ['{{app}}/api/auth/callback/latchkey'],
    scope: 'openid profile email',
  },
  claims: ['sub', 'name', 'email', 'email_verified'],
  steps: ['Add the plugin to the configuration of Better Auth.'],
  files: [
    {
      path: 'auth.ts',
      language: 'ts',
      content: `plugins: [
  genericOAuth({
    config: [
      {
        providerId: 'latchkey',
        discoveryUrl: '{{issuer}}/.well-known/openid-configuration',
        clientId: '{{client_id}}',
        clientSecret: process.env.LATCHKEY_CLIENT_SECRET ?? '',
        scopes: ['openid', 'profile', 'email'],
        pkce: true,
      },
    ],
  }),
]
`,
    },
    {
      path: '.env',
      language: 'ini',
      content: `BETTER_AUTH_URL={{app}}
LATCHKEY_CLIENT_SECRET={{client_secret}}
`,
    },
  ],
  signOut: 'Ends the session of the application only.',
  limits: [
    'Without `pkce: true` it sends no PKCE, and sign-ins are refused.',
    'Users without an email address are refused.',
    'Before version 1.7 the redirect URI was `{{app}}/api/auth/oauth2/callback/latchkey`.',
  ],
  version: { number: '1.7', from: 'trial' },
  test: null,
  documents: 'https://www.better-auth.com/docs/plugins/generic-oauth',
}

export const springBoot: Application = {
  id: 'spring-boot',
  name: 'Spring Boot',
  group: 'Frameworks',
  kind: 'web',
  addressExample: 'https://app.example.com',
  client: {
    redirect_uris: ['{{app}}/login/oauth2/code/latchkey'],
    post_logout_redirect_uris: ['{{app}}/'],
    scope: 'openid profile email groups',
  },
  claims: ['sub', 'name', 'email', 'groups'],
  steps: ['Add the starter for OAuth 2.0 clients, and these lines to `application.yaml`.'],
  files: [
    {
      path: 'application.yaml',
      language: 'yaml',
      content: `spring:
  security:
    oauth2:
      client:
        registration:
          latchkey:
            client-id: "{{client_id}}"
            client-secret: "{{client_secret}}"
            scope: "openid,profile,email,groups"
        provider:
          latchkey:
            issuer-uri: "{{issuer}}"
            user-name-attribute: sub
`,
    },
  ],
  signOut:
    'Signs users out of this server as well, with an `OidcClientInitiatedLogoutSuccessHandler`; otherwise it ends the session of the application only.',
  limits: [
    'Spring Boot 3 sends no PKCE unless the code calls `withPkce()`. It sends a nonce: `pkce: s256-or-nonce` is the other way.',
    'An API with `spring-security-oauth2-resource-server` refuses `typ: at+jwt`: set `access_token_format` of the client or of its scope to `rfc9068-jwt`.',
  ],
  version: { number: '4.0', from: 'trial' },
  test: null,
  documents: 'https://docs.spring.io/spring-security/reference/servlet/oauth2/login/core.html',
}

export const mozillaDjango: Application = {
  id: 'mozilla-django-oidc',
  name: 'Django with mozilla-django-oidc',
  group: 'Frameworks',
  kind: 'web',
  addressExample: 'https://app.example.com',
  client: {
    redirect_uris: ['{{app}}/oidc/callback/'],
    post_logout_redirect_uris: ['{{app}}/'],
    scope: 'openid profile email',
  },
  claims: ['sub', 'email', 'name'],
  steps: ['Add the library as its documents describe, and these lines to `settings.py`.'],
  files: [
    {
      path: 'settings.py',
      language: 'python',
      content: `OIDC_RP_CLIENT_ID = '{{client_id}}'
OIDC_RP_CLIENT_SECRET = '{{client_secret}}'
OIDC_RP_SCOPES = 'openid profile email'
OIDC_RP_SIGN_ALGO = 'RS256'
OIDC_USE_PKCE = True
OIDC_OP_AUTHORIZATION_ENDPOINT = '{{issuer}}/connect/authorize'
OIDC_OP_TOKEN_ENDPOINT = '{{issuer}}/connect/token'
OIDC_OP_USER_ENDPOINT = '{{issuer}}/connect/userinfo'
OIDC_OP_JWKS_ENDPOINT = '{{issuer}}/.well-known/jwks'
OIDC_STORE_ID_TOKEN = True
`,
    },
  ],
  signOut:
    'Signs users out of this server as well, if `OIDC_OP_LOGOUT_URL_METHOD` returns the sign-out address with `id_token_hint` and `post_logout_redirect_uri`.',
  limits: ['Without `OIDC_USE_PKCE` users stay anonymous, and no page shows the reason.'],
  version: { number: '5.0', from: 'trial' },
  test: null,
  documents: 'https://mozilla-django-oidc.readthedocs.io/en/stable/installation.html',
}

export const allauth: Application = {
  id: 'django-allauth',
  name: 'Django with django-allauth',
  group: 'Frameworks',
  kind: 'web',
  addressExample: 'https://app.example.com',
  client: {
    redirect_uris: ['{{app}}/accounts/oidc/latchkey/login/callback/'],
    scope: 'openid profile email',
  },
  claims: ['sub', 'email', 'name', 'preferred_username'],
  steps: [
    'Add `allauth.socialaccount.providers.openid_connect` to `INSTALLED_APPS`, and these lines to `settings.py`.',
  ],
  files: [
    {
      path: 'settings.py',
      language: 'python',
      content: `SOCIALACCOUNT_PROVIDERS = {
    'openid_connect': {
        'OAUTH_PKCE_ENABLED': True,
        'APPS': [{
            'provider_id': 'latchkey',
            'name': 'Latchkey',
            'client_id': '{{client_id}}',
            'secret': '{{client_secret}}',
            'settings': {'server_url': '{{issuer}}/.well-known/openid-configuration'},
        }],
    },
}
`,
    },
  ],
  signOut: 'Ends the session of the application only.',
  limits: [
    'Without `OAUTH_PKCE_ENABLED` it sends no PKCE, and sign-ins are refused.',
    'The redirect URI begins with the path of `allauth.urls`, here `accounts/`.',
  ],
  version: { number: '65', from: 'trial' },
  test: null,
  documents: 'https://docs.allauth.org/en/latest/socialaccount/providers/openid_connect.html',
}

export const streamlit: Application = {
  id: 'streamlit',
  name: 'Streamlit',
  group: 'Frameworks',
  kind: 'web',
  addressExample: 'https://app.example.com',
  client: {
    redirect_uris: ['{{app}}/oauth2callback'],
    post_logout_redirect_uris: ['{{app}}/oauth2callback'],
    scope: 'openid profile email',
    always_include_user_claims_in_id_token: true,
  },
  claims: ['sub', 'name', 'email'],
  steps: [
    'Install `Authlib`, add these lines to `.streamlit/secrets.toml`, and call `st.login("latchkey")`.',
  ],
  files: [
    {
      path: '.streamlit/secrets.toml',
      language: 'toml',
      content: `[auth]
redirect_uri = "{{app}}/oauth2callback"
cookie_secret = "a long random text"

[auth.latchkey]
client_id = "{{client_id}}"
client_secret = "{{client_secret}}"
server_metadata_url = "{{issuer}}/.well-known/openid-configuration"
`,
    },
  ],
  signOut: 'Signs users out of this server as well, with `st.logout()`.',
  limits: ['`st.user` has only claims of the ID token.'],
  version: { number: '1.67', from: 'trial' },
  test: null,
  documents: 'https://docs.streamlit.io/develop/concepts/connections/authentication',
}

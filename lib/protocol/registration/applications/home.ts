/** Applications for photos, audio books and chats with language models. */
import type { Application } from './application.ts'

export const immich: Application = {
  id: 'immich',
  name: 'Immich',
  group: 'Home and media',
  kind: 'web',
  addressExample: 'https://photos.example.com',
  client: {
    redirect_uris: ['{{app}}/auth/login', '{{app}}/user-settings', '{{app}}/api/oauth/mobile-redirect'],
    scope: 'openid profile email',
  },
  claims: ['sub', 'email', 'name', 'preferred_username'],
  steps: ['Open “Administration”, “Settings”, “OAuth Authentication”, and enter these values.'],
  files: [
    {
      path: 'Administration, Settings, OAuth Authentication',
      language: 'text',
      content: `Issuer URL: {{issuer}}
Client ID: {{client_id}}
Client Secret: {{client_secret}}
Scope: openid email profile
Signing Algorithm: RS256
Mobile Redirect URI Override: on
Mobile Redirect URI: {{app}}/api/oauth/mobile-redirect
`,
    },
  ],
  signOut: 'Ends the session of Immich only.',
  limits: [
    'The mobile apps need “Mobile Redirect URI Override”: their private scheme would need a native client.',
    'Claims for quota and role are read at the first sign-in only.',
  ],
  version: { number: '3.1', from: 'untried' },
  test: null,
  documents: 'https://docs.immich.app/administration/oauth',
}

export const audiobookshelf: Application = {
  id: 'audiobookshelf',
  name: 'Audiobookshelf',
  group: 'Home and media',
  kind: 'web',
  addressExample: 'https://books.example.com',
  client: {
    redirect_uris: ['{{app}}/auth/openid/callback', '{{app}}/auth/openid/mobile-redirect'],
    scope: 'openid profile email groups',
  },
  claims: ['sub', 'email', 'preferred_username', 'groups'],
  steps: [
    'Open “Settings”, “Authentication”, turn “OpenID Connect Authentication” on, enter the issuer, and choose “Auto-populate”.',
    'Enter these values.',
  ],
  files: [
    {
      path: 'Settings, Authentication',
      language: 'text',
      content: `Issuer URL: {{issuer}}
Authorize URL: {{issuer}}/connect/authorize
Token URL: {{issuer}}/connect/token
Userinfo URL: {{issuer}}/connect/userinfo
JWKS URL: {{issuer}}/.well-known/jwks
Logout URL: (empty)
Client ID: {{client_id}}
Client Secret: {{client_secret}}
Signing Algorithm: RS256
Subfolder for Redirect URLs: None
Allowed Mobile Redirect URIs: audiobookshelf://oauth
Group Claim: groups
`,
    },
  ],
  signOut: 'Ends the session of Audiobookshelf only, while “Logout URL” is empty.',
  limits: ['With “Group Claim”, each user needs one of the groups `admin`, `user` or `guest`.'],
  version: { number: '2.26', from: 'untried' },
  test: null,
  documents: 'https://www.audiobookshelf.org/guides/oidc_authentication/',
}

export const openWebUi: Application = {
  id: 'open-webui',
  name: 'Open WebUI',
  group: 'Home and media',
  kind: 'web',
  addressExample: 'https://chat.example.com',
  client: {
    redirect_uris: ['{{app}}/oauth/oidc/callback'],
    scope: 'openid profile email groups',
    always_include_user_claims_in_id_token: true,
  },
  claims: ['sub', 'email', 'name', 'groups'],
  steps: ['Set these environment variables, and restart Open WebUI.'],
  files: [
    {
      path: '.env',
      language: 'ini',
      content: `WEBUI_URL={{app}}
ENABLE_OAUTH_SIGNUP=true
OAUTH_PROVIDER_NAME=Latchkey
OPENID_PROVIDER_URL={{issuer}}/.well-known/openid-configuration
OPENID_REDIRECT_URI={{app}}/oauth/oidc/callback
OAUTH_CLIENT_ID={{client_id}}
OAUTH_CLIENT_SECRET={{client_secret}}
OAUTH_SCOPES="openid email profile groups"
OAUTH_CODE_CHALLENGE_METHOD=S256
ENABLE_OAUTH_ROLE_MANAGEMENT=true
OAUTH_ROLES_CLAIM=groups
OAUTH_ALLOWED_ROLES=staff
OAUTH_ADMIN_ROLES=admins
`,
    },
  ],
  signOut: 'Ends the session of Open WebUI only.',
  limits: [
    'Users without an email address are refused.',
    'The database keeps these settings after the first start: change them later in its admin panel.',
  ],
  version: { number: '0.6', from: 'untried' },
  test: null,
  documents: 'https://docs.openwebui.com/features/sso',
}

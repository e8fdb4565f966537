/** Applications for files, documents, passwords and messages. */
import type { Application } from './application.ts'

export const nextcloud: Application = {
  id: 'nextcloud',
  name: 'Nextcloud',
  group: 'Files and collaboration',
  kind: 'web',
  addressExample: 'https://cloud.example.com',
  client: {
    redirect_uris: ['{{app}}/apps/user_oidc/code'],
    post_logout_redirect_uris: ['{{app}}/'],
    scope: 'openid profile email groups',
    always_include_user_claims_in_id_token: true,
  },
  claims: ['sub', 'name', 'email', 'groups'],
  steps: ['Install the app “OpenID Connect user backend” (`user_oidc`), and run these commands.'],
  files: [
    {
      path: 'occ',
      language: 'sh',
      content: `php occ config:system:set --type boolean --value=true user_oidc use_pkce
php occ user_oidc:provider Latchkey \\
  --clientid={{client_id}} --clientsecret={{client_secret}} \\
  --discoveryuri={{issuer}}/.well-known/openid-configuration \\
  --scope="openid profile email groups"
`,
    },
  ],
  signOut: 'Ends the session of Nextcloud. Its setting `single_logout` also ends the session at this server.',
  limits: [
    'It reads claims from the ID token, unless `enrich_login_id_token_with_userinfo` is on.',
    'Without pretty URLs its redirect URI is `{{app}}/index.php/apps/user_oidc/code`.',
  ],
  version: { number: '31, with user_oidc 8.0', from: 'untried' },
  test: null,
  documents: 'https://github.com/nextcloud/user_oidc',
}

export const paperless: Application = {
  id: 'paperless-ngx',
  name: 'Paperless-ngx',
  group: 'Files and collaboration',
  kind: 'web',
  addressExample: 'https://paperless.example.com',
  client: {
    redirect_uris: ['{{app}}/accounts/oidc/latchkey/login/callback/'],
    scope: 'openid profile email',
  },
  claims: ['sub', 'email', 'preferred_username'],
  steps: ['Set these environment variables, and restart Paperless-ngx.'],
  files: [
    {
      path: 'docker-compose.env',
      language: 'ini',
      content: `PAPERLESS_APPS=allauth.socialaccount.providers.openid_connect
PAPERLESS_SOCIALACCOUNT_PROVIDERS={"openid_connect":{"OAUTH_PKCE_ENABLED":true,"SCOPE":["openid","profile","email"],"APPS":[{"provider_id":"latchkey","name":"Latchkey","client_id":"{{client_id}}","secret":"{{client_secret}}","settings":{"server_url":"{{issuer}}/.well-known/openid-configuration"}}]}}
`,
    },
  ],
  signOut: 'Ends the session of Paperless-ngx only.',
  limits: [
    'Without `OAUTH_PKCE_ENABLED` it sends no PKCE, and sign-ins are refused.',
    'New users have no permissions until an administrator of Paperless-ngx gives them some.',
  ],
  version: { number: '2.13', from: 'untried' },
  test: null,
  documents: 'https://docs.paperless-ngx.com/advanced_usage/#openid-connect-and-social-authentication',
}

export const bookStack: Application = {
  id: 'bookstack',
  name: 'BookStack',
  group: 'Files and collaboration',
  kind: 'web',
  addressExample: 'https://wiki.example.com',
  client: {
    redirect_uris: ['{{app}}/oidc/callback'],
    post_logout_redirect_uris: ['{{app}}', '{{app}}/'],
    scope: 'openid profile email groups',
    always_include_user_claims_in_id_token: true,
  },
  claims: ['sub', 'email', 'name', 'groups'],
  steps: ['Add these lines to the file `.env` of BookStack.'],
  files: [
    {
      path: '.env',
      language: 'ini',
      content: `AUTH_METHOD=oidc
OIDC_NAME=Latchkey
OIDC_ISSUER={{issuer}}
OIDC_ISSUER_DISCOVER=true
OIDC_CLIENT_ID={{client_id}}
OIDC_CLIENT_SECRET={{client_secret}}
OIDC_ADDITIONAL_SCOPES=groups
OIDC_DISPLAY_NAME_CLAIMS=name
OIDC_GROUPS_CLAIM=groups
OIDC_USER_TO_GROUPS=true
OIDC_END_SESSION_ENDPOINT=true
`,
    },
  ],
  signOut: 'Signs users out of this server as well, with `OIDC_END_SESSION_ENDPOINT=true`.',
  limits: [
    'Users without an email address are refused.',
    'Groups become roles only if a role has the same name, or has it as external authentication ID.',
  ],
  version: { number: '25.07', from: 'untried' },
  test: null,
  documents: 'https://www.bookstackapp.com/docs/admin/oidc-auth/',
}

export const vaultwarden: Application = {
  id: 'vaultwarden',
  name: 'Vaultwarden',
  group: 'Files and collaboration',
  kind: 'web',
  addressExample: 'https://vault.example.com',
  client: {
    redirect_uris: ['{{app}}/identity/connect/oidc-signin'],
    scope: 'openid profile email offline_access',
  },
  claims: ['sub', 'email', 'email_verified'],
  steps: ['Set these environment variables, and restart Vaultwarden.'],
  files: [
    {
      path: '.env',
      language: 'ini',
      content: `SSO_ENABLED=true
SSO_AUTHORITY={{issuer}}
SSO_CLIENT_ID={{client_id}}
SSO_CLIENT_SECRET={{client_secret}}
SSO_SCOPES="email profile offline_access"
SSO_PKCE=true
`,
    },
  ],
  signOut: 'Ends the session of Vaultwarden only.',
  limits: ['The master password still unlocks the vault: signing in here does not replace it.'],
  version: { number: '1.35', from: 'untried' },
  test: null,
  documents: 'https://github.com/dani-garcia/vaultwarden/wiki/Enabling-SSO-support-using-OpenId-Connect',
}

export const synapse: Application = {
  id: 'synapse',
  name: 'Synapse (Matrix)',
  group: 'Files and collaboration',
  kind: 'web',
  addressExample: 'https://matrix.example.com',
  client: {
    redirect_uris: ['{{app}}/_synapse/client/oidc/callback'],
    scope: 'openid profile email',
  },
  claims: ['sub', 'preferred_username', 'name', 'email'],
  steps: ['Add these lines to `homeserver.yaml`, and restart Synapse.'],
  files: [
    {
      path: 'homeserver.yaml',
      language: 'yaml',
      content: `oidc_providers:
  - idp_id: latchkey
    idp_name: Latchkey
    discover: true
    issuer: "{{issuer}}"
    client_id: "{{client_id}}"
    client_secret: "{{client_secret}}"
    scopes: ["openid", "profile", "email"]
    pkce_method: always
    user_profile_method: userinfo_endpoint
    user_mapping_provider:
      config:
        localpart_template: "{{ user.preferred_username }}"
        display_name_template: "{{ user.name }}"
        email_template: "{{ user.email }}"
`,
    },
  ],
  signOut: 'Ends the session of the Matrix client only.',
  limits: [
    'The Matrix ID is made from `preferred_username` at the first sign-in, and does not change later.',
  ],
  version: { number: '1.145', from: 'untried' },
  test: null,
  documents: 'https://element-hq.github.io/synapse/latest/openid.html',
}

export const miniflux: Application = {
  id: 'miniflux',
  name: 'Miniflux',
  group: 'Files and collaboration',
  kind: 'web',
  addressExample: 'https://feeds.example.com',
  client: {
    redirect_uris: ['{{app}}/oauth2/oidc/callback'],
    scope: 'openid profile email',
  },
  claims: ['sub', 'preferred_username', 'email'],
  steps: ['Set these environment variables, and restart Miniflux.'],
  files: [
    {
      path: 'miniflux.conf',
      language: 'ini',
      content: `OAUTH2_PROVIDER=oidc
OAUTH2_CLIENT_ID={{client_id}}
OAUTH2_CLIENT_SECRET={{client_secret}}
OAUTH2_REDIRECT_URL={{app}}/oauth2/oidc/callback
OAUTH2_OIDC_DISCOVERY_ENDPOINT={{issuer}}
OAUTH2_OIDC_PROVIDER_NAME=Latchkey
OAUTH2_USER_CREATION=1
`,
    },
  ],
  signOut: 'Ends the session of Miniflux only.',
  limits: [
    '`OAUTH2_OIDC_DISCOVERY_ENDPOINT` is the issuer: Miniflux appends `/.well-known/openid-configuration`.',
  ],
  version: { number: '2.2', from: 'untried' },
  test: null,
  documents: 'https://miniflux.app/docs/howto.html#oauth2',
}

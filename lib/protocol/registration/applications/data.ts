/** Applications for monitoring, databases and notebooks. */
import type { Application } from './application.ts'

export const pgAdmin: Application = {
  id: 'pgadmin',
  name: 'pgAdmin 4',
  group: 'Monitoring and data',
  kind: 'web',
  addressExample: 'https://pgadmin.example.com',
  client: {
    redirect_uris: ['{{app}}/oauth2/authorize'],
    post_logout_redirect_uris: ['{{app}}/'],
    scope: 'openid profile email',
    always_include_user_claims_in_id_token: true,
  },
  claims: ['email', 'preferred_username'],
  steps: ['Add these lines to `config_local.py`, and restart pgAdmin.'],
  files: [
    {
      path: 'config_local.py',
      language: 'python',
      content: `AUTHENTICATION_SOURCES = ['oauth2', 'internal']
OAUTH2_AUTO_CREATE_USER = True
OAUTH2_CONFIG = [{
    'OAUTH2_NAME': 'latchkey',
    'OAUTH2_DISPLAY_NAME': 'Latchkey',
    'OAUTH2_CLIENT_ID': '{{client_id}}',
    'OAUTH2_CLIENT_SECRET': '{{client_secret}}',
    'OAUTH2_SERVER_METADATA_URL': '{{issuer}}/.well-known/openid-configuration',
    'OAUTH2_AUTHORIZATION_URL': '{{issuer}}/connect/authorize',
    'OAUTH2_TOKEN_URL': '{{issuer}}/connect/token',
    'OAUTH2_API_BASE_URL': '{{issuer}}/',
    'OAUTH2_USERINFO_ENDPOINT': 'connect/userinfo',
    'OAUTH2_SCOPE': 'openid profile email',
    'OAUTH2_RESPONSE_TYPE': 'code',
    'OAUTH2_CHALLENGE_METHOD': 'S256',
    'OAUTH2_LOGOUT_URL':
        '{{issuer}}/connect/endsession?id_token_hint={id_token}&post_logout_redirect_uri={redirect_uri}',
}]
`,
    },
  ],
  signOut: 'Signs users out of this server as well, and returns them to pgAdmin, with `OAUTH2_LOGOUT_URL`.',
  limits: [
    'It reads the email address and the user name only from the ID token.',
    'Without `OAUTH2_CHALLENGE_METHOD` it sends no PKCE, and sign-ins are refused.',
  ],
  version: { number: '9.18', from: 'trial' },
  test: null,
  documents: 'https://www.pgadmin.org/docs/pgadmin4/latest/oauth2.html',
}

export const jupyterHub: Application = {
  id: 'jupyterhub',
  name: 'JupyterHub',
  group: 'Monitoring and data',
  kind: 'web',
  addressExample: 'https://hub.example.com',
  client: {
    redirect_uris: ['{{app}}/hub/oauth_callback'],
    post_logout_redirect_uris: ['{{app}}/'],
    scope: 'openid profile email groups',
    sign_out_prompt: 'if-required',
  },
  claims: ['preferred_username', 'groups'],
  steps: ['Install `oauthenticator`, and add these lines to `jupyterhub_config.py`.'],
  files: [
    {
      path: 'jupyterhub_config.py',
      language: 'python',
      content: `c.JupyterHub.authenticator_class = 'generic-oauth'
auth = c.GenericOAuthenticator
auth.client_id, auth.client_secret = '{{client_id}}', '{{client_secret}}'
auth.oauth_callback_url = '{{app}}/hub/oauth_callback'
auth.authorize_url = '{{issuer}}/connect/authorize'
auth.token_url = '{{issuer}}/connect/token'
auth.userdata_url = '{{issuer}}/connect/userinfo'
auth.scope = ['openid', 'profile', 'email', 'groups']
auth.username_claim = 'preferred_username'
auth.enable_auth_state = True
auth.manage_groups, auth.auth_state_groups_key = True, 'oauth_user.groups'
auth.allowed_groups, auth.admin_groups = {'staff'}, {'admins'}
auth.logout_redirect_url = '{{issuer}}/connect/endsession?client_id={{client_id}}&post_logout_redirect_uri={{app}}/'
`,
    },
  ],
  signOut:
    'Signs users out of this server as well, with `logout_redirect_url`. It sends no ID token, so that the client has `sign_out_prompt: if-required`.',
  limits: [
    '`enable_auth_state` needs the environment variable `JUPYTERHUB_CRYPT_KEY`.',
    'It identifies users by `preferred_username`, which can change: do not allow identity providers that you do not trust for this client.',
  ],
  version: { number: '6.1, with oauthenticator 17.4', from: 'trial' },
  test: null,
  documents:
    'https://oauthenticator.readthedocs.io/en/latest/tutorials/provider-specific-setup/providers/generic.html',
}

export const directus: Application = {
  id: 'directus',
  name: 'Directus',
  group: 'Monitoring and data',
  kind: 'web',
  addressExample: 'https://directus.example.com',
  client: {
    redirect_uris: ['{{app}}/auth/login/latchkey/callback'],
    scope: 'openid profile email groups',
  },
  claims: ['sub', 'email', 'given_name', 'family_name', 'groups'],
  steps: ['Set these environment variables, and restart Directus.'],
  files: [
    {
      path: '.env',
      language: 'ini',
      content: `AUTH_PROVIDERS=latchkey
AUTH_LATCHKEY_DRIVER=openid
AUTH_LATCHKEY_CLIENT_ID={{client_id}}
AUTH_LATCHKEY_CLIENT_SECRET={{client_secret}}
AUTH_LATCHKEY_ISSUER_URL={{issuer}}/.well-known/openid-configuration
AUTH_LATCHKEY_IDENTIFIER_KEY=sub
AUTH_LATCHKEY_SCOPE="openid profile email groups"
AUTH_LATCHKEY_ALLOW_PUBLIC_REGISTRATION=true
AUTH_LATCHKEY_DEFAULT_ROLE_ID=
`,
    },
  ],
  signOut: 'Ends the session of Directus only.',
  limits: [
    'Set `AUTH_LATCHKEY_DEFAULT_ROLE_ID` to the ID of the role that new users get; without a role they can do nothing.',
  ],
  version: { number: '11.3', from: 'trial' },
  test: null,
  documents: 'https://directus.io/docs/configuration/auth-sso',
}

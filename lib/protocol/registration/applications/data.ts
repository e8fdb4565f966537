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

export const grafana: Application = {
  id: 'grafana',
  name: 'Grafana',
  group: 'Monitoring and data',
  kind: 'web',
  addressExample: 'https://grafana.example.com',
  client: {
    redirect_uris: ['{{app}}/login/generic_oauth'],
    post_logout_redirect_uris: ['{{app}}/login'],
    scope: 'openid profile email groups offline_access',
  },
  claims: ['sub', 'email', 'name', 'preferred_username', 'groups'],
  steps: ['Add these lines to `grafana.ini`, and restart Grafana. Set `root_url` to its address.'],
  files: [
    {
      path: 'grafana.ini',
      language: 'ini',
      content: `[server]
root_url = {{app}}

[auth.generic_oauth]
enabled = true
name = Latchkey
client_id = {{client_id}}
client_secret = {{client_secret}}
scopes = openid profile email groups offline_access
auth_url = {{issuer}}/connect/authorize
token_url = {{issuer}}/connect/token
api_url = {{issuer}}/connect/userinfo
use_pkce = true
use_refresh_token = true
login_attribute_path = preferred_username
name_attribute_path = name
groups_attribute_path = groups
role_attribute_path = contains(groups[*], 'admins') && 'Admin' || 'Viewer'
signout_redirect_url = {{issuer}}/connect/endsession?post_logout_redirect_uri={{app}}/login
`,
    },
  ],
  signOut:
    'Signs users out of this server as well, with `signout_redirect_url`: Grafana adds the ID token to it.',
  limits: ['`groups_attribute_path` has an effect only in Grafana Enterprise; roles do not need it.'],
  version: { number: '12.4', from: 'untried' },
  test: null,
  documents:
    'https://grafana.com/docs/grafana/latest/setup-grafana/configure-access/configure-authentication/generic-oauth/',
}

export const superset: Application = {
  id: 'superset',
  name: 'Apache Superset',
  group: 'Monitoring and data',
  kind: 'web',
  addressExample: 'https://superset.example.com',
  client: {
    redirect_uris: ['{{app}}/oauth-authorized/latchkey'],
    scope: 'openid profile email groups',
  },
  claims: ['preferred_username', 'email', 'given_name', 'family_name', 'groups'],
  steps: ['Install `Authlib`, and add these lines to `superset_config.py`.'],
  files: [
    {
      path: 'superset_config.py',
      language: 'python',
      content: `from flask_appbuilder.security.manager import AUTH_OAUTH
from superset.security import SupersetSecurityManager

class LatchkeySecurityManager(SupersetSecurityManager):
    def oauth_user_info(self, provider, response=None):
        user = self.oauth_remotes[provider].get('connect/userinfo').json()
        return {
            'username': user['preferred_username'],
            'email': user.get('email', ''),
            'first_name': user.get('given_name', ''),
            'last_name': user.get('family_name', ''),
            'role_keys': user.get('groups', []),
        }

CUSTOM_SECURITY_MANAGER = LatchkeySecurityManager
AUTH_TYPE = AUTH_OAUTH
AUTH_USER_REGISTRATION = True
AUTH_USER_REGISTRATION_ROLE = 'Public'
AUTH_ROLES_MAPPING = {'admins': ['Admin'], 'staff': ['Gamma']}
AUTH_ROLES_SYNC_AT_LOGIN = True
OAUTH_PROVIDERS = [{
    'name': 'latchkey',
    'token_key': 'access_token',
    'remote_app': {
        'client_id': '{{client_id}}',
        'client_secret': '{{client_secret}}',
        'server_metadata_url': '{{issuer}}/.well-known/openid-configuration',
        'api_base_url': '{{issuer}}/',
        'client_kwargs': {
            'scope': 'openid profile email groups',
            'code_challenge_method': 'S256',
        },
    },
}]
`,
    },
  ],
  signOut: 'Ends the session of Superset only.',
  limits: [
    'Without `code_challenge_method` it sends no PKCE, and sign-ins are refused.',
    'It identifies users by `preferred_username`, which can change: do not allow identity providers that you do not trust for this client.',
  ],
  version: { number: 'with Flask-AppBuilder 5.3', from: 'trial' },
  test: null,
  documents: 'https://superset.apache.org/docs/configuration/configuring-superset/',
}

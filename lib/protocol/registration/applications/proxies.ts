/** Proxies and networks that sign users in for other applications. */
import type { Application } from './application.ts'

export const oauth2Proxy: Application = {
  id: 'oauth2-proxy',
  name: 'oauth2-proxy',
  group: 'Proxies and networks',
  kind: 'web',
  addressExample: 'https://app.example.com',
  client: {
    redirect_uris: ['{{app}}/oauth2/callback'],
    post_logout_redirect_uris: ['{{app}}/'],
    scope: 'openid profile email groups offline_access',
    sign_out_prompt: 'if-required',
  },
  claims: ['email', 'email_verified', 'preferred_username', 'groups'],
  steps: ['Start the proxy with these options, and with its own options such as `--upstream`.'],
  files: [
    {
      path: 'oauth2-proxy',
      language: 'sh',
      content: `oauth2-proxy --provider=oidc \\
  --oidc-issuer-url={{issuer}} \\
  --client-id={{client_id}} --client-secret={{client_secret}} \\
  --redirect-url={{app}}/oauth2/callback \\
  --code-challenge-method=S256 \\
  --scope="openid profile email groups offline_access" \\
  --oidc-groups-claim=groups \\
  --cookie-refresh=50m --email-domain="*" \\
  --whitelist-domain={{issuer_host}}
`,
    },
  ],
  signOut:
    'Send users to `/oauth2/sign_out?rd=` with the encoded address `{{issuer}}/connect/endsession?client_id={{client_id}}&post_logout_redirect_uri={{app}}/`. The proxy sends no ID token, so that the client has `sign_out_prompt: if-required`.',
  limits: [
    'Users without an email address are refused, unless `--oidc-email-claim=sub` is set.',
    '`--backend-logout-url` does not sign users out of this server: the proxy calls it without their cookies.',
  ],
  version: { number: '7.15', from: 'trial' },
  test: null,
  documents: 'https://oauth2-proxy.github.io/oauth2-proxy/configuration/providers/openid_connect',
}

export const apache: Application = {
  id: 'mod-auth-openidc',
  name: 'Apache with mod_auth_openidc',
  group: 'Proxies and networks',
  kind: 'web',
  addressExample: 'https://app.example.com',
  client: {
    redirect_uris: ['{{app}}/secure/redirect_uri'],
    post_logout_redirect_uris: ['{{app}}/'],
    scope: 'openid profile email groups offline_access',
  },
  claims: ['sub', 'email', 'groups'],
  steps: ['Enable the module, and add these lines to the virtual host.'],
  files: [
    {
      path: 'virtual host',
      language: 'text',
      content: `OIDCProviderMetadataURL {{issuer}}/.well-known/openid-configuration
OIDCClientID {{client_id}}
OIDCClientSecret {{client_secret}}
OIDCRedirectURI {{app}}/secure/redirect_uri
OIDCCryptoPassphrase "exec:/bin/cat /etc/apache2/oidc-passphrase"
OIDCPKCEMethod S256
OIDCScope "openid profile email groups offline_access"
OIDCRefreshAccessTokenBeforeExpiry 60
<Location /secure>
  AuthType openid-connect
  Require claim groups:staff
</Location>
`,
    },
  ],
  signOut:
    'Send users to `/secure/redirect_uri?logout=` with the encoded address `{{app}}/`: it signs them out of this server as well.',
  limits: [
    'Without `OIDCPKCEMethod` it sends no PKCE, and its error page does not show the reason.',
    '`/secure/redirect_uri` must be below a protected location and must not be a page.',
  ],
  version: { number: '2.4.12', from: 'trial' },
  test: null,
  documents: 'https://github.com/OpenIDC/mod_auth_openidc',
}

export const caddy: Application = {
  id: 'caddy-security',
  name: 'Caddy with caddy-security',
  group: 'Proxies and networks',
  kind: 'web',
  addressExample: 'https://app.example.com',
  client: {
    redirect_uris: ['{{app}}/auth/oauth2/latchkey/authorization-code-callback'],
    scope: 'openid profile email groups',
    always_include_user_claims_in_id_token: true,
  },
  claims: ['sub', 'email', 'name', 'groups'],
  steps: ['Build Caddy with the plugin, and add these lines to the block `security` of the `Caddyfile`.'],
  files: [
    {
      path: 'Caddyfile',
      language: 'text',
      content: `oauth identity provider latchkey {
  realm latchkey
  driver generic
  client_id {{client_id}}
  client_secret {{client_secret}}
  scopes openid profile email groups
  base_auth_url {{issuer}}
  metadata_url {{issuer}}/.well-known/openid-configuration
}
authentication portal main {
  enable identity provider latchkey
}
`,
    },
  ],
  signOut: 'Ends the session of its portal only.',
  limits: ['It reads the email address and the groups only from the ID token.'],
  version: { number: '2.11, with caddy-security of 2026-06', from: 'trial' },
  test: null,
  documents: 'https://docs.authcrunch.com/docs/authenticate/oauth/',
}

export const headscale: Application = {
  id: 'headscale',
  name: 'headscale',
  group: 'Proxies and networks',
  kind: 'web',
  addressExample: 'https://headscale.example.com',
  client: {
    redirect_uris: ['{{app}}/oidc/callback'],
    scope: 'openid profile email groups',
  },
  claims: ['sub', 'email', 'preferred_username', 'groups'],
  steps: ['Add these lines to `config.yaml`, and restart headscale.'],
  files: [
    {
      path: 'config.yaml',
      language: 'yaml',
      content: `oidc:
  issuer: "{{issuer}}"
  client_id: "{{client_id}}"
  client_secret: "{{client_secret}}"
  scope: ["openid", "profile", "email", "groups"]
  allowed_groups: ["staff"]
  pkce:
    enabled: true
    method: S256
`,
    },
  ],
  signOut: 'It has no sign-out: a device stays connected until its key expires.',
  limits: ['Without `pkce` it sends no PKCE, and its error page does not show the reason.'],
  version: { number: '2026-07', from: 'trial' },
  test: null,
  documents: 'https://headscale.net/stable/ref/oidc/',
}

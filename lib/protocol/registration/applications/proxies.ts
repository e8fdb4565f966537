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

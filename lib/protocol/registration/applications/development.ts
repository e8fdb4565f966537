/** Applications for source code, builds and packages. */
import type { Application } from './application.ts'

export const gitLab: Application = {
  id: 'gitlab',
  name: 'GitLab',
  group: 'Development',
  kind: 'web',
  addressExample: 'https://gitlab.example.com',
  client: {
    redirect_uris: ['{{app}}/users/auth/openid_connect/callback'],
    scope: 'openid profile email groups',
  },
  claims: ['sub', 'email', 'name', 'preferred_username', 'groups'],
  steps: ['Add these lines to `/etc/gitlab/gitlab.rb`, and run `gitlab-ctl reconfigure`.'],
  files: [
    {
      path: 'gitlab.rb',
      language: 'ruby',
      content: `gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']
gitlab_rails['omniauth_block_auto_created_users'] = false
gitlab_rails['omniauth_providers'] = [
  {
    name: "openid_connect",
    label: "Latchkey",
    args: {
      name: "openid_connect",
      scope: ["openid", "profile", "email", "groups"],
      response_type: "code",
      issuer: "{{issuer}}",
      discovery: true,
      client_auth_method: "basic",
      uid_field: "sub",
      pkce: true,
      client_options: {
        identifier: "{{client_id}}",
        secret: "{{client_secret}}",
        redirect_uri: "{{app}}/users/auth/openid_connect/callback"
      }
    }
  }
]
`,
    },
  ],
  signOut: 'Ends the session of GitLab only.',
  limits: [
    'Without `pkce: true` it sends no PKCE, and sign-ins are refused.',
    'Membership of GitLab groups by the claim `groups` needs a paid plan.',
  ],
  version: { number: '16.9', from: 'untried' },
  test: null,
  documents: 'https://docs.gitlab.com/administration/auth/oidc/',
}

export const jenkins: Application = {
  id: 'jenkins',
  name: 'Jenkins',
  group: 'Development',
  kind: 'web',
  addressExample: 'https://jenkins.example.com',
  client: {
    redirect_uris: ['{{app}}/securityRealm/finishLogin'],
    scope: 'openid profile email groups',
  },
  claims: ['preferred_username', 'name', 'email', 'groups'],
  steps: [
    'Install the plugin “OpenId Connect Authentication” (`oic-auth`).',
    'Apply this configuration with the plugin “Configuration as Code”, or enter its values under “Manage Jenkins”, “Security”.',
  ],
  files: [
    {
      path: 'jenkins.yaml',
      language: 'yaml',
      content: `jenkins:
  securityRealm:
    oic:
      clientId: "{{client_id}}"
      clientSecret: "{{client_secret}}"
      userNameField: "preferred_username"
      fullNameFieldName: "name"
      emailFieldName: "email"
      groupsFieldName: "groups"
      logoutFromOpenidProvider: false
      properties:
        - "pkce"
      serverConfiguration:
        wellKnown:
          wellKnownOpenIDConfigurationUrl: "{{issuer}}/.well-known/openid-configuration"
          scopesOverride: "openid profile email groups"
`,
    },
  ],
  signOut: 'Ends the session of Jenkins only.',
  limits: [
    'Without the property `pkce` it sends no PKCE, and sign-ins are refused.',
    'It identifies users by `preferred_username`, which can change: do not allow identity providers that you do not trust for this client.',
  ],
  version: { number: '2.516', from: 'untried' },
  test: null,
  documents: 'https://plugins.jenkins.io/oic-auth/',
}

export const verdaccio: Application = {
  id: 'verdaccio',
  name: 'Verdaccio',
  group: 'Development',
  kind: 'web',
  addressExample: 'https://npm.example.com',
  client: {
    redirect_uris: [
      '{{app}}/-/oauth/callback',
      '{{app}}/-/oauth/callback/cli',
      '{{app}}/-/oauth/callback/authn',
    ],
    scope: 'openid profile email groups',
    pkce: 's256-or-nonce',
  },
  claims: ['preferred_username', 'groups'],
  steps: ['Install the plugin `verdaccio-openid`, and add these lines to `config.yaml`.'],
  files: [
    {
      path: 'config.yaml',
      language: 'yaml',
      content: `middlewares:
  openid:
    enabled: true
auth:
  openid:
    provider-host: "{{issuer}}"
    client-id: "{{client_id}}"
    client-secret: "{{client_secret}}"
    scope: openid profile email groups
    username-claim: preferred_username
    groups-claim: groups
    authorized-groups: [staff]
`,
    },
  ],
  signOut: 'Ends the session of Verdaccio only.',
  limits: [
    'The plugin has no PKCE. It sends a nonce, so that the client has `pkce: s256-or-nonce`.',
    'It accepts only an issuer with https.',
  ],
  version: { number: '6.8, with verdaccio-openid 0.18', from: 'trial' },
  test: null,
  documents: 'https://github.com/freeformsystems/verdaccio-openid',
}

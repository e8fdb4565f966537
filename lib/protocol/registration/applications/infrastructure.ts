/** Platforms for virtual machines, containers and secrets. */
import type { Application } from './application.ts'

export const proxmox: Application = {
  id: 'proxmox-ve',
  name: 'Proxmox VE',
  group: 'Infrastructure',
  kind: 'web',
  addressExample: 'https://pve.example.com:8006',
  client: {
    redirect_uris: ['{{app}}'],
    scope: 'openid profile email groups',
  },
  claims: ['sub', 'preferred_username', 'groups'],
  steps: ['Run this command on a node, or add an OpenID Connect server under “Datacenter”, “Realms”.'],
  files: [
    {
      path: 'pveum',
      language: 'sh',
      content: `pveum realm add latchkey --type openid \\
  --issuer-url {{issuer}} \\
  --client-id {{client_id}} --client-key {{client_secret}} \\
  --username-claim preferred_username \\
  --scopes "openid email profile groups" \\
  --autocreate 1 --groups-claim groups
`,
    },
  ],
  signOut: 'Ends the session of Proxmox VE only.',
  limits: [
    'Its redirect URI is the address in the browser: register each address under which the nodes are opened.',
    'New users have no permissions until an administrator gives them some; groups must exist in Proxmox VE.',
    'It identifies users by `preferred_username`, which can change: do not allow identity providers that you do not trust for this client.',
  ],
  version: { number: '8.4', from: 'untried' },
  test: null,
  documents: 'https://pve.proxmox.com/wiki/User_Management',
}

export const vault: Application = {
  id: 'hashicorp-vault',
  name: 'HashiCorp Vault',
  group: 'Infrastructure',
  kind: 'web',
  addressExample: 'https://vault.example.com:8200',
  client: {
    redirect_uris: ['{{app}}/ui/vault/auth/oidc/oidc/callback', 'http://localhost:8250/oidc/callback'],
    scope: 'openid profile email groups',
  },
  claims: ['email', 'groups'],
  steps: ['Run these commands. The role decides who may sign in and with which policies.'],
  files: [
    {
      path: 'vault',
      language: 'sh',
      content: `vault auth enable oidc
vault write auth/oidc/config \\
  oidc_discovery_url={{issuer}} \\
  oidc_client_id={{client_id}} oidc_client_secret={{client_secret}} \\
  default_role=default
vault write auth/oidc/role/default \\
  user_claim=email groups_claim=groups \\
  oidc_scopes=profile,email,groups \\
  allowed_redirect_uris={{app}}/ui/vault/auth/oidc/oidc/callback \\
  allowed_redirect_uris=http://localhost:8250/oidc/callback \\
  token_policies=default
`,
    },
  ],
  signOut: 'Ends the session of Vault only.',
  limits: [
    'Users without an email address are refused, unless `user_claim` is `sub`.',
    'The second redirect URI is for `vault login -method=oidc` on the computer of a user.',
  ],
  version: { number: '2026-07 of the plugin auth-jwt', from: 'trial' },
  test: null,
  documents: 'https://developer.hashicorp.com/vault/docs/auth/jwt',
}

export const kubernetes: Application = {
  id: 'kubernetes',
  name: 'Kubernetes with kubelogin',
  group: 'Infrastructure',
  kind: 'native',
  addressExample: null,
  client: {
    redirect_uris: ['http://localhost:8000', 'http://localhost:18000'],
    scope: 'openid profile email groups offline_access',
    always_include_user_claims_in_id_token: true,
  },
  claims: ['email', 'groups'],
  steps: [
    'Start the API server with the first options.',
    'Install `kubelogin` on the computer of each user, and run the second command in `kubectl` as its credential plugin.',
  ],
  files: [
    {
      path: 'kube-apiserver',
      language: 'sh',
      content: `kube-apiserver --oidc-issuer-url={{issuer}} --oidc-client-id={{client_id}} \\
  --oidc-username-claim=email --oidc-username-prefix=oidc: \\
  --oidc-groups-claim=groups --oidc-groups-prefix=oidc:
`,
    },
    {
      path: 'kubectl',
      language: 'sh',
      content: `kubectl config set-credentials oidc \\
  --exec-api-version=client.authentication.k8s.io/v1 --exec-interactive-mode=Never \\
  --exec-command=kubectl --exec-arg=oidc-login --exec-arg=get-token \\
  --exec-arg=--oidc-issuer-url={{issuer}} --exec-arg=--oidc-client-id={{client_id}} \\
  --exec-arg=--oidc-extra-scope=email --exec-arg=--oidc-extra-scope=groups \\
  --exec-arg=--oidc-extra-scope=offline_access
`,
    },
  ],
  signOut:
    'Kubernetes has no session: a user who may no longer sign in has access until the ID token expires.',
  limits: [
    'The API server reads only the ID token, and accepts only an issuer with https.',
    'It refuses an email address that is not verified.',
  ],
  version: { number: '1.37', from: 'trial' },
  test: null,
  documents: 'https://kubernetes.io/docs/reference/access-authn-authz/authentication/',
}

export const dex: Application = {
  id: 'dex',
  name: 'dex',
  group: 'Infrastructure',
  kind: 'web',
  addressExample: 'https://dex.example.com/dex',
  client: {
    redirect_uris: ['{{app}}/callback'],
    scope: 'openid profile email groups offline_access',
    always_include_user_claims_in_id_token: true,
  },
  claims: ['sub', 'name', 'email', 'email_verified', 'preferred_username', 'groups'],
  steps: ['Add this connector to the configuration of dex. The address of dex is its issuer.'],
  files: [
    {
      path: 'config.yaml',
      language: 'yaml',
      content: `connectors:
  - type: oidc
    id: latchkey
    name: Latchkey
    config:
      issuer: "{{issuer}}"
      clientID: "{{client_id}}"
      clientSecret: "{{client_secret}}"
      redirectURI: "{{app}}/callback"
      scopes: [profile, email, groups, offline_access]
      insecureEnableGroups: true
`,
    },
  ],
  signOut: 'It has no sign-out.',
  limits: ['It reads claims from the ID token, unless `getUserInfo` is true.'],
  version: { number: '2026-08', from: 'trial' },
  test: null,
  documents: 'https://dexidp.io/docs/connectors/oidc/',
}

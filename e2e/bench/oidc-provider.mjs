/**
 * A server of node-oidc-provider with the clients and users of the benchmark, and with all data in memory. `peer.ts` installs the
 * package in a separate folder and starts it.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { folder, packageName, port, clients, users, api } = JSON.parse(process.env.PEER_SETTINGS ?? '')
const require = createRequire(join(folder, 'package.json'))
const { default: Provider } = await import(pathToFileURL(require.resolve(packageName)).href)

const issuer = `http://localhost:${port}`
/** Resources by client. An access token for a resource is a JWT; without a resource it is opaque. */
const resources = new Map(clients.map(client => [client.client_id, resourceOf(client)]))

const provider = new Provider(issuer, {
  adapter: createMemoryAdapter(),
  clients: [...clients.map(toMetadata), toMetadata({ client_id: api.name, client_secret: api.secret })],
  jwks: { keys: [newKey('RS256'), newKey('ES256')] },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  scopes: ['openid', 'offline_access', 'api'],
  claims: { openid: ['sub'], profile: ['name', 'given_name', 'family_name'] },
  pkce: { required: () => true },
  routes: {
    authorization: '/connect/authorize',
    token: '/connect/token',
    userinfo: '/connect/userinfo',
    introspection: '/connect/introspect',
    jwks: '/.well-known/jwks',
  },
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 60,
    ClientCredentials: 3600,
    Grant: 2_592_000,
    IdToken: 300,
    Interaction: 3600,
    RefreshToken: 2_592_000,
    Session: 36_000,
  },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_context, client) => resources.get(client.clientId),
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => ({
        scope: 'api',
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3600,
        jwt: { sign: { alg: resource.slice(resource.lastIndexOf('/') + 1) } },
      }),
    },
  },
  findAccount: (_context, sub) => {
    const user = users.find(each => each.sub === sub)
    return user && { accountId: sub, claims: () => ({ sub, ...user.claims }) }
  },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  issueRefreshToken: () => true,
  rotateRefreshToken: () => true,
  expiresWithSession: () => false,
  loadExistingGrant,
})
provider.proxy = true

const respond = provider.callback()
createServer((request, response) =>
  request.url?.startsWith('/interaction/') ? signIn(request, response) : respond(request, response),
).listen(port, 'localhost', () => process.send?.('ready'))

/** Signs in the user of `login_hint` without a password, because the sign-in is not compared. */
async function signIn(request, response) {
  const { params } = await provider.interactionDetails(request, response)
  await provider.interactionFinished(request, response, { login: { accountId: params.login_hint } })
}

/** Grants every request, because the clients need no consent. */
async function loadExistingGrant({ oidc: { session, client } }) {
  const known = session.grantIdFor(client.clientId)
  if (known !== undefined) return provider.Grant.find(known)
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid profile offline_access api')
  const resource = resources.get(client.clientId)
  if (resource !== undefined) grant.addResourceScope(resource, 'api')
  await grant.save()
  return grant
}

function resourceOf(client) {
  if (client.access_token_type === 'reference') return undefined
  return `${issuer}/api/${client.access_token_signed_response_alg ?? 'ES256'}`
}

function toMetadata(client) {
  const { client_id, client_secret, grant_types = [], redirect_uris = [], response_types = [] } = client
  return {
    client_id,
    client_secret,
    grant_types,
    redirect_uris,
    response_types,
    token_endpoint_auth_method: 'client_secret_basic',
    id_token_signed_response_alg: 'RS256',
  }
}

function newKey(alg) {
  const { privateKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg, use: 'sig', kid: alg }
}

/**
 * Stores objects in memory. NOTE: the package's own adapter keeps only the latest 1,000 objects, and each new object of a grant
 * costs time for every earlier one of that grant.
 */
function createMemoryAdapter() {
  const ofGrants = new Map()
  const sessionIds = new Map()

  return class {
    /** Objects in the order of their expiry, because all of one kind are valid for the same time. */
    objects = new Map()

    async upsert(id, payload, expiresIn) {
      const now = Date.now()
      for (const [oldest, { expiresAt }] of this.objects) {
        if (expiresAt > now) break
        await this.destroy(oldest)
      }
      this.objects.delete(id)
      this.objects.set(id, { payload, expiresAt: now + (expiresIn ?? Number.POSITIVE_INFINITY) * 1000 })
      if (payload.kind === 'Session') sessionIds.set(payload.uid, id)
      const { grantId } = payload
      if (grantId === undefined) return
      if (!ofGrants.has(grantId)) ofGrants.set(grantId, new Map())
      ofGrants.get(grantId).set(id, this)
    }

    async find(id) {
      const found = this.objects.get(id)
      return found !== undefined && found.expiresAt > Date.now() ? found.payload : undefined
    }

    async findByUid(uid) {
      return this.find(sessionIds.get(uid))
    }

    async consume(id) {
      const found = this.objects.get(id)
      if (found !== undefined) found.payload.consumed = Math.floor(Date.now() / 1000)
    }

    async destroy(id) {
      const { payload } = this.objects.get(id) ?? {}
      this.objects.delete(id)
      if (payload?.grantId !== undefined) ofGrants.get(payload.grantId)?.delete(id)
    }

    async revokeByGrantId(grantId) {
      for (const [id, adapter] of ofGrants.get(grantId) ?? []) adapter.objects.delete(id)
      ofGrants.delete(grantId)
    }
  }
}

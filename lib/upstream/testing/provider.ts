/** An OpenID provider over loopback HTTP that can return faulty responses, for tests. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'

type Json = Readonly<Record<string, unknown>>
type Answer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}
type Endpoint = 'discovery' | 'jwks' | 'token' | 'userinfo' | 'emails'

/** Changes to the responses of the provider. Without a field, that part of the responses is correct. */
export type Faults = {
  readonly metadata?: (honest: Json) => Json
  readonly claims?: (honest: Json) => Json
  readonly header?: Json
  /** Replaces the creation of the ID token. */
  readonly idToken?: (claims: Json) => Promise<string | undefined> | string | undefined
  readonly userinfo?: Json
  readonly emails?: readonly Json[]
  readonly keys?: readonly Json[]
  readonly answers?: Partial<Record<Endpoint, Answer>>
}

export const testProviderClient = { clientId: 'latchkey', clientSecret: 'upstream secret' } as const
export const testProviderUser = {
  sub: 'upstream-1',
  name: 'Upstream Una',
  email: 'una@partner.example',
} as const

async function newKey(kid: string): Promise<readonly [CryptoKey, Json]> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return [privateKey, { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }]
}

export async function startTestProvider(): Promise<TestProvider> {
  const provider = new TestProvider(...(await newKey('k1')))
  await provider.listen()
  return provider
}

export class TestProvider {
  issuer = ''
  faults: Faults = {}
  now = new Date()
  /** The number of requests to each endpoint. */
  readonly calls: Record<Endpoint, number> = { discovery: 0, jwks: 0, token: 0, userinfo: 0, emails: 0 }
  lastTokenRequest = { authorization: '', form: new URLSearchParams() }
  /** The headers of the latest request for the user. */
  lastUserRequest: Readonly<Record<string, unknown>> = {}
  #privateKey: CryptoKey
  #publicJwk: Json
  readonly #codes = new Map<string, URLSearchParams>()
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  constructor(privateKey: CryptoKey, publicJwk: Json) {
    this.#privateKey = privateKey
    this.#publicJwk = publicJwk
  }

  async listen(): Promise<void> {
    await new Promise<void>(listening => this.#server.listen(0, '127.0.0.1', listening))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the test provider has no port')
    this.issuer = `http://127.0.0.1:${address.port}`
  }

  /** Creates a key. From then on only this key signs and is published. */
  async rotateKey(kid: string): Promise<void> {
    const [privateKey, publicJwk] = await newKey(kid)
    this.#privateKey = privateKey
    this.#publicJwk = publicJwk
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Simulates a user who signs in: reads the authorization URL and returns the parameters of the callback. */
  approve(authorizationUrl: string): Readonly<Record<string, string>> {
    const asked = new URL(authorizationUrl).searchParams
    const code = `upstream-code-${this.calls.token}-${this.#codes.size}`
    this.#codes.set(code, asked)
    return { code, state: asked.get('state') ?? '' }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = endpointOf(request.url ?? '')
    this.calls[endpoint] += 1
    if (endpoint === 'userinfo') this.lastUserRequest = request.headers
    const { status, headers, body } =
      this.faults.answers?.[endpoint] ?? (await this.#honest(endpoint, request))
    response.writeHead(status ?? 200, { 'content-type': 'application/json', ...headers }).end(body)
  }

  async #honest(endpoint: Endpoint, request: IncomingMessage): Promise<Answer> {
    switch (endpoint) {
      case 'discovery':
        return json(this.#metadata())
      case 'jwks':
        return json({ keys: this.faults.keys ?? [this.#publicJwk] })
      case 'token':
        return this.#token(request)
      case 'userinfo':
        return json(this.faults.userinfo ?? testProviderUser)
      case 'emails':
        return json(this.faults.emails ?? [])
    }
  }

  #metadata(): Json {
    const { issuer } = this
    const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
    const honest = { issuer, ...endpoints, jwks_uri: `${issuer}/jwks` }
    return this.faults.metadata?.(honest) ?? honest
  }

  async #token(request: IncomingMessage): Promise<Answer> {
    const form = new URLSearchParams(await readText(request))
    this.lastTokenRequest = { authorization: request.headers.authorization ?? '', form }
    const code = form.get('code') ?? ''
    const asked = this.#codes.get(code)
    if (asked === undefined || !provesKey(form, asked)) return json({ error: 'invalid_grant' }, 400)
    this.#codes.delete(code)
    const idToken = await this.#idToken(asked)
    return json({ access_token: 'upstream-access', token_type: 'Bearer', id_token: idToken })
  }

  async #idToken(asked: URLSearchParams): Promise<string | undefined> {
    const iat = Math.floor(this.now.getTime() / 1000)
    const about = {
      iss: this.issuer,
      aud: asked.get('client_id'),
      nonce: asked.get('nonce'),
      iat,
      exp: iat + 300,
    }
    const honest: Json = { ...about, ...testProviderUser }
    const claims = this.faults.claims?.(honest) ?? honest
    if (this.faults.idToken !== undefined) return this.faults.idToken(claims)
    const header: JWTHeaderParameters = {
      alg: 'RS256',
      kid: String(this.#publicJwk.kid),
      ...this.faults.header,
    }
    return new SignJWT({ ...claims }).setProtectedHeader(header).sign(this.#privateKey)
  }
}

function endpointOf(url: string): Endpoint {
  if (url.endsWith('/.well-known/openid-configuration')) return 'discovery'
  if (url.startsWith('/jwks')) return 'jwks'
  if (url.endsWith('/user/emails')) return 'emails'
  return url.startsWith('/token') || url.endsWith('/access_token') ? 'token' : 'userinfo'
}

function provesKey(form: URLSearchParams, asked: URLSearchParams): boolean {
  const verifier = form.get('code_verifier')
  const challenge = verifier === null ? null : createHash('sha256').update(verifier).digest('base64url')
  return challenge === asked.get('code_challenge') && form.get('redirect_uri') === asked.get('redirect_uri')
}

function json(body: Json | readonly Json[], status = 200): Answer {
  return { status, body: JSON.stringify(body) }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

/** Checks responses of the compared servers. Each `expect` function throws if the response is wrong. */
import { type HttpResponse, headerValue } from './load-generator.ts'

type AccessToken =
  | { readonly format: 'jwt'; readonly algorithm: 'RS256' | 'ES256' }
  | { readonly format: 'opaque' }

export type TokenResponse = {
  readonly access_token: string
  readonly refresh_token?: string
  readonly id_token?: string
}

/**
 * Checks a response of the token endpoint: the kind of its access token, and that there are an ID token and a refresh token if,
 * and only if, `isFromUser`.
 */
export function expectTokens(
  response: HttpResponse,
  accessToken: AccessToken,
  { isFromUser }: { readonly isFromUser: boolean },
): TokenResponse {
  const tokens = expectJson(response)
  const { access_token: token, id_token: idToken, refresh_token: refreshToken } = tokens
  const isRight =
    tokens.token_type === 'Bearer' &&
    isAccessToken(token, accessToken) &&
    (isFromUser
      ? isJwt(idToken, 'RS256') && typeof refreshToken === 'string' && refreshToken.length >= 40
      : idToken === undefined && refreshToken === undefined)
  if (!isRight || typeof token !== 'string') return refuse('the wrong tokens', response)
  return { access_token: token, ...(typeof refreshToken === 'string' ? { refresh_token: refreshToken } : {}) }
}

/** Returns the code in a redirect to the client. */
export function expectCode(response: HttpResponse, redirectUri: string, state: string): string {
  const location = headerValue(response.head, 'location')
  if (location === null || !location.startsWith(`${redirectUri}?`)) {
    return refuse('no redirect to the client', response)
  }
  const parameters = new URLSearchParams(location.slice(redirectUri.length))
  const code = parameters.get('code')
  if (code === null || parameters.get('state') !== state) return refuse('no code', response)
  return code
}

/** Returns the address of a redirect within the server. */
export function expectRedirect(response: HttpResponse, path: string): string {
  const location = headerValue(response.head, 'location')
  const target = location?.replace(/^https?:\/\/[^/]+/, '') ?? ''
  return target.startsWith(path) ? target : refuse(`no redirect to ${path}`, response)
}

/** Checks a complete page with the sign-in form. */
export function expectSignInPage(response: HttpResponse): void {
  const { status, body } = response
  const isRight = status === 200 && body.includes('name="password"') && body.endsWith('</html>')
  if (!isRight) refuse('no sign-in page', response)
}

/** Checks a JSON object with status 200 and these members. */
export function expectMembers(response: HttpResponse, members: Readonly<Record<string, unknown>>): void {
  const object = expectJson(response)
  const wrong = Object.entries(members).filter(([name, value]) => object[name] !== value)
  if (wrong.length > 0) refuse(`a wrong ${wrong[0]?.[0]}`, response)
}

/** Checks a key set, which must have an RSA key and an EC key. */
export function expectKeySet(response: HttpResponse): void {
  const { keys } = expectJson(response)
  const types = Array.isArray(keys) ? keys.map(key => key.kty) : []
  if (!types.includes('RSA') || !types.includes('EC')) refuse('no key set', response)
}

function expectJson(response: HttpResponse): Record<string, unknown> {
  if (response.status !== 200) return refuse('an error', response)
  return JSON.parse(response.body)
}

function isAccessToken(token: unknown, expected: AccessToken): boolean {
  if (expected.format === 'jwt') return isJwt(token, expected.algorithm)
  return typeof token === 'string' && token.length >= 40 && !token.includes('.eyJ')
}

/** The lengths of signatures by algorithm, in base64url characters. RSA keys have 2048 or 3072 bits. */
const signatureLengths = { RS256: [342, 512], ES256: [86] } as const

function isJwt(token: unknown, algorithm: 'RS256' | 'ES256'): boolean {
  if (typeof token !== 'string') return false
  const [header = '', , signature = ''] = token.split('.')
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString())
  return alg === algorithm && signatureLengths[algorithm].some(length => length === signature.length)
}

function refuse(problem: string, { head, body }: HttpResponse): never {
  throw new Error(`The server answered with ${problem}:\n${head}\n\n${body.slice(0, 1000)}`)
}

/**
 * The initial state for tests of the token endpoint and related endpoints: a client with a secret, the user Alice, and
 * functions that issue and redeem codes.
 */
import assert from 'node:assert/strict'
import type { AuthorizationCode, Grant, RefreshToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { parseHandle, scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import type { TokenResponse } from '../token/issue-tokens.ts'
import type { TokenOutcome } from '../token/token.ts'
import { answerTokenRequest } from '../token/token.ts'
import { context, openTestPorts, type TestPorts } from './ports.ts'

export const secret = 'a secret that is hard to guess'
export const redirectUri = 'https://app.example/callback'

export type TestFlow = TestPorts & {
  readonly client: Client
  /** Sends a request to the token endpoint as the client `web`, or as the named client. */
  readonly ask: (parameters: Readonly<Record<string, string>>, clientId?: string) => Promise<TokenOutcome>
  readonly issueCode: (changes?: CodeChanges) => Promise<string>
  /** Redeems a fresh code and returns its tokens. */
  readonly tokens: (changes?: CodeChanges) => Promise<IssuedTokens>
  /** Runs `act` while a custom user service reports every user as inactive. */
  readonly whileAway: <T>(act: () => Promise<T>) => Promise<T>
}

export type CodeChanges = Partial<Pick<AuthorizationCode, 'codeChallenge' | 'nonce'>> & {
  readonly client?: Client
  readonly scope?: string
  readonly grant?: Partial<Grant>
}

export type IssuedTokens = { readonly access: string; readonly refresh: string; readonly identity: string }

export async function openTestFlow(replaced: Partial<Ports> = {}): Promise<TestFlow> {
  const test = await openTestPorts(replaced)
  const client = await test.addClient({}, secret)
  await test.addUser('alice', { password: 'alice opens doors', claims: aliceClaims })
  const ask: TestFlow['ask'] = (parameters, clientId = 'web') =>
    answerTokenRequest(
      test.ports,
      {
        parameters: parametersFrom({ client_id: clientId, client_secret: secret, ...parameters }),
        authorization: null,
      },
      context,
    )
  const issueCode: TestFlow['issueCode'] = changes => storeCode(test, { client, ...changes })
  const tokens: TestFlow['tokens'] = async changes => {
    const code = await issueCode(changes)
    return readTokens(issued(await ask(redemption(code), changes?.client?.clientId)))
  }
  const whileAway: TestFlow['whileAway'] = async act => {
    const { userService } = test.ports
    Object.assign(test.ports, { userService: { ...userService, isActive: async () => false } })
    return act().finally(() => Object.assign(test.ports, { userService }))
  }
  return { ...test, client, ask, issueCode, tokens, whileAway }
}

export const aliceClaims = {
  name: 'Alice Liddell',
  given_name: 'Alice',
  family_name: '',
  role: 'reader',
  email: 'alice@example.org',
}

export function redemption(
  code: string,
  changes: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...changes }
}

export function refreshing(
  refreshToken: string,
  changes: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return { grant_type: 'refresh_token', refresh_token: refreshToken, ...changes }
}

/** Returns the token response; asserts that there is one. */
export function issued(outcome: TokenOutcome): TokenResponse {
  assert.equal(outcome.kind, 'issued', JSON.stringify(outcome))
  assert.ok(outcome.kind === 'issued')
  return outcome.response
}

/** Returns the error code; asserts that there is one, and that its description may be sent. */
export function refusedCode(outcome: { readonly kind: string } | TokenOutcome): string {
  assert.ok('refusal' in outcome, JSON.stringify(outcome))
  assert.match(outcome.refusal.description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  return outcome.refusal.code
}

export function readTokens(response: TokenResponse): IssuedTokens {
  return {
    access: String(response.access_token),
    refresh: String(response.refresh_token),
    identity: String(response.id_token),
  }
}

/** Finds the stored refresh token. */
export async function findRefreshToken(
  { hashing, refreshTokens }: Ports,
  value: string,
): Promise<RefreshToken | null> {
  const handle = parseHandle('refreshToken', value)
  return handle && refreshTokens.find(hashing.tokenDigest(handle))
}

/** Returns the header and payload of a JWT without verifying it. */
export function decodeJwt(jwt: string) {
  const [header = '', payload = ''] = jwt.split('.')
  const read = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: read(header), payload: read(payload) }
}

async function storeCode(
  { ports, openSession }: TestPorts,
  changes: CodeChanges & { readonly client: Client },
): Promise<string> {
  const { client, scope = 'openid profile api offline_access', grant: facts, ...binding } = changes
  const { sessionId } = await openSession('alice')
  const grant = { ...makeGrant(ports, client, scope), sessionId, ...facts }
  const code = ports.random.handle('code')
  const opening = await ports.codes.issue(
    {
      digest: ports.hashing.digest(code),
      grantId: grant.id,
      clientId: client.clientId,
      redirectUri,
      nonce: null,
      codeChallenge: null,
      expiresAt: new Date(grant.createdAt.getTime() + client.authorizationCodeLifetimeSeconds * 1000),
      usedAt: null,
      failedAttempts: 0,
      ...binding,
    },
    grant,
  )
  assert.equal(opening, 'opened')
  return code
}

function makeGrant(ports: Ports, client: Client, scope: string): Grant {
  const now = ports.clock.now()
  const scopes = scope.split(' ').map(name => scopeNameSchema.parse(name))
  return {
    id: ports.random.grantId(),
    clientId: client.clientId,
    subject: subjectIdSchema.parse('alice'),
    idp: localProvider,
    amr: ['pwd'],
    acr: null,
    authenticatedAt: now,
    sessionId: null,
    scopes,
    isOffline: scopes.includes(offlineScope),
    createdAt: now,
    // The grant expires as soon as the code, so that tests see what extends the grant
    expiresAt: new Date(now.getTime() + client.authorizationCodeLifetimeSeconds * 1000),
    revokedAt: null,
  }
}

/** What in a provider's metadata will keep people from signing in, and what is only worth knowing. */
import type { AuthorizationServer } from 'oauth4webapi'
import type { ProviderPreview } from '#lib/ports/upstream.ts'
import type { Network } from './request-options.ts'

type Problem = Extract<ProviderPreview, { kind: 'found' }>['problems'][number]

/** Signatures that are verified here; `none` and those with a shared secret are not. */
const verified = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/
const spoken = ['client_secret_basic', 'client_secret_post', 'none']

export function previewProblems(
  server: AuthorizationServer,
  issuer: string,
  { allowLoopback }: Network,
): readonly Problem[] {
  return [
    ...endpointProblems(server, { ports: ['', new URL(issuer).port], allowLoopback }),
    fatal(lacks(server.response_types_supported, 'code'), 'It does not offer the authorization code flow.'),
    fatal(
      server.id_token_signing_alg_values_supported?.some(name => verified.test(name)) === false,
      'Its ID token signatures are not supported: a public-key signature is required.',
    ),
    fatal(
      server.token_endpoint_auth_methods_supported?.some(name => spoken.includes(name)) === false,
      'It accepts client secrets neither by Basic nor in the body.',
    ),
    note(
      lacks(server.code_challenge_methods_supported, 'S256'),
      'It does not announce PKCE with S256. It is sent all the same, and most ignore what they do not know.',
    ),
    ...['openid', 'profile', 'email'].map(scope =>
      note(
        lacks(server.scopes_supported, scope),
        `It does not announce the scope "${scope}", which every sign-in asks for.`,
      ),
    ),
    note(
      server.userinfo_endpoint === undefined,
      'It has no userinfo endpoint: claims come only from its ID token.',
    ),
  ].filter(problem => problem !== null)
}

type Reach = { readonly ports: readonly string[]; readonly allowLoopback: boolean }

function endpointProblems(server: AuthorizationServer, reach: Reach): ReadonlyArray<Problem | null> {
  const called = [
    ['authorization endpoint', server.authorization_endpoint],
    ['token endpoint', server.token_endpoint],
    ['key set', server.jwks_uri],
  ] as const
  return called.map(([name, address]) => {
    if (address === undefined) return fatal(true, `It names no ${name}.`)
    return fatal(!isCallable(address, reach), `Its ${name} is at an address that is never called from here.`)
  })
}

function isCallable(address: string, { ports, allowLoopback }: Reach): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  if (url.protocol === 'http:') return allowLoopback
  return url.protocol === 'https:' && (allowLoopback || ports.includes(url.port))
}

/** A list that is absent says nothing. */
function lacks(list: readonly unknown[] | undefined, entry: string): boolean {
  return Array.isArray(list) && !list.includes(entry)
}

function fatal(isSo: boolean, sentence: string): Problem | null {
  return isSo ? { sentence, isFatal: true } : null
}

function note(isSo: boolean, sentence: string): Problem | null {
  return isSo ? { sentence, isFatal: false } : null
}

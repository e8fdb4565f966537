/** Code snippets for Next.js, with Auth.js and without it. The tests run both unchanged. */
import {
  envValue,
  literal,
  overHttp,
  registering,
  type SnippetMaker,
  type SnippetValues,
  secretLine,
  secretValue,
} from './snippet.ts'

export const nextAuth: SnippetMaker = {
  id: 'next-authjs',
  title: 'Next.js with Auth.js',
  kinds: ['web'],
  make: values => ({
    steps: [
      'npm install next-auth@beta',
      ...registering(values, '/api/auth/callback/latchkey'),
      'npx auth secret',
      ...starting(values),
    ],
    files: [
      {
        path: '.env.local',
        content: `${[
          `AUTH_URL=${envValue(new URL(values.redirectUri).origin)}`,
          `LATCHKEY_CLIENT_ID=${envValue(values.clientId)}`,
          'LATCHKEY_CLIENT_SECRET=',
        ].join('\n')}\n`,
      },
      {
        path: 'auth.ts',
        content: `import NextAuth from 'next-auth'

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'latchkey',
      name: 'Latchkey',
      type: 'oidc',
      issuer: ${literal(values.issuer)},
      clientId: process.env.LATCHKEY_CLIENT_ID,
      clientSecret: process.env.LATCHKEY_CLIENT_SECRET,
      authorization: { params: { scope: ${literal(values.scopes.join(' '))} } },
      checks: ['pkce', 'state', 'nonce'],
      // Name and email address come from userinfo
      idToken: false,
    },
  ],
})
`,
      },
      {
        path: 'app/api/auth/[...nextauth]/route.ts',
        content: `import { handlers } from '@/auth'

export const { GET, POST } = handlers
`,
      },
    ],
  }),
}

export const nextPlain: SnippetMaker = {
  id: 'next',
  title: 'Next.js, plain',
  kinds: ['web'],
  make: values => ({
    steps: ['npm install openid-client', ...starting(values)],
    files: [
      { path: '.env.local', content: `${secretLine(values).join('\n')}\n` },
      { path: 'lib/latchkey.mjs', content: nextLibrary(values) },
      { path: 'app/sign-in/route.mjs', content: nextSignIn(values) },
      { path: `app${new URL(values.redirectUri).pathname}/route.mjs`, content: nextCallback(values) },
    ],
  }),
}

function nextLibrary(values: SnippetValues): string {
  const options = overHttp(values, ', undefined, { execute: [client.allowInsecureRequests] }')
  return `import * as client from 'openid-client'

export const redirectUri = ${literal(values.redirectUri)}
const isSecure = redirectUri.startsWith('https:')

let known
export function configuration() {
  known ??= client.discovery(new URL(${literal(values.issuer)}), ${literal(values.clientId)}, ${secretValue(values)}${options})
  return known
}

/** Makes a cookie for a value that the callback needs. HttpOnly keeps it from scripts. */
export function cookie(name, value, seconds) {
  return \`\${name}=\${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=\${seconds}\${isSecure ? '; Secure' : ''}\`
}

export function readCookie(request, name) {
  const pair = (request.headers.get('cookie') ?? '').split('; ').find(it => it.startsWith(\`\${name}=\`))
  return pair?.slice(name.length + 1)
}
`
}

function nextSignIn({ scopes }: SnippetValues): string {
  return `import * as client from 'openid-client'
import { configuration, cookie, redirectUri } from '../../lib/latchkey.mjs'

export async function GET() {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const address = client.buildAuthorizationUrl(await configuration(), {
    redirect_uri: redirectUri,
    scope: ${literal(scopes.join(' '))},
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const headers = new Headers({ location: address.href })
  headers.append('set-cookie', cookie('sign_in', \`\${state}.\${verifier}\`, 600))
  return new Response(null, { status: 303, headers })
}
`
}

function nextCallback({ redirectUri }: SnippetValues): string {
  const up = '../'.repeat(new URL(redirectUri).pathname.split('/').length)
  return `import * as client from 'openid-client'
import { configuration, cookie, readCookie, redirectUri } from '${up}lib/latchkey.mjs'

export async function GET(request) {
  const [state, verifier] = (readCookie(request, 'sign_in') ?? '').split('.')
  const address = new URL(redirectUri)
  address.search = new URL(request.url).search
  const config = await configuration()
  const tokens = await client.authorizationCodeGrant(config, address, {
    expectedState: state,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const { sub } = tokens.claims()
  const { name } = await client.fetchUserInfo(config, tokens.access_token, sub)
  // The sign-in is complete: start your app's session and keep \`sub\` in it.
  return new Response(\`Hello \${name ?? sub}\`, { headers: { 'set-cookie': cookie('sign_in', '', 0) } })
}
`
}

/**
 * The command that starts Next on the port of the redirect URI; none for https, for the default port 3000, and for an address
 * without a port.
 */
function starting({ redirectUri }: SnippetValues): readonly string[] {
  const { protocol, port } = new URL(redirectUri)
  return protocol === 'https:' || port === '' || port === '3000' ? [] : [`npx next dev --port ${port}`]
}

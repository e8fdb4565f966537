/** Set-up for Next.js, Express and browser apps. The plain Next.js handlers are run by the tests as they stand here. */
import { envValue, literal, type SnippetMaker, type SnippetValues } from './snippet.ts'

const secretLine = (values: SnippetValues) => (values.hasSecret ? ['LATCHKEY_CLIENT_SECRET='] : [])
const secretValue = ({ hasSecret }: SnippetValues) =>
  hasSecret ? 'process.env.LATCHKEY_CLIENT_SECRET' : 'undefined'
/** Only for an issuer on this machine: libraries otherwise insist on https. */
const overHttp = ({ issuer }: SnippetValues, code: string) => (issuer.startsWith('http:') ? code : '')

export const nextAuth: SnippetMaker = {
  id: 'next-authjs',
  title: 'Next.js with Auth.js',
  kinds: ['web'],
  make: values => ({
    steps: [
      'npm install next-auth@beta',
      'npx auth secret',
      `Register ${new URL(values.redirectUri).origin}/api/auth/callback/latchkey as a redirect URI.`,
    ],
    files: [
      {
        path: '.env.local',
        content: `LATCHKEY_CLIENT_ID=${envValue(values.clientId)}\nLATCHKEY_CLIENT_SECRET=\n`,
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
    steps: ['npm install openid-client'],
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

/** What the callback must know again: only this browser has it, and no script of a page can read it. */
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
  const tokens = await client.authorizationCodeGrant(await configuration(), address, {
    expectedState: state,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const { sub, name } = tokens.claims()
  // From here on it is your app's session: keep \`sub\` in it.
  return new Response(\`Hello \${name ?? sub}\`, { headers: { 'set-cookie': cookie('sign_in', '', 0) } })
}
`
}

export const express: SnippetMaker = {
  id: 'express',
  title: 'Express',
  kinds: ['web'],
  make: values => ({
    steps: ['npm install express express-session openid-client', 'node --env-file=.env app.mjs'],
    files: [
      { path: '.env', content: `${[...secretLine(values), 'SESSION_SECRET='].join('\n')}\n` },
      { path: 'app.mjs', content: expressApp(values) },
    ],
  }),
}

function expressApp(values: SnippetValues): string {
  const { pathname, port } = new URL(values.redirectUri)
  const options = overHttp(values, ', undefined, { execute: [client.allowInsecureRequests] }')
  return `import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'

const redirectUri = ${literal(values.redirectUri)}
const config = await client.discovery(new URL(${literal(values.issuer)}), ${literal(values.clientId)}, ${secretValue(values)}${options})
const app = express()
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false }))

app.get('/', (request, response) => {
  response.send(request.session.sub === undefined ? '<a href="/sign-in">Sign in</a>' : \`Hello \${request.session.sub}\`)
})

app.get('/sign-in', async (request, response) => {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  request.session.signIn = { verifier, state }
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: ${literal(values.scopes.join(' '))},
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  response.redirect(303, address.href)
})

app.get(${literal(pathname)}, async (request, response) => {
  const { verifier, state } = request.session.signIn
  const address = new URL(request.originalUrl, redirectUri)
  const tokens = await client.authorizationCodeGrant(config, address, { pkceCodeVerifier: verifier, expectedState: state })
  const { sub } = tokens.claims()
  request.session.regenerate(() => {
    request.session.sub = sub
    response.redirect(303, '/')
  })
})

app.listen(${port === '' ? '3000' : port})
`
}

export const reactSpa: SnippetMaker = {
  id: 'react',
  title: 'React (oidc-client-ts)',
  kinds: ['spa', 'legacy'],
  make: ({ issuer, clientId, redirectUri, scopes }) => ({
    steps: [
      'npm install oidc-client-ts react-oidc-context',
      `Register ${new URL(redirectUri).origin} as a browser origin.`,
    ],
    files: [
      {
        path: 'src/main.jsx',
        content: `import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const settings = {
  authority: ${literal(issuer)},
  client_id: ${literal(clientId)},
  redirect_uri: ${literal(redirectUri)},
  scope: ${literal(scopes.join(' '))},
  onSigninCallback: () => history.replaceState({}, '', '/'),
}

function App() {
  const auth = useAuth()
  if (auth.isLoading) return <p>One moment …</p>
  if (auth.error) return <p>{auth.error.message}</p>
  if (!auth.isAuthenticated) return <button onClick={() => auth.signinRedirect()}>Sign in</button>
  return <p>Hello {auth.user.profile.name}</p>
}

createRoot(document.getElementById('root')).render(
  <AuthProvider {...settings}>
    <App />
  </AuthProvider>,
)
`,
      },
    ],
  }),
}

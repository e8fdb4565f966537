/** Code snippets for Express and for browser apps. */
import {
  literal,
  overHttp,
  type SnippetMaker,
  type SnippetValues,
  secretLine,
  secretValue,
} from './snippet.ts'

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
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false, cookie: { sameSite: 'lax' } }))

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
  if (request.session.signIn === undefined) return response.redirect(303, '/sign-in')
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
  kinds: ['spa'],
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
  // Name and email address come from userinfo
  loadUserInfo: true,
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

/** NOTE: maintained libraries have dropped the implicit flow, so this snippet names the old library that such apps use. */
export const implicitApp: SnippetMaker = {
  id: 'implicit',
  title: 'Browser app, implicit (oidc-client 1)',
  kinds: ['legacy'],
  make: ({ issuer, clientId, redirectUri, scopes }) => ({
    steps: ['npm install oidc-client@1', 'Move to a single-page app with a code and PKCE when you can.'],
    files: [
      {
        path: 'src/main.js',
        content: `import { UserManager } from 'oidc-client'

const users = new UserManager({
  authority: ${literal(issuer)},
  client_id: ${literal(clientId)},
  redirect_uri: ${literal(redirectUri)},
  response_type: ${literal(scopes.includes('openid') ? 'id_token token' : 'token')},
  scope: ${literal(scopes.join(' '))},
})

if (location.pathname === ${literal(new URL(redirectUri).pathname)} && location.hash !== '') {
  const { profile } = await users.signinRedirectCallback()
  document.body.textContent = \`Hello \${profile.name ?? profile.sub}\`
} else if ((await users.getUser()) === null) {
  await users.signinRedirect()
}
`,
      },
    ],
  }),
}

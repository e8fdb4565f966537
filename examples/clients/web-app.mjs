/**
 * A web app that signs users in with Latchkey: `node examples/clients/web-app.mjs [issuer]`, then http://localhost:8765.
 * It is the demo's client `demo-web`. One file, no framework; `sessions` contains what an app stores in its session.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const issuer = new URL(process.argv[2] ?? 'http://localhost:3000')
const home = 'http://localhost:8765'
const callback = `${home}/callback`

const config = await oidc
  .discovery(issuer, 'demo-web', 'demo-web-secret', undefined, {
    execute: [oidc.allowInsecureRequests], // plain http, for localhost only
  })
  .catch(error => {
    console.error(`No Latchkey answers at ${issuer.origin} (${error.message}); start it first.`)
    process.exit(1)
  })

/**
 * Sessions by the value of their cookie: first state, nonce and code verifier, later also the ID token and the claims of the
 * user.
 */
const sessions = new Map()
const pages = { '/': showHome, '/login': beginSignIn, '/callback': endSignIn, '/logout': signOut }

createServer(async (request, response) => {
  const url = new URL(request.url, home)
  const session = sessionOf(request, response)
  try {
    await (pages[url.pathname] ?? notFound)({ url, session, response })
  } catch (error) {
    sendPage(response, 400, `<h1>That did not work</h1><p>${asHtml(error.message)}</p><a href="/">Back</a>`)
  }
}).listen(8765, 'localhost', () => console.log(`Open ${home}`))

function showHome({ session, response }) {
  if (session.claims === undefined)
    return sendPage(response, 200, '<h1>Hello</h1><a href="/login">Sign in</a>')
  const { name, preferred_username, sub } = session.claims
  const claims = asHtml(JSON.stringify(session.claims, null, 2))
  sendPage(
    response,
    200,
    `<h1>Hello ${asHtml(name ?? preferred_username ?? sub)}</h1><pre>${claims}</pre><a href="/logout">Sign out</a>`,
  )
}

/** State and code verifier bind the response to this browser and this request. */
async function beginSignIn({ session, response }) {
  session.state = oidc.randomState()
  session.nonce = oidc.randomNonce()
  session.codeVerifier = oidc.randomPKCECodeVerifier()
  const target = oidc.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid profile email',
    state: session.state,
    nonce: session.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(session.codeVerifier),
    code_challenge_method: 'S256',
  })
  sendTo(response, target.href)
}

async function endSignIn({ url, session, response }) {
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    expectedState: session.state,
    expectedNonce: session.nonce,
    pkceCodeVerifier: session.codeVerifier,
  })
  session.idToken = tokens.id_token
  session.claims = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  sendTo(response, '/')
}

function signOut({ session, response }) {
  const target = oidc.buildEndSessionUrl(config, {
    id_token_hint: session.idToken ?? '',
    post_logout_redirect_uri: `${home}/`,
  })
  for (const name of Object.keys(session)) delete session[name]
  sendTo(response, target.href)
}

function notFound({ response }) {
  sendPage(response, 404, '<h1>Nothing here</h1>')
}

function sessionOf(request, response) {
  const known = /(?:^|; )app_session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  if (sessions.has(known)) return sessions.get(known)
  const id = randomUUID()
  sessions.set(id, {})
  response.setHeader('set-cookie', `app_session=${id}; Path=/; HttpOnly; SameSite=Lax`)
  return sessions.get(id)
}

function sendTo(response, location) {
  response.writeHead(303, { location }).end()
}

function sendPage(response, status, body) {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(status, headers).end(`<!doctype html><title>Example app</title>${body}`)
}

function asHtml(text) {
  return String(text).replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
}

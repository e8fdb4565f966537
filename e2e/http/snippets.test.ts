/**
 * Runs the code that the dashboard offers to developers, unchanged, with clients that the dashboard created: Next.js, without and
 * with Auth.js (`next-auth` is installed only for this), Go, and curl.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import type { Api } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { findGo, resolveLikeNext, writeSnippet } from '../fixtures/dashboard/snippets.ts'
import { allowEverything } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { alice } from '../fixtures/server/configuration.ts'

const redirectUri = 'http://localhost:8765/callback'
let api: Api
const staffed = sharedStaff(({ apis }) => {
  api = apis.owner
})

/** Creates a client and returns the values for its snippets, and its secret. */
async function newClient(kind: 'web' | 'machine', metadata: Readonly<Record<string, unknown>>) {
  const body = { kind, metadata: { client_name: 'Snippets', ...metadata } }
  const made = (await api.call('POST', '/clients', { body })).json()
  const clientId = String(made.client_id)
  return {
    values: { issuer: staffed.issuer, clientId, hasSecret: true },
    secret: { LATCHKEY_CLIENT_SECRET: String(made.client_secret) },
  }
}

async function newWebApp(redirectUri: string) {
  const scopes = ['openid', 'profile']
  const made = await newClient('web', { redirect_uris: [redirectUri], scope: scopes.join(' ') })
  return { ...made, values: { ...made.values, kind: 'web', redirectUri, scopes } as const }
}

/** Signs alice in for an app and gives consent. Returns the address to which she is redirected. */
async function aliceComesBack(departure: string): Promise<URL> {
  const { origin } = new URL(departure)
  const browser = newBrowser(origin)
  const login = await browser.follow(departure.slice(origin.length))
  const consent = await browser.submit(login, { username: alice.username, password: alice.password })
  const back = await browser.submit(consent, allowEverything(consent))
  if (back.location === null) throw new Error(`alice stayed at ${back.target}`)
  return back.location
}

test('the Next.js snippet signs a user in', async t => {
  const { values, secret } = await newWebApp(redirectUri)
  const { file, remove } = writeSnippet('next', values)
  t.after(remove)
  Object.assign(process.env, secret)
  const { GET: signIn } = await import(pathToFileURL(file('app/sign-in/route.mjs')).href)
  const { GET: callback } = await import(pathToFileURL(file('app/callback/route.mjs')).href)
  const leaving: Response = await signIn()
  assert.equal(leaving.status, 303)
  const back = await aliceComesBack(leaving.headers.get('location') ?? '')
  const cookie = leaving.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const arrival: Response = await callback(new Request(back, { headers: { cookie } }))
  assert.match(await arrival.text(), /^Hello Alice/)
})

/** A browser with its cookies, for an app whose handlers are called directly. */
function browserOf(t: TestContext, handlers: Handlers, makeRequest: MakeRequest) {
  const jar = new Map<string, string>()
  t.after(() => jar.clear())
  return async (method: 'GET' | 'POST', address: string, body?: URLSearchParams): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await handlers[method](
      makeRequest(address, { method, headers: { cookie }, body: body ?? null }),
    )
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return answer
  }
}

type Sent = { method: string; headers: { cookie: string }; body: URLSearchParams | null }
type MakeRequest = (address: string, sent: Sent) => Request
type Handlers = Readonly<Record<'GET' | 'POST', (request: Request) => Promise<Response>>>

test('the Auth.js snippet signs a user in and creates a session', async t => {
  const origin = 'http://localhost:8766'
  const redirectUri = `${origin}/api/auth/callback/latchkey`
  const { values, secret } = await newWebApp(redirectUri)
  const { folder, file, remove } = writeSnippet('next-authjs', values)
  t.after(remove)
  const names = resolveLikeNext(folder)
  t.after(names.remove)
  const given = { AUTH_SECRET: 'what npx auth secret writes', ...secret }
  const environment = { ...parseEnv(readFileSync(file('.env.local'), 'utf8')), ...given }
  Object.assign(process.env, environment)
  const { NextRequest } = await import('next/server.js')
  const { GET, POST } = await import(pathToFileURL(file('app/api/auth/[...nextauth]/route.ts')).href)
  const ask = browserOf(t, { GET, POST }, (address, sent) => new NextRequest(address, sent))

  const { csrfToken } = await (await ask('GET', `${origin}/api/auth/csrf`)).json()
  const form = new URLSearchParams({ csrfToken, callbackUrl: `${origin}/` })
  const leaving = await ask('POST', `${origin}/api/auth/signin/latchkey`, form)
  const departure = new URL(leaving.headers.get('location') ?? '')
  assert.equal(departure.searchParams.get('code_challenge_method'), 'S256')
  const arrival = await ask('GET', (await aliceComesBack(departure.href)).href)
  assert.deepEqual([arrival.status, arrival.headers.get('location')], [302, `${origin}/`])
  const session = await (await ask('GET', `${origin}/api/auth/session`)).json()
  assert.equal(session.user.name, 'Alice Liddell')
})

const goCache = resolve(import.meta.dirname, '../../.latchkey/go-cache')

test('the Go snippet signs a user in', async t => {
  const { values, secret } = await newWebApp(redirectUri)
  const { folder, remove } = writeSnippet('go', values)
  t.after(remove)
  const environment = {
    ...process.env,
    ...secret,
    GO111MODULE: 'off',
    GOFLAGS: '',
    CGO_ENABLED: '0',
    GOCACHE: goCache,
  }
  // Optimization is off, which makes compiling fast: Go's own library is compiled with the program
  const quickly = ['-gcflags=all=-N -l', '-ldflags=-s -w']
  const built = spawnSync(findGo(), ['build', ...quickly, '-o', 'app', 'main.go'], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  })
  assert.equal(built.status, 0, built.stderr)
  const app = spawn(`${folder}/app`, [], { env: environment, stdio: 'inherit' })
  t.after(async () => {
    app.kill()
    await once(app, 'exit')
  })
  const leaving = await answering('http://localhost:8765/')
  const back = await aliceComesBack(leaving.headers.get('location') ?? '')
  const arrival = await fetch(back)
  assert.match(await arrival.text(), /signed in; scope: openid profile/)
})

test('the curl snippets sign a user in and request a machine token', async t => {
  const { values, secret } = await newWebApp(redirectUri)
  const { folder, remove } = writeSnippet('curl', values)
  t.after(remove)
  const run = (...given: readonly string[]) => runScript(folder, secret, given)
  const back = await aliceComesBack(run())
  assert.ok('id_token' in JSON.parse(run(back.searchParams.get('code') ?? '')))

  const machine = await newClient('machine', { scope: 'api' })
  const asking = { ...machine.values, kind: 'machine', redirectUri, scopes: ['api'] } as const
  const written = writeSnippet('curl', asking)
  t.after(written.remove)
  assert.equal(JSON.parse(runScript(written.folder, machine.secret)).scope, 'api')
})

function runScript(
  folder: string,
  secret: Readonly<Record<string, string>>,
  given: readonly string[] = [],
): string {
  const environment = { ...process.env, ...secret }
  const run = spawnSync('sh', ['sign-in.sh', ...given], { cwd: folder, env: environment, encoding: 'utf8' })
  assert.equal(run.status, 0, run.stderr)
  return run.stdout.trim()
}

/** Waits for the first response of an app that is starting. */
async function answering(address: string): Promise<Response> {
  for (let round = 0; round < 100; round += 1) {
    const answer = await fetch(address, { redirect: 'manual' }).catch(() => null)
    if (answer !== null) return answer
    await delay(50)
  }
  throw new Error(`no response from ${address}`)
}

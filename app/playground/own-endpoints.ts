/** The playground as a client: it calls our endpoints over HTTP, as any app would. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { PlaygroundApp } from './playground-app.ts'

/** What was asked and what came back. Credentials are named in `request`, not shown. */
export type Call = { readonly request: string; readonly status: number; readonly body: JsonValue }

type Form = Readonly<Record<string, string>>
type Shown = { readonly path: string; readonly lines: readonly string[] }

const deadlineMs = 10_000

/** RFC 6749 3.2. */
export function callTokenEndpoint(issuer: string, app: PlaygroundApp, form: Form): Promise<Call> {
  return postAsApp(issuer, '/connect/token', app, form)
}

/** RFC 7009. */
export function callRevocation(issuer: string, app: PlaygroundApp, token: string): Promise<Call> {
  return postAsApp(issuer, '/connect/revocation', app, { token })
}

/** RFC 7662. For confidential clients only. */
export function callIntrospection(issuer: string, app: PlaygroundApp, token: string): Promise<Call> {
  return postAsApp(issuer, '/connect/introspect', app, { token })
}

export function callUserinfo(issuer: string, accessToken: string): Promise<Call> {
  const shown = { path: '/connect/userinfo', lines: ['Authorization: Bearer <access_token>'] }
  return call(issuer, shown, { headers: { authorization: `Bearer ${accessToken}` } })
}

export function callValidation(issuer: string, accessToken: string): Promise<Call> {
  const shown = { path: '/connect/accesstokenvalidation', lines: ['', 'token=<access_token>'] }
  return call(issuer, shown, { method: 'POST', body: new URLSearchParams({ token: accessToken }) })
}

/** RFC 6749 2.3.1: Basic authentication for a client with a secret, otherwise the client_id in the form. */
function postAsApp(issuer: string, path: string, app: PlaygroundApp, form: Form): Promise<Call> {
  const { clientId, clientSecret } = app
  const line = Object.keys(form).map(name => `${name}=<${name}>`)
  if (clientSecret === null) {
    const body = new URLSearchParams({ client_id: clientId, ...form })
    const lines = ['', [`client_id=${clientId}`, ...line].join('&')]
    return call(issuer, { path, lines }, { method: 'POST', body })
  }
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const lines = [`Authorization: Basic <${clientId}:secret>`, '', line.join('&')]
  return call(
    issuer,
    { path, lines },
    { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) },
  )
}

async function call(issuer: string, { path, lines }: Shown, request: RequestInit): Promise<Call> {
  const response = await fetch(issuer + path, {
    ...request,
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
  })
  const text = await response.text()
  return {
    request: [`${request.method ?? 'GET'} ${path}`, ...lines].join('\n'),
    status: response.status,
    body: text === '' ? null : JSON.parse(text),
  }
}

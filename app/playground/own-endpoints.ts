/** Calls endpoints of this server over HTTP, as any app does. */

import { z } from 'zod'
import { credentialsOf } from '#lib/admin/flow-runs/flows.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import type { Caller } from './clients.ts'

/** A request and its response. `request` names credentials instead of containing them. */
export type Call = { readonly request: string; readonly status: number; readonly body: JsonValue }

type Form = Readonly<Record<string, string>>
type Shown = { readonly path: string; readonly lines: readonly string[] }
const deadlineMs = 10_000

/** The tokens of a token response (RFC 6749 5.1), or of an authorization response. */
export const tokensSchema = z.object({
  access_token: z.string().optional(),
  id_token: z.string().optional(),
  refresh_token: z.string().optional(),
})

export type Tokens = z.infer<typeof tokensSchema>

const errorSchema = z.object({ error: z.string(), error_description: z.string().optional() })

/** The error of an authorization or token response, with its description; `no_tokens` if the response has no error. */
export function errorIn(body: unknown): string {
  const parsed = errorSchema.safeParse(body)
  if (!parsed.success) return 'no_tokens'
  const { error, error_description: description } = parsed.data
  return description === undefined ? error : `${error}: ${description}`
}

/** Requests tokens (RFC 6749 3.2). Returns the tokens, or the error of the response. */
export async function requestTokens(
  caller: Caller,
  form: Form,
): Promise<Tokens | { readonly error: string }> {
  const { status, body } = await postAsClient(caller, '/connect/token', form)
  const tokens = tokensSchema.safeParse(body)
  return status === 200 && tokens.success ? tokens.data : { error: errorIn(body) }
}

/** Revokes a token (RFC 7009). */
export function callRevocation(caller: Caller, token: string): Promise<Call> {
  return postAsClient(caller, '/connect/revocation', { token })
}

/** Introspects a token (RFC 7662), for confidential clients only. */
export function callIntrospection(caller: Caller, token: string): Promise<Call> {
  return postAsClient(caller, '/connect/introspect', { token })
}

export function callUserinfo(issuer: string, accessToken: string): Promise<Call> {
  const shown = { path: '/connect/userinfo', lines: ['Authorization: Bearer <access_token>'] }
  return call(issuer, shown, { headers: { authorization: `Bearer ${accessToken}` } })
}

export function callValidation(issuer: string, accessToken: string): Promise<Call> {
  const shown = { path: '/connect/accesstokenvalidation', lines: ['', 'token=<access_token>'] }
  return call(issuer, shown, { method: 'POST', body: new URLSearchParams({ token: accessToken }) })
}

/** Posts a form with the client's credentials (RFC 6749 2.3.1), by the method that the client registered. */
function postAsClient({ issuer, client, secret }: Caller, path: string, form: Form): Promise<Call> {
  const { authorization, fields } = credentialsOf(client, secret)
  const shownForm = Object.entries({ ...fields, ...form }).map(
    ([name, value]) => `${name}=${name === 'client_id' ? value : `<${name}>`}`,
  )
  const shownHeader = authorization === null ? [] : [`Authorization: Basic <${client.clientId}:secret>`]
  const shown = { path, lines: [...shownHeader, '', shownForm.join('&')] }
  const headers: HeadersInit = authorization === null ? {} : { authorization }
  return call(issuer, shown, { method: 'POST', headers, body: new URLSearchParams({ ...fields, ...form }) })
}

async function call(issuer: string, { path, lines }: Shown, request: RequestInit): Promise<Call> {
  const response = await fetch(ownUrl(issuer, path), {
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

/** The playground as a client: it calls our endpoints over HTTP, as any app would. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import { demoApp } from './demo-app.ts'

export type Answer = { readonly status: number; readonly body: JsonValue }

const deadlineMs = 10_000

/** RFC 6749 3.2, with Basic authentication. */
export function callTokenEndpoint(issuer: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  const credentials = Buffer.from(`${demoApp.clientId}:${demoApp.clientSecret}`).toString('base64')
  return call(`${issuer}/connect/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams(form),
  })
}

export function callUserinfo(issuer: string, accessToken: string): Promise<Answer> {
  return call(`${issuer}/connect/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })
}

export function callValidation(issuer: string, accessToken: string): Promise<Answer> {
  return call(`${issuer}/connect/accesstokenvalidation`, {
    method: 'POST',
    body: new URLSearchParams({ token: accessToken }),
  })
}

async function call(address: string, request: RequestInit): Promise<Answer> {
  const response = await fetch(address, {
    ...request,
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

/** Stores one run of the playground in cookies: the choices, the values to compare, and the tokens. */

import { z } from 'zod'
import { flows } from '#lib/admin/flow-runs/flows.ts'
import { readCookie } from '#lib/http/cookies.ts'
import { encodeForm } from '#lib/http/read-params.ts'
import { cookiePath } from '#lib/protocol/wire/own-addresses.ts'
import type { Services } from '#lib/server/services.ts'
import type { Tokens } from './own-endpoints.ts'

const choicesSchema = z.object({
  client: z.string(),
  flow: z.enum(flows),
  scopes: z.array(z.string()).readonly(),
  prompt: z.string(),
  acrValues: z.string().default(''),
  maxAge: z.string().default(''),
})

export type Choices = Readonly<z.infer<typeof choicesSchema>>

const runSchema = choicesSchema.extend({
  /** The secret that the user entered; `null` if none was needed, for a public client or a client of the demo. */
  secret: z.string().nullable(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
})

export type Run = z.infer<typeof runSchema>

const lifetimeSeconds = 3600
const runCookieName = 'latchkey_playground_run'
const sealedFor = 'cookie:playground:run'

export function newRun(choices: Choices & Pick<Run, 'secret'>, randomId: () => string): Run {
  // RFC 7636 4.1 requires at least 43 characters. Two IDs with 22 characters contain 256 random bits
  return { ...choices, state: randomId(), nonce: randomId(), verifier: randomId() + randomId() }
}

export function runCookie({ sealing }: Services, run: Run): string {
  return playgroundCookie(runCookieName, sealing.seal(JSON.stringify(run), sealedFor))
}

export function readRun({ sealing }: Services, request: Request): Run | null {
  const value = readPlaygroundCookie(request, runCookieName)
  if (value === '') return null
  try {
    return runSchema.parse(JSON.parse(sealing.open(value, sealedFor)))
  } catch {
    // For example, the cookie is from another installation, or was changed
    return null
  }
}

/** The address of the playground with these choices. */
export function playgroundPath(
  { client, flow, scopes, prompt, acrValues, maxAge }: Choices,
  error: string | null = null,
): string {
  const fields = [
    ['client', client],
    ['flow', flow],
    ...scopes.map(scope => ['scope', scope] as const),
    ['prompt', prompt],
    ...(acrValues === '' ? [] : [['acr_values', acrValues] as const]),
    ...(maxAge === '' ? [] : [['max_age', maxAge] as const]),
    ...(error === null ? [] : [['error', error] as const]),
  ] as const
  return `/playground?${encodeForm(fields)}`
}

const tokenNames = ['access_token', 'id_token', 'refresh_token'] as const

/** A cookie for each token, because all together are too large for one. */
export function tokenCookies(tokens: Tokens): readonly string[] {
  return tokenNames.map(name => playgroundCookie(`latchkey_playground_${name}`, tokens[name] ?? ''))
}

export function readTokens(request: Request): Tokens {
  const read = (name: string) => readPlaygroundCookie(request, `latchkey_playground_${name}`) || undefined
  return Object.fromEntries(tokenNames.map(name => [name, read(name)]))
}

/** The decoded value of a cookie; empty if it is missing or malformed. */
function readPlaygroundCookie(request: Request, name: string): string {
  try {
    return decodeURIComponent(readCookie(request.headers.get('cookie'), name) ?? '')
  } catch {
    return ''
  }
}

/** A cookie that only pages of the playground receive. The value may come from a posted form; an empty one deletes the cookie. */
function playgroundCookie(name: string, value: string): string {
  const maxAge = value === '' ? 0 : lifetimeSeconds
  return `${name}=${encodeURIComponent(value)}; Path=${cookiePath('/playground')}; HttpOnly; SameSite=Lax; Max-Age=${maxAge}`
}

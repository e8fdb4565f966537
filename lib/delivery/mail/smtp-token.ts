/** Access tokens for mail servers that take no passwords (RFC 6749 4.4 and 6, XOAUTH2). */
import { z } from 'zod'
import type { SmtpOauth } from '#lib/config/mail-settings.ts'
import { type SafeFetchOptions, safeFetch } from '#lib/upstream/safe-fetch.ts'

const tokenResponseSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().optional().catch(undefined),
})

/** The time before its expiry in which a token is no longer used. */
const marginMs = 60_000
/** The lifetime in seconds of a token whose response has none. */
const assumedSeconds = 300

export type TokenSource = {
  /** Returns a valid token; concurrent callers share one request. Throws if the authorization server issues none. */
  readonly get: () => Promise<string>
  /** Forgets the token, after the mail server has refused it. */
  readonly forget: () => void
}

export function createTokenSource(oauth: SmtpOauth, allowLoopback: boolean): TokenSource {
  let current: { readonly token: Promise<string>; endsAt: number } | null = null
  const request = () => {
    const asked = { token: fetchToken(), endsAt: Number.POSITIVE_INFINITY }
    current = asked
    return asked.token.catch(error => {
      if (current === asked) current = null
      throw error
    })

    async function fetchToken(): Promise<string> {
      const { access_token: token, expires_in: seconds = assumedSeconds } = await requestToken(
        oauth,
        allowLoopback,
      )
      asked.endsAt = Date.now() + seconds * 1000 - marginMs
      return token
    }
  }
  return {
    get: () => (current !== null && Date.now() < current.endsAt ? current.token : request()),
    forget: () => {
      current = null
    },
  }
}

async function requestToken(oauth: SmtpOauth, allowLoopback: boolean) {
  const { tokenUrl, clientId, clientSecret, scope, refreshToken } = oauth
  const form = new URLSearchParams({
    ...(refreshToken === null
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: refreshToken }),
    ...{ client_id: clientId, client_secret: clientSecret },
    ...(scope === null ? {} : { scope }),
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  const network: SafeFetchOptions = { allowLoopback, ports: [new URL(tokenUrl).port] }
  const answer = await safeFetch(tokenUrl, { method: 'POST', headers, body: form.toString() }, network)
  const body: unknown = await answer.json().catch(() => null)
  const read = tokenResponseSchema.safeParse(body)
  if (answer.ok && read.success) return read.data
  throw new Error(`the token endpoint answered ${answer.status}${errorIn(body)}`)
}

/** Returns the error code of a token response (RFC 6749 5.2), for the message. */
function errorIn(body: unknown): string {
  const read = z
    .object({
      error: z
        .string()
        .max(100)
        .regex(/^[\w.-]+$/),
    })
    .safeParse(body)
  return read.success ? ` with ${read.data.error}` : ''
}

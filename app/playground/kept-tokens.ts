/** The tokens of the last run. A real app keeps them on its server; the playground has none, so they travel in cookies. */
import { z } from 'zod'
import { readCookie } from '#lib/http/cookies.ts'
import { endedCookie, playgroundCookie } from './cookie.ts'

const lifetimeSeconds = 3600
const names = {
  id_token: 'latchkey_playground_id',
  access_token: 'latchkey_playground_access',
  refresh_token: 'latchkey_playground_refresh',
} as const

/** RFC 6749 5.1, the part that the playground shows. */
export const tokenResponseSchema = z.object({
  access_token: z.string(),
  id_token: z.string().optional(),
  refresh_token: z.string().optional(),
})

export type Tokens = z.infer<typeof tokenResponseSchema>

/** One cookie per token: together they would be too large for one. A missing token leaves the one before. */
export function tokenCookies(tokens: Tokens): readonly string[] {
  const kept = [
    [names.access_token, tokens.access_token],
    [names.id_token, tokens.id_token],
    [names.refresh_token, tokens.refresh_token],
  ] as const
  return kept.flatMap(([name, value]) =>
    value === undefined ? [] : [playgroundCookie(name, value, lifetimeSeconds)],
  )
}

export function endedTokenCookies(): readonly string[] {
  return Object.values(names).map(endedCookie)
}

export function readTokens(cookieHeader: string | null): Tokens | null {
  const read = (name: string) => readCookie(cookieHeader, name) ?? undefined
  const access = read(names.access_token)
  if (access === undefined) return null
  return { access_token: access, id_token: read(names.id_token), refresh_token: read(names.refresh_token) }
}

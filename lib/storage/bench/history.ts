/** What people and clients did: sessions, grants, consents, events, and the sums that charts read. */
import type { StoredEvent } from '#lib/ports/events.ts'
import { eventIdMark } from '#lib/protocol/request-context.ts'
import { dayNumber, hourOf } from '#lib/protocol/time.ts'
import { eventToRow } from '../prisma/events/event-log.ts'
import type { Chance } from './chance.ts'
import type { Row, Rows } from './database.ts'
import { clientOf, earlier, pick, subjectOf, type Town } from './people.ts'

const day = 86_400

/** Two in three are idle, as an hour after the peak. */
export function* sessions(town: Town, count: number, chance: Chance): Rows {
  for (let index = 0; index < count; index += 1) {
    const lastSeenAt = earlier(town.now, chance.below(6 * 3600))
    const row = {
      ...{
        digest: `ses${chance.word(16)}${index}`,
        sessionId: `sid${index}`,
        subject: randomUser(town, chance),
      },
      ...{ name: 'Someone', idp: 'latchkey', amr: '["pwd"]', acr: null, authenticatedAt: lastSeenAt },
      ...{ isPersistent: chance.below(5) === 0, createdAt: lastSeenAt, lastSeenAt },
      ...{ expiresAt: earlier(town.now, -day), userAgent: 'Mozilla/5.0', address: '192.0.2.1' },
    }
    yield ['Session', row]
  }
}

/** Half of the grants were revoked, and those are the newest: a list has to pass them by. */
export function* grants(town: Town, count: number, chance: Chance): Rows {
  for (let index = 0; index < count; index += 1) {
    const id = `g${chance.word(16)}${index.toString(36).padStart(6, '0')}`
    const createdAt = earlier(town.now, index)
    const who = { clientId: someApp(town, chance), subject: randomUser(town, chance) }
    const times = { authenticatedAt: createdAt, createdAt, expiresAt: earlier(town.now, -30 * day) }
    const revokedAt = index < count / 2 ? town.now : null
    const how = { idp: 'latchkey', amr: '["pwd"]', acr: null, sessionId: null, isOffline: true }
    yield ['Grant', { id, ...who, ...how, details: '{"scopes":["openid"]}', ...times, revokedAt }]
    if (revokedAt === null) yield ['RefreshToken', refreshToken(id, who.clientId, times.expiresAt)]
  }
}

function refreshToken(grantId: string, clientId: string, expiresAt: Date): Row {
  return {
    ...{ digest: `rt${grantId}`, grantId, clientId, absoluteExpiresAt: expiresAt, expiresAt },
    ...{ createdAt: expiresAt, accessTokenClaims: '{}', spentAt: null, successor: null },
    ...{ sealedAnswer: null, answerExpiresAt: null },
  }
}

export function* consents(town: Town, count: number, chance: Chance): Rows {
  for (let index = 0; index < count; index += 1) {
    const who = { subject: subjectOf(index % town.people), clientId: someApp(town, chance) }
    const createdAt = earlier(town.now, chance.below(90 * day))
    yield ['Consent', { ...who, scopes: '["openid"]', createdAt, updatedAt: createdAt, expiresAt: null }]
  }
}

const names: readonly StoredEvent['name'][] = [
  'tokens_issued',
  'token_validated',
  'authorize_answered',
  'sign_in_succeeded',
  'sign_in_failed',
  'token_refused',
  'authorize_refused',
  'code_replayed',
]
const reasons = ['wrong_password', 'invalid_client', 'redirect_uri_unknown', 'code_expired', 'unknown_scope']
const failures: ReadonlySet<string> = new Set(names.slice(4))

/** Spread over the time that they are kept; the one in eight that fails has reasons. */
export function* events(town: Town, count: number, chance: Chance): Rows {
  for (let index = 0; index < count; index += 1) {
    const time = new Date(town.now.getTime() - Math.floor(((count - index) / count) * 89 * day * 1000))
    const name = pick(names, chance)
    const isFailure = failures.has(name)
    const event: StoredEvent = {
      ...{ id: `${eventIdMark(time)}-${chance.word(12)}`, time, name },
      ...{ outcome: isFailure ? 'failure' : 'success', reason: isFailure ? pick(reasons, chance) : null },
      ...{ clientId: someApp(town, chance), subject: randomUser(town, chance), grantType: 'refresh_token' },
      ...{ referenceId: `ref${index}`, flow: `flow${index >> 2}`, grantId: null },
      ...{ address: '192.0.2.1', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)', details: { amr: 'pwd' } },
      checks: isFailure ? [{ check: 'client_known', result: 'failed', atMs: 1 }] : null,
    }
    yield ['Event', eventToRow(event)]
  }
}

const metrics: Readonly<Record<string, readonly string[]>> = {
  sign_in: ['pwd', 'external'],
  sign_in_failed: ['wrong_password', 'unknown_user', 'limited', 'provider_answered'],
  refusal: Array.from({ length: 30 }, (_one, index) => `reason_${index}`),
  tokens: ['authorization_code', 'refresh_token', 'client_credentials', 'password'],
  funnel: ['authorize', 'login_shown', 'sign_in', 'consent', 'answered', 'code_redeemed'],
  active: ['new', ...Array.from({ length: 90 }, (_one, index) => String(index + 1))],
  purged: ['codes', 'refresh_tokens', 'sessions', 'events'],
}

/** Every label in every hour and on every day that is kept: no service is that busy. */
export function* counts({ now }: Town, days: { readonly hourly: number; readonly daily: number }): Rows {
  const labels = Object.entries(metrics).flatMap(([metric, of]) => of.map(label => ({ metric, label })))
  for (let hour = days.hourly * 24; hour > 0; hour -= 1) {
    const time = hourOf(earlier(now, hour * 3600 - 3600))
    for (const label of labels) yield ['HourlyCount', { hour: time, ...label, count: hour }]
  }
  for (let day = days.daily; day > 0; day -= 1) {
    for (const label of labels) yield ['DailyCount', { day: dayNumber(now) - day + 1, ...label, count: day }]
  }
}

/** Each client gets tokens on each of those days, some very many: the worst that a ranking can meet. */
export function* clientDays(town: Town, days: number, chance: Chance): Rows {
  for (let index = 0; index < town.clients; index += 1) {
    const size = Math.ceil(100_000 / (chance.below(town.clients) + 1))
    for (let day = days; day > 0; day -= 1) {
      const [tokens, refusals] = [chance.below(100 + size), chance.below(20)]
      yield ['ClientDay', { clientId: clientOf(index), day: dayNumber(town.now) - day + 1, tokens, refusals }]
    }
  }
}

function randomUser(town: Town, chance: Chance): string {
  return subjectOf(chance.below(town.people))
}

function someApp(town: Town, chance: Chance): string {
  return clientOf(chance.skewed(town.clients))
}

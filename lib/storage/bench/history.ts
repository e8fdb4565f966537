/** The history of the users and clients: sessions, grants, consents, events, and the aggregates that charts read. */
import type { StoredEvent } from '#lib/ports/events.ts'
import { eventIdMark } from '#lib/protocol/request-context.ts'
import { dayNumber, hourOf } from '#lib/protocol/time.ts'
import { eventToRow } from '../prisma/events/event-log.ts'
import type { Chance } from './chance.ts'
import type { Row, Rows } from './database.ts'
import { clientOf, type Dataset, earlier, pick, subjectOf } from './dataset.ts'

const day = 86_400

/**
 * Generates sessions whose last use was up to six hours ago. The idle timeout is two hours, and longer for one in five.
 */
export function* sessions(dataset: Dataset, count: number, chance: Chance): Rows {
  for (let index = 0; index < count; index += 1) {
    const lastSeenAt = earlier(dataset.now, chance.below(6 * 3600))
    const row = {
      ...{
        digest: `ses${chance.word(16)}${index}`,
        sessionId: `sid${index}`,
        subject: randomUser(dataset, chance),
      },
      ...{ name: 'Someone', idp: 'latchkey', amr: '["pwd"]', acr: null, authenticatedAt: lastSeenAt },
      ...{ isPersistent: chance.below(5) === 0, createdAt: lastSeenAt, lastSeenAt },
      ...{ expiresAt: earlier(dataset.now, -day), userAgent: 'Mozilla/5.0', address: '192.0.2.1' },
    }
    yield ['Session', row]
  }
}

/** Generates grants. The newer half is revoked, so that a list must skip those rows. */
export function* grants(dataset: Dataset, count: number, chance: Chance): Rows {
  for (let index = 0; index < count; index += 1) {
    const id = `g${chance.word(16)}${index.toString(36).padStart(6, '0')}`
    const createdAt = earlier(dataset.now, index)
    const who = { clientId: someApp(dataset, chance), subject: randomUser(dataset, chance) }
    const times = { authenticatedAt: createdAt, createdAt, expiresAt: earlier(dataset.now, -30 * day) }
    const revokedAt = index < count / 2 ? dataset.now : null
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

export function* consents(dataset: Dataset, count: number, chance: Chance): Rows {
  for (let index = 0; index < count; index += 1) {
    const who = { subject: subjectOf(index % dataset.users), clientId: someApp(dataset, chance) }
    const createdAt = earlier(dataset.now, chance.below(90 * day))
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

/** Generates events, spread over their retention period; one in five is a failure and has a reason. */
export function* events(dataset: Dataset, count: number, chance: Chance): Rows {
  for (let index = 0; index < count; index += 1) {
    const time = new Date(dataset.now.getTime() - Math.floor(((count - index) / count) * 89 * day * 1000))
    const name = pick(names, chance)
    const isFailure = failures.has(name)
    const event: StoredEvent = {
      ...{ id: `${eventIdMark(time)}-${chance.word(12)}`, time, name },
      ...{ outcome: isFailure ? 'failure' : 'success', reason: isFailure ? pick(reasons, chance) : null },
      ...{
        clientId: someApp(dataset, chance),
        subject: randomUser(dataset, chance),
        grantType: 'refresh_token',
      },
      ...{ requestId: `ref${index}`, flow: `flow${index >> 2}`, grantId: null },
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

/**
 * Generates a count for every label in every hour and on every day of the retention period: no real service is that
 * busy.
 */
export function* counts({ now }: Dataset, days: { readonly hourly: number; readonly daily: number }): Rows {
  const labels = Object.entries(metrics).flatMap(([metric, of]) => of.map(label => ({ metric, label })))
  for (let hour = days.hourly * 24; hour > 0; hour -= 1) {
    const time = hourOf(earlier(now, hour * 3600 - 3600))
    for (const label of labels) yield ['HourlyCount', { hour: time, ...label, count: hour }]
  }
  for (let day = days.daily; day > 0; day -= 1) {
    for (const label of labels) yield ['DailyCount', { day: dayNumber(now) - day + 1, ...label, count: day }]
  }
}

/** Generates the daily token counts of each client, some very large: the worst case for a ranking. */
export function* clientDays(dataset: Dataset, days: number, chance: Chance): Rows {
  for (let index = 0; index < dataset.clients; index += 1) {
    const size = Math.ceil(100_000 / (chance.below(dataset.clients) + 1))
    for (let day = days; day > 0; day -= 1) {
      const [tokens, refusals] = [chance.below(100 + size), chance.below(20)]
      yield [
        'ClientDay',
        { clientId: clientOf(index), day: dayNumber(dataset.now) - day + 1, tokens, refusals },
      ]
    }
  }
}

function randomUser(dataset: Dataset, chance: Chance): string {
  return subjectOf(chance.below(dataset.users))
}

function someApp(dataset: Dataset, chance: Chance): string {
  return clientOf(chance.skewed(dataset.clients))
}

/** What people and clients did: sessions, grants, consents, events and counts. */
import type { StoredEvent } from '#lib/ports/event-log.ts'
import { eventIdMark } from '#lib/protocol/event-id.ts'
import { eventToRow } from '../prisma/event-rows.ts'
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
        subject: somebody(town, chance),
      },
      ...{ name: 'Somebody', idp: 'latchkey', amr: '["pwd"]', acr: null, authenticatedAt: lastSeenAt },
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
    const who = { clientId: someApp(town, chance), subject: somebody(town, chance) }
    const times = { authenticatedAt: createdAt, createdAt, expiresAt: earlier(town.now, -30 * day) }
    const revokedAt = index < count / 2 ? town.now : null
    const how = { idp: 'latchkey', amr: '["pwd"]', acr: null, sessionId: null, isOffline: true }
    yield ['Grant', { id, ...who, ...how, scopes: '["openid"]', ...times, revokedAt }]
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
      ...{ clientId: someApp(town, chance), subject: somebody(town, chance), grantType: 'refresh_token' },
      ...{ referenceId: `ref${index}`, flow: `flow${index >> 2}`, grantId: null },
      ...{ address: '192.0.2.1', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)', details: { amr: 'pwd' } },
      checks: isFailure ? [{ check: 'client_known', result: 'failed', atMs: 1 }] : null,
    }
    yield ['Event', eventToRow(event)]
  }
}

export function* hourlyCounts(town: Town, days: number): Rows {
  for (let hour = 0; hour < days * 24; hour += 1) {
    const time = earlier(town.now, hour * 3600)
    for (let label = 0; label < 20; label += 1) {
      for (const metric of ['sign_in', 'token', 'refusal']) {
        yield ['HourlyCount', { hour: time, metric, label: `l${label}`, count: hour }]
      }
    }
  }
}

function somebody(town: Town, chance: Chance): string {
  return subjectOf(chance.below(town.people))
}

function someApp(town: Town, chance: Chance): string {
  return clientOf(chance.skewed(town.clients))
}

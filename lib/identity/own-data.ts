/** The data that this server stores about a user, for the user: no password, key, code or token. */
import { ownData as limits, rateLimits } from '#lib/config/limits.ts'
import type { EventLog, StoredEvent } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { accountOf, type ExternalKey } from '#lib/ports/users.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { limitKey } from '#lib/protocol/network-limits.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { accountView } from './account.ts'

type Reading = { readonly ports: Ports; readonly eventLog: EventLog; readonly session: Session }

export type OwnDataOutcome =
  | { readonly kind: 'collected'; readonly data: JsonValue }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

/** Collects the data, as a JSON value with the names of the API. Bounded: the oldest events are left out. */
export async function collectOwnData(reading: Reading, context: RequestContext): Promise<OwnDataOutcome> {
  const { ports, session } = reading
  const { subject } = session
  const now = ports.clock.now()
  const rule = { key: limitKey('own-data', subject), ...rateLimits.ownData }
  const permit = await ports.rateLimiter.consume([rule], now)
  if (permit.kind === 'limited') return permit
  const [account, waysIn, access, answers, activity] = await Promise.all([
    accountData(ports, session),
    waysInData(ports, subject, now),
    accessData(ports, session),
    answersData(ports, subject),
    activityData(reading.eventLog, subject),
  ])
  ports.events.record({ name: 'data_downloaded', outcome: 'success', subject }, context)
  const made = { issuer: ports.settings.issuer, made_at: now.toISOString() }
  return { kind: 'collected', data: { ...made, account, ...waysIn, ...access, ...answers, activity } }
}

async function accountData(ports: Ports, { subject, name, idp }: Session): Promise<JsonValue> {
  const user = await accountOf(ports, subject, undefined)
  const { username = null, claims = null } = user ?? {}
  return { sub: subject, name, signed_in_with: idp, username, claims }
}

async function waysInData(
  { passkeys, secondFactors, trustedBrowsers }: Ports,
  subject: SubjectId,
  now: Date,
) {
  const [keys, app, left, trusted] = await Promise.all([
    passkeys.allOf(subject),
    secondFactors.findApp(subject),
    secondFactors.countRecoveryCodes(subject),
    trustedBrowsers.allOf(subject, now),
  ])
  return {
    passkeys: keys.map(({ name, createdAt, lastUsedAt, isBackedUp }) => ({
      ...{ name, created_at: timeOf(createdAt), last_used_at: timeOf(lastUsedAt) },
      is_synchronized: isBackedUp,
    })),
    authenticator_app: app && {
      created_at: timeOf(app.createdAt),
      last_used_at: timeOf(app.lastUsedAt),
      recovery_codes_left: left,
    },
    trusted_browsers: trusted.map(({ userAgent, address, createdAt, lastUsedAt, expiresAt }) => ({
      ...{ user_agent: userAgent, address, created_at: timeOf(createdAt) },
      ...{ last_used_at: timeOf(lastUsedAt), expires_at: timeOf(expiresAt) },
    })),
  }
}

async function accessData(ports: Ports, session: Session) {
  const now = ports.clock.now()
  const [{ apps }, sessions, consents] = await Promise.all([
    accountView(ports, session),
    ports.sessions.allOf(session.subject, now),
    ports.consents.allOf(session.subject, now),
  ])
  return {
    apps: apps.map(({ clientId, clientName, scopes, since, lastUsedAt, isOffline }) => ({
      ...{ client_id: clientId, name: clientName, scopes: scopes.map(({ name }) => name) },
      ...{ since: timeOf(since), last_used_at: timeOf(lastUsedAt), has_offline_access: isOffline },
    })),
    consents: consents.map(({ clientId, scopes, createdAt, updatedAt, expiresAt }) => ({
      ...{ client_id: clientId, scopes, created_at: timeOf(createdAt) },
      ...{ updated_at: timeOf(updatedAt), expires_at: timeOf(expiresAt) },
    })),
    sessions: sessions.map(({ digest, userAgent, address, createdAt, lastSeenAt, expiresAt }) => ({
      ...{ user_agent: userAgent, address, created_at: timeOf(createdAt) },
      ...{ last_seen_at: timeOf(lastSeenAt), expires_at: timeOf(expiresAt) },
      is_current: digest === session.digest,
    })),
  }
}

async function answersData(
  { subjectPreferences, userService, users, plannedChanges }: Ports,
  subject: SubjectId,
) {
  const [preference, emailOfferedAt, terms, links, unlinked, planned] = await Promise.all([
    subjectPreferences.find(subject),
    subjectPreferences.emailOfferedAt(subject),
    subjectPreferences.findAcceptedTerms(subject),
    userService.links?.list(subject) ?? [],
    users.links.listUnlinked(subject),
    plannedChanges.allOf(subject),
  ])
  return {
    accepted_terms: terms && { version: terms.version, accepted_at: timeOf(terms.acceptedAt) },
    offers: {
      passkey_offered_at: timeOf(preference.passkeyOfferedAt),
      refuses_passkeys: preference.refusesPasskeys,
      email_offered_at: timeOf(emailOfferedAt),
    },
    linked_identities: links.map(identityData),
    unlinked_identities: unlinked.map(identityData),
    planned_changes: planned.map(({ kind, createdAt, dueAt }) => ({
      ...{ change: kind, asked_at: timeOf(createdAt), due_at: timeOf(dueAt) },
    })),
  }
}

function identityData({ scheme, issuer, subject }: ExternalKey) {
  return { provider: scheme, issuer, sub: subject }
}

/** Reads the events page by page, newest first. */
async function activityData(eventLog: EventLog, subject: SubjectId): Promise<readonly JsonValue[]> {
  const found: StoredEvent[] = []
  while (found.length < limits.events) {
    const page = await eventLog.list({ subject }, found.at(-1)?.id ?? null, limits.eventsTogether)
    found.push(...page)
    if (page.length < limits.eventsTogether) break
  }
  return found.map(({ time, name, outcome, clientId, address, userAgent }) => ({
    ...{ time: timeOf(time), event: name, outcome, client_id: clientId },
    ...{ address, user_agent: userAgent },
  }))
}

function timeOf(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}

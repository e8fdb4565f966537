/** Checks what the database knows about the installation: signing keys, housekeeping, and the audit log. */
import { rotations } from '#lib/admin/keys/key-view.ts'
import { type AuditCheck, readAuditCheck } from '#lib/admin/overview/audit-check.ts'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { attention as limits } from '#lib/config/limits.ts'
import type { StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import { openAuditTrail } from '#lib/storage/open-audit-trail.ts'
import { purgedAt } from '#lib/storage/prisma/configuration/meta.ts'
import { type Finding, failure, good, warning } from './finding.ts'

/** `runningSince`: the start of the server: nothing is late that could not run before it. `null`: unknown. */
type Times = { readonly now: Date; readonly runningSince: Date | null }

/**
 * Opens the database for reading. Throws a ConfigError if there is no database, if it has no tables of Latchkey, or if PostgreSQL
 * does not accept the connection.
 */
export async function openState(location: DatabaseLocation, times: Times) {
  const { meta, audit, signingKeys, close } = await openAuditTrail(location)
  return {
    checkKeys: async () => keyFindings(await signingKeys.all(), times.now),
    checkTasks: async () => {
      const [purged, check, head] = await Promise.all([
        meta.find(purgedAt),
        readAuditCheck(meta),
        audit.head(),
      ])
      return [
        purgeFinding(purged === null ? null : new Date(purged), times),
        auditFinding(check, head?.seq ?? 0, times),
      ]
    },
    close,
  }
}

/** DO-06: a key that signs for each algorithm in use, its age, and its successor in time. */
export function keyFindings(keys: readonly StoredSigningKey[], now: Date): readonly Finding[] {
  const check = 'signing keys'
  const turns = rotations(keys, now)
  if (turns.length === 0)
    return [failure(check, 'There is no signing key: no token can be issued.', 'Start the server.')]
  return turns.map(({ algorithm, days_to_rotation: days, published_at: publishedAt }) => {
    const active = keys.find(key => key.algorithm === algorithm && keyState(key, now) === 'active')
    if (active === undefined)
      return failure(
        check,
        `No ${algorithm} key signs: clients that use ${algorithm} get no tokens.`,
        'Check the clock of the server, and rotate the key in the dashboard.',
      )
    const age = `The ${algorithm} key signs for ${daysText(daysSince(active.activatesAt, now))}`
    const isLate =
      publishedAt !== null && now.getTime() - new Date(publishedAt).getTime() > limits.keyLateSeconds * 1000
    return isLate
      ? warning(
          check,
          `${age}, and its successor is overdue.`,
          'Read the log: keys are maintained every hour.',
        )
      : good(check, `${age}; the next rotation is in ${daysText(days)}.`)
  })
}

function daysSince(time: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - time.getTime()) / 86_400_000))
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

/** DO-08: the deletion of expired rows, which runs every minute. */
export function purgeFinding(at: Date | null, times: Times): Finding {
  const check = 'housekeeping'
  if (at === null) return good(check, 'Expired rows were not deleted yet: the server has just started.')
  const text = `Expired rows were last deleted at ${timeText(at)}.`
  return isLate(at, limits.purgeLateSeconds, times)
    ? warning(check, `${text} That should happen every minute.`, 'Read the log of the server.')
    : good(check, text)
}

/** DO-08: the daily verification of the audit log. `changes`: the number of its rows. */
export function auditFinding(check: AuditCheck | null, changes: number, times: Times): Finding {
  const name = 'audit log'
  if (changes === 0) return good(name, 'The audit log is empty.')
  if (check === null) return good(name, 'The audit log was not verified yet: the server has just started.')
  if (check.found.kind === 'broken')
    return failure(
      name,
      `The audit log is broken at change ${check.found.seq}: it was edited in the database.`,
      'Find out who can write to the database, and compare it with a backup.',
    )
  const text = `The audit log was intact at ${timeText(check.at)}.`
  return isLate(check.at, limits.auditLateSeconds, times)
    ? warning(name, `${text} It should be verified every day.`, 'Read the log of the server.')
    : good(name, text)
}

function isLate(last: Date, seconds: number, { now, runningSince }: Times): boolean {
  const since = Math.max(last.getTime(), runningSince?.getTime() ?? 0)
  return now.getTime() - since > seconds * 1000
}

function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

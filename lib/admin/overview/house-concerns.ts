/** What is wrong with the house itself: keys, housekeeping, the chain of changes, the disk. */
import { attention as limits } from '#lib/config/limits.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import { signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import type { Concern } from './concern.ts'
import type { Health } from './health.ts'

export function houseConcerns(health: Health, now: Date): readonly Concern[] {
  return [
    ...keyConcerns(health, now),
    ...auditConcerns(health),
    ...purgeConcerns(health),
    ...diskConcerns(health),
  ]
}

const keysLink = { text: 'See the keys', href: '/admin/keys' }

function keyConcerns({ keys, rotations }: Health, now: Date): readonly Concern[] {
  const active = keys.filter(key => keyState(key, now) === 'active')
  const idle = signingAlgorithms.filter(
    name =>
      keys.some(({ algorithm }) => algorithm === name) && !active.some(({ algorithm }) => algorithm === name),
  )
  const isLate = (time: string | null) =>
    time !== null && now.getTime() - new Date(time).getTime() > limits.keyLateSeconds * 1000
  return [
    ...(keys.length === 0 ? ['No signing key is there: nothing can be signed.'] : []),
    ...idle.map(name => `No ${name} key is active: clients that want one get no tokens.`),
  ]
    .map((sentence): Concern => ({ severity: 'bad', sentence, links: [keysLink] }))
    .concat(
      rotations
        .filter(({ published_at }) => isLate(published_at))
        .map(({ algorithm, published_at }) => ({
          severity: 'warn',
          sentence: `The next ${algorithm} key is overdue: it should have been published on ${published_at?.slice(0, 10)}.`,
          links: [keysLink],
        })),
    )
}

const auditProblems = {
  changed: (seq: number) => `Change ${seq} was edited or moved in the database.`,
  missing: (seq: number) => `Change ${seq} is missing from the database.`,
  end: (seq: number) => `The newest changes after number ${seq} are missing from the database.`,
  noted: (seq: number) => `Change ${seq} is not the one that was noted.`,
} as const

function auditConcerns({ audit }: Health): readonly Concern[] {
  const links = [{ text: 'See the changes', href: '/admin/changes' }]
  if (audit.check?.found.kind === 'broken') {
    const { problem, seq } = audit.check.found
    return [{ severity: 'bad', sentence: auditProblems[problem](seq), links }]
  }
  if (!audit.isOverdue) return []
  return [
    {
      severity: 'warn',
      sentence: 'The audit log was not verified for more than two days. The server log has the reason.',
      links,
    },
  ]
}

function purgeConcerns({ purge }: Health): readonly Concern[] {
  if (!purge.isOverdue) return []
  const last =
    purge.at === null
      ? 'never ran'
      : `last ended at ${purge.at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return [
    {
      severity: 'warn',
      sentence: `Housekeeping is overdue: it ${last}, and runs every minute. The log says why.`,
      links: [{ text: 'See the state', href: '#health' }],
    },
  ]
}

function diskConcerns({ database: { freeBytes } }: Health): readonly Concern[] {
  if (freeBytes === null || freeBytes >= limits.freeBytes) return []
  return [
    {
      severity: 'bad',
      sentence: `The disk of the database has ${Math.round(freeBytes / 1_048_576)} MB left; when it is full, sign-ins fail.`,
      links: [{ text: 'See the state', href: '#health' }],
    },
  ]
}

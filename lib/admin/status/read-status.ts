/** The use case that returns the status of the installation: database, tasks, keys, audit log, mail and versions. */
import { z } from 'zod'
import { ok } from '../admin-result.ts'
import { rotationSchema } from '../keys/key-view.ts'
import { readHealth } from '../overview/health.ts'
import { defineUseCase, type UseCase } from '../use-case.ts'

const time = z.iso.datetime().nullable()

export const statusSchema = z.object({
  release: z.string(),
  workers: z
    .object({ wanted: z.number(), running: z.number() })
    .nullable()
    .describe('The workers of the node that answers; `null` if it has one process.'),
  database: z.object({
    kind: z.enum(['sqlite', 'postgresql']),
    bytes: z.number(),
    free_bytes: z.number().nullable().describe('The free space on the disk; `null` for PostgreSQL.'),
    answered_ms: z.number(),
  }),
  last_purge: z.object({ at: time, is_overdue: z.boolean() }),
  audit_log: z.object({
    changes: z.number(),
    state: z.enum(['intact', 'broken', 'not_verified']),
    verified_at: time,
    is_overdue: z.boolean(),
  }),
  rotations: z.array(rotationSchema),
  messages: z.object({
    retried: z.number().describe('The messages that wait for another attempt.'),
    given_up: z.number().describe('The messages that were given up since yesterday.'),
  }),
})

export const readStatus = defineUseCase({
  name: 'status.read',
  permission: 'status:read',
  summary: 'Returns the status of the installation.',
  input: z.object({}),
  output: statusSchema,
  api: { method: 'GET', path: '/status' },
  run: async (ports, _input, { now }) => {
    const [{ version, workers }, health] = await Promise.all([ports.release(), readHealth(ports, now)])
    const { database, purge, audit, mail } = health
    return ok({
      release: version,
      workers,
      database: {
        kind: database.kind,
        bytes: database.bytes,
        free_bytes: database.freeBytes,
        answered_ms: database.answeredMs,
      },
      last_purge: { at: purge.at?.toISOString() ?? null, is_overdue: purge.isOverdue },
      audit_log: {
        changes: audit.changes,
        state: audit.check?.found.kind ?? ('not_verified' as const),
        verified_at: audit.check?.at.toISOString() ?? null,
        is_overdue: audit.isOverdue,
      },
      rotations: [...health.rotations],
      messages: { retried: mail.retried, given_up: mail.givenUp },
    })
  },
})

export const statusUseCases: readonly UseCase[] = [readStatus]

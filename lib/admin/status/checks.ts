/** Use cases for the checks of the doctor: runs them, and returns the findings of the last run. */
import { z } from 'zod'
import { doctor as limits } from '#lib/config/limits.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import { parseJson } from '#lib/protocol/text/json-text.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { invalid, ok } from '../admin-result.ts'
import { defineUseCase, type UseCase } from '../use-case.ts'
import { groupedFindingSchema } from './finding.ts'
import { takeLease } from './lease.ts'

/** The names in `Meta` of the last run, and of the lease of the run in progress. */
const storedName = 'doctor'
const leaseName = 'doctor-lease'

const runSchema = z.object({
  at: z.iso.datetime().describe('The time at which the checks began.'),
  findings: z.array(groupedFindingSchema),
})
export type DoctorRun = z.output<typeof runSchema>

/** Reads the last run; `null` if there is none, or if it was stored by a release with other groups. */
export async function readLastRun(meta: Pick<Meta, 'find'>): Promise<DoctorRun | null> {
  const stored = await meta.find(storedName)
  return stored === null ? null : (runSchema.safeParse(parseJson(stored)).data ?? null)
}

export const listChecks = defineUseCase({
  name: 'status.list_checks',
  permission: 'status:check',
  summary: 'Returns the findings of the last run of the checks of `npm run doctor`.',
  input: z.object({}),
  output: z.object({ last_run: runSchema.nullable() }),
  api: { method: 'GET', path: '/status/checks' },
  run: async ({ meta }) => ok({ last_run: await readLastRun(meta) }),
})

/** DO-03: runs the checks here, on the server, at most once at a time on all nodes. */
export const runChecks = defineUseCase({
  name: 'status.run_checks',
  permission: 'status:check',
  summary:
    'Runs the checks of `npm run doctor` on this server, which takes up to half a minute. Refused while they are running.',
  done: 'The checks have run.',
  changesNothing: true,
  input: z.object({}),
  output: runSchema,
  api: { method: 'POST', path: '/status/checks' },
  run: async (ports, _input, { now }) => {
    const lease = {
      name: leaseName,
      holder: ports.random.id(),
      until: secondsAfter(now, limits.leaseSeconds),
    }
    const release = await takeLease(ports, lease, now)
    if (release === null) return invalid('', 'The checks are running. Try again in a minute.')
    try {
      const value = { at: now.toISOString(), findings: [...(await ports.examine())] }
      await ports.meta.replace(storedName, JSON.stringify(value))
      return ok(value)
    } finally {
      await release()
    }
  },
})

export const checkUseCases: readonly UseCase[] = [listChecks, runChecks]

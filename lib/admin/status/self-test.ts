/** The use case that runs the self-test through the public address. */
import { z } from 'zod'
import { invalid, ok } from '../admin-result.ts'
import { commit, defineUseCase } from '../use-case.ts'
import { selfTestResultSchema } from './finding.ts'
import { selfTestNote } from './self-test-note.ts'

export const selfTestRunSchema = z.object({
  at: z.iso.datetime(),
  note: z.string(),
  results: z.array(selfTestResultSchema),
})

/** NOTE: the audit row is written before the first request, so that every self-test has one. */
export const runSelfTest = defineUseCase({
  name: 'status.run_self_test',
  permission: 'status:self_test',
  summary:
    'Runs the self-test: about 40 requests to the public address, as an app sends them, with a temporary client and user. Refused while one is running.',
  isShownOnce: true,
  input: z.object({}),
  output: selfTestRunSchema,
  api: { method: 'POST', path: '/status/self-test' },
  run: async (ports, _input, { now, entry }) => {
    const audit = entry({ kind: 'self_test', id: ports.settings.issuer, before: null, after: null })
    const written = await commit(ports, { writes: [], audit: [audit] }, { now, value: null })
    if (written.kind !== 'ok') return written
    const results = await ports.selfTest()
    if (results === null) return invalid('', 'A self-test is running. Try again in a minute.')
    return ok({ at: now.toISOString(), note: selfTestNote, results: [...results] })
  },
})

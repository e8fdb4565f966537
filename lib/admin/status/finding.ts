/** A finding of the doctor: the result of one check of an installation. */
import { z } from 'zod'

/** The groups in which findings are shown, in this order. */
export const findingGroups = ['settings', 'database', 'keys', 'tasks', 'server', 'address'] as const
export type FindingGroup = (typeof findingGroups)[number]

export const findingSchema = z.object({
  check: z.string().describe('The name of the check, such as `certificate`.'),
  severity: z
    .enum(['good', 'warning', 'error'])
    .describe(
      '`good`: as it should be. `warning`: it works, but not as well or not for long. `error`: it does not work, or is not safe.',
    ),
  text: z.string(),
  fix: z.string().nullable().describe('The advice; `null` if nothing needs to change.'),
})
export type Finding = z.output<typeof findingSchema>
export type Severity = Finding['severity']

export const groupedFindingSchema = findingSchema.extend({ group: z.enum(findingGroups) })
export type GroupedFinding = z.output<typeof groupedFindingSchema>

/** The groups of the self-test’s results. */
export const selfTestGroups = ['discovery', 'authorization', 'tokens'] as const
export type SelfTestGroup = (typeof selfTestGroups)[number]

export const selfTestResultSchema = findingSchema.extend({ group: z.enum(selfTestGroups) })
export type SelfTestResult = z.output<typeof selfTestResultSchema>

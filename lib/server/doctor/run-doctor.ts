/** Runs all checks of the doctor. The command and the dashboard call it. */
import type { FindingGroup, GroupedFinding } from '#lib/admin/status/finding.ts'
import type { Config } from '#lib/config/env.ts'
import { doctor as limits } from '#lib/config/limits.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { checkDatabase } from './database.ts'
import { type Finding, failure } from './finding.ts'
import { checkProcess } from './process.ts'
import { checkPublicAddress } from './public-address.ts'
import { checkReadiness } from './readiness.ts'
import { checkSettings } from './settings.ts'
import { openState } from './state.ts'

type Examination = {
  readonly config: Config
  /** The time since which the server runs; `null` in a command, which does not know it. */
  readonly runningSince: Date | null
  readonly now: Date
  /** Reports the failure of a group of checks. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Returns the findings of all groups. A group that fails or takes too long is also a finding. Reads only.
 * @throws ConfigError if there is no database, or if its settings are wrong
 */
export async function runDoctor({
  config,
  runningSince,
  now,
  onFailure,
}: Examination): Promise<readonly GroupedFinding[]> {
  const state = openState(config.database, { now, runningSince })
  const groups: ReadonlyArray<readonly [FindingGroup, () => Promise<readonly Finding[]>]> = [
    ['settings', async () => checkSettings(config)],
    ['database', () => checkDatabase(config.database)],
    ['keys', async () => (await state).checkKeys()],
    ['tasks', async () => (await state).checkTasks()],
    [
      'server',
      async () => [...(await checkReadiness(config)), ...(await checkProcess(runningSince !== null))],
    ],
    ['address', () => checkPublicAddress(config.issuer)],
  ]
  try {
    const found = await Promise.all(groups.map(([group, check]) => withinTime(group, check, onFailure)))
    return found.flat()
  } finally {
    await state.then(
      ({ close }) => close(),
      () => {},
    )
  }
}

async function withinTime(
  group: FindingGroup,
  check: () => Promise<readonly Finding[]>,
  onFailure: (error: unknown) => void,
): Promise<readonly GroupedFinding[]> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`The checks of ${group} took too long.`)), limits.groupMs)
  try {
    return (await Promise.race([check(), late])).map(finding => ({ group, ...finding }))
  } catch (error) {
    if (isConfigError(error)) throw error
    onFailure(error)
    return [{ group, ...failure(group, 'This could not be checked.', 'Read the error in the log.') }]
  } finally {
    clearTimeout(timer)
  }
}

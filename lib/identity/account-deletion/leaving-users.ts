/**
 * The users whose deletion is planned, as this process knows them: a sign-in must not read the database for every user. A
 * deletion that another process has planned is known after some seconds.
 */
import { accountDeletion as limits } from '#lib/config/limits.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { LeavingUsers } from '#lib/ports/own-account.ts'
import type { PlannedChanges } from '#lib/ports/planned-changes.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

type Known = { readonly subjects: ReadonlySet<string>; readonly isWhole: boolean; readonly at: Date }

export function leavingUsers(plannedChanges: Pick<PlannedChanges, 'due'>, clock: Clock): LeavingUsers {
  let known: Promise<Known> | null = null
  const read = async (): Promise<Known> => {
    const at = clock.now()
    const until = secondsAfter(at, limits.longestSeconds)
    const found = await plannedChanges.due('delete_account', { until, after: null, most: limits.known })
    return {
      subjects: new Set(found.map(({ subject }) => subject)),
      isWhole: found.length < limits.known,
      at,
    }
  }
  return {
    mayHave: async subject => {
      const now = clock.now()
      const latest = await known?.catch(() => null)
      if (!latest || secondsAfter(latest.at, limits.knownSeconds) <= now) known = read()
      const { subjects, isWhole } = await (known ?? read())
      return !isWhole || subjects.has(subject)
    },
    forget: () => {
      known = null
    },
  }
}

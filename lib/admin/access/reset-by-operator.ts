/** Resets the factors of a user on the command line: the way back of an administrator who has lost them. */
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import {
  type FactorPorts,
  type FactorsView,
  factorsOf,
  hasFactors,
  planReset,
  type ResetChoices,
} from '../users/factors.ts'
import { entryOf } from './operator.ts'

export type ResetPorts = FactorPorts & Pick<AdminPorts, 'users' | 'adminStore' | 'securityNotice' | 'clock'>

export type FactorReset =
  | {
      readonly kind: 'reset'
      readonly removed: FactorsView
      readonly keptPasskeys: number
      /** Whether a mail informs the user. */
      readonly isMailed: boolean
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nothing'; readonly keptPasskeys: number }

/** `name`: a user name or, for a user of a custom user service, the subject. */
export async function resetFactorsByOperator(
  ports: ResetPorts,
  { name, ...choices }: ResetChoices & { readonly name: string },
): Promise<FactorReset> {
  const user = await ports.users.findByUsername(name)
  const subject = user?.subject ?? subjectIdSchema.safeParse(name).data
  if (subject === undefined) return { kind: 'unknown' }
  const now = ports.clock.now()
  const factors = await factorsOf(ports, subject, now)
  if (user === null && !hasFactors(factors)) return { kind: 'unknown' }
  const { writes, before, after, removed, isMailed } = await planReset(ports, factors, choices)
  const keptPasskeys = factors.passkeys.length - removed.passkeys.length
  if (!hasFactors(removed)) return { kind: 'nothing', keptPasskeys }
  const target = { action: 'users.reset_factors', targetKind: 'user', targetId: subject } as const
  const audit = [entryOf('command_line', { ...target, before, after })]
  const { kind } = await ports.adminStore.commit({ writes, audit }, now)
  if (kind !== 'done') throw new Error(`The factors could not be reset (${kind}).`)
  return { kind: 'reset', removed, keptPasskeys, isMailed }
}

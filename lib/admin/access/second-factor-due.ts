/** The notice to administrators that the dashboard will require a second factor. */

import type { AdminPorts } from '../admin-ports.ts'
import type { Actor } from '../use-case.ts'

type FactorPorts = Pick<AdminPorts, 'secondFactors' | 'passkeys' | 'clock'>

/** Returns the time from which the dashboard requires a factor that the admin does not have yet; otherwise `null`. */
export async function secondFactorDue(
  { secondFactors, passkeys, clock }: FactorPorts,
  { subject }: Pick<Actor, 'subject'>,
  from: Date | null,
): Promise<Date | null> {
  if (from === null || clock.now() >= from) return null
  if ((await secondFactors.findApp(subject)) !== null) return null
  return (await passkeys.allOf(subject)).length === 0 ? from : null
}

/** The time from which the dashboard requires a second factor. */
import type { Config } from '#lib/config/env.ts'
import { adminSession } from '#lib/config/limits.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Clock } from '#lib/ports/environment.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

const metaName = 'admin_second_factor_from'

type Parts = { readonly meta: Pick<Meta, 'settle'>; readonly clock: Clock }

/**
 * Returns the time, which the first start in production decides for all nodes: administrators of an upgraded server have time to
 * set a factor up. `null` on a loopback address, where the demo must work without one.
 */
export async function adminSecondFactorFrom(
  { isLoopback }: Pick<Config, 'isLoopback'>,
  { meta, clock }: Parts,
): Promise<Date | null> {
  if (isLoopback) return null
  const first = secondsAfter(clock.now(), adminSession.secondFactorNoticeSeconds)
  return new Date(await meta.settle(metaName, first.toISOString()))
}

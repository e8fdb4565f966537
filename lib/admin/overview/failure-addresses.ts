/** From how many IP addresses failures came: one stranger can cause any number of them. */
import { adminList } from '#lib/config/limits.ts'
import type { EventFilter } from '#lib/ports/events.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { countedText } from '../counted-text.ts'

export type FailureAddresses = {
  /** The latest failures, of which the addresses are known. */
  readonly failures: number
  readonly addresses: number
  /** There are more failures than were looked at. */
  readonly isMore: boolean
}

/** Looks at the latest failures only, in order to take the same time with any number of events. */
export async function readFailureAddresses(
  { eventLog }: Pick<AdminPorts, 'eventLog'>,
  filter: Pick<EventFilter, 'clientId' | 'from'>,
): Promise<FailureAddresses> {
  const failures = await eventLog.list({ ...filter, outcome: 'failure' }, null, adminList.largestPage)
  const known = failures.flatMap(({ address }) => address ?? [])
  return {
    failures: known.length,
    addresses: new Set(known).size,
    isMore: failures.length === adminList.largestPage,
  }
}

/** `from 3 IP addresses`; `null` if none is known. */
export function addressesText({ addresses, isMore }: FailureAddresses): string | null {
  if (addresses === 0) return null
  // More failures rarely come from one address more, and never from fewer
  return `from ${countedText({ count: addresses, isMore: isMore && addresses > 1 }, 'IP address', 'IP addresses')}`
}

/** Counts the IP addresses from which the latest failures came: one stranger can cause any number of failures. */
import { adminList } from '#lib/config/limits.ts'
import type { EventFilter } from '#lib/ports/events.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { countedText } from '../counted-text.ts'

export type FailureAddresses = {
  /** The number of failures that were read and whose address is known. */
  readonly failures: number
  readonly addresses: number
  /** Whether there may be more failures than were read. */
  readonly isMore: boolean
}

/** Reads only the latest failures, so that the time does not depend on the number of events. */
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

/** The number of addresses in words, such as `from 3 IP addresses`; `null` if none is known. */
export function addressesText({ addresses, isMore }: FailureAddresses): string | null {
  if (addresses === 0) return null
  // Many failures from one address are probably all from it, so no "+" is added to 1
  return `from ${countedText({ count: addresses, isMore: isMore && addresses > 1 }, 'IP address', 'IP addresses')}`
}

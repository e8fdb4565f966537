/** The caller of an expensive check, which determines the place in the queue. */
import { siteNetwork } from '#lib/protocol/text/addresses.ts'

export type CheckCaller = {
  /** An IPv4 address or an IPv6 /48; `null`: unknown. All unknown callers count as one network. */
  readonly network: string | null
  /** Whether the caller is a known browser, or a signed-in user or administrator. These do not wait behind a flood. */
  readonly isKnown: boolean
}

export const unknownCaller: CheckCaller = { network: null, isKnown: false }
/** A caller who has proven their identity. */
export const knownCaller: CheckCaller = { network: null, isKnown: true }

export function callerAt(address: string | null, isKnown = false): CheckCaller {
  return { network: address === null ? null : siteNetwork(address), isKnown }
}

/** The caller of an expensive check; it decides the place in the queue. */
import { siteNetwork } from '#lib/protocol/text/addresses.ts'

export type CheckCaller = {
  /** An IPv4 address or an IPv6 /48; `null`: unknown. All unknown callers count as one network. */
  readonly network: string | null
  /** A known browser, or a user or administrator who is signed in. These do not wait behind a flood. */
  readonly isKnown: boolean
}

export const unknownCaller: CheckCaller = { network: null, isKnown: false }
/** A caller who has proved their identity. */
export const knownCaller: CheckCaller = { network: null, isKnown: true }

export function callerAt(address: string | null, isKnown = false): CheckCaller {
  return { network: address === null ? null : siteNetwork(address), isKnown }
}

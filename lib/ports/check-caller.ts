/** Where an expensive check comes from, which decides its place in the queue. */
import { siteNetwork } from '#lib/protocol/text/addresses.ts'

export type CheckCaller = {
  /** An IPv4 address or an IPv6 /48; `null`: unknown, and then one network with all other unknown ones. */
  readonly network: string | null
  /** A known browser, or a user or administrator who is signed in: never behind a flood. */
  readonly isKnown: boolean
}

export const unknownCaller: CheckCaller = { network: null, isKnown: false }
/** Callers who proved who they are. */
export const knownCaller: CheckCaller = { network: null, isKnown: true }

export function callerAt(address: string | null, isKnown = false): CheckCaller {
  return { network: address === null ? null : siteNetwork(address), isKnown }
}

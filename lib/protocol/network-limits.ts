/** The limits of an address and of the networks around it. */
import { networkFactors } from '#lib/config/limits.ts'
import { networksOf } from './text/addresses.ts'

type NetworkRule = { readonly key: string; readonly limit: number; readonly windowSeconds: number }

/**
 * Returns the limit of an IPv4 address; for an IPv6 address those of its networks, larger for wider networks. `kind`:
 * what is counted.
 */
export function networkRules(
  kind: string,
  address: string,
  { limit, windowSeconds }: Omit<NetworkRule, 'key'>,
): readonly NetworkRule[] {
  return networksOf(address).map((network, index) => ({
    key: limitKey(kind, network),
    limit: limit * (networkFactors[index] ?? 1),
    windowSeconds,
  }))
}

/** Makes the key of a limit: as JSON, so that different parts never result in the same key. */
export function limitKey(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}

/** The waiting request's handle while the person is elsewhere: who reads the store must not be able to use it. */
import type { Ports } from '#lib/ports/ports.ts'
import { type PendingHandle, parseHandle } from '#lib/protocol/ids.ts'

type SealingPorts = Pick<Ports, 'sealing'>

export function sealPending(
  ports: SealingPorts,
  pending: PendingHandle | null,
  place: string,
): string | null {
  return pending === null ? null : ports.sealing.seal(pending, place)
}

/** Throws when the stored value was altered or moved. */
export function openPending(ports: SealingPorts, sealed: string | null, place: string): PendingHandle | null {
  return sealed === null ? null : parseHandle('pending', ports.sealing.open(sealed, place))
}

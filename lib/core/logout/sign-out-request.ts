/** A sign-out request on its way through our pages: sealed, so that no one can change where it leads. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { IgnoredParameter } from './asker.ts'

export type SignOutRequest = {
  readonly clientName: string | null
  /** A registered address, `state` included; `null`: the person stays with us. */
  readonly redirect: string | null
  /** What of the app's request counted for nothing; for developers. */
  readonly ignored: IgnoredParameter | null
}

type Sealed = SignOutRequest & { readonly expiresAt: number }

const place = 'logout:request:'

export function sealSignOutRequest(ports: Ports, { clientName, redirect, ignored }: SignOutRequest): string {
  const expiresAt = secondsAfter(ports.clock.now(), lifetimeSeconds.signOutRequest).getTime()
  const sealed: Sealed = { clientName, redirect, ignored, expiresAt }
  return ports.sealing.seal(JSON.stringify(sealed), place)
}

/** Reads it again; `null` when it is missing, altered or too old. */
export function openSignOutRequest(ports: Ports, sealed: string | null): SignOutRequest | null {
  const opened = sealed === null ? null : openOrNull(ports, sealed)
  if (opened === null || opened.expiresAt <= ports.clock.now().getTime()) return null
  const { clientName, redirect, ignored } = opened
  return { clientName, redirect, ignored }
}

function openOrNull(ports: Ports, sealed: string): Sealed | null {
  try {
    return JSON.parse(ports.sealing.open(sealed, place))
  } catch {
    // Altered or from elsewhere: as good as none
    return null
  }
}

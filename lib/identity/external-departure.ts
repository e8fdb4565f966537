/** A sign-in that is away at a provider: what goes with the browser, and what stays here to compare the return with. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Digest, Handle, PendingHandle } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { openPending, sealPending } from './sealed-pending.ts'

type State = Handle<'externalState'> | Handle<'trialState'>

export type Departure = {
  readonly state: State
  readonly nonce: string
  readonly codeVerifier: string
}

export function newDeparture({ random }: Pick<Ports, 'random'>, state: State): Departure {
  // RFC 7636 4.1: a verifier has at least 43 characters; two ids make 256 bits.
  return {
    state,
    nonce: random.id(),
    codeVerifier: random.id() + random.id(),
  }
}

type Traveller = {
  readonly provider: IdentityProvider
  /** Digest of the one handle that can finish it: the browser's, or the admin's visit. */
  readonly traveller: Digest
  readonly pending: PendingHandle | null
}

/** Stores a departure, bound to the traveller and the provider. Secrets in it are sealed. */
export async function storeDeparture(
  ports: Ports,
  departure: Departure,
  traveller: Traveller,
): Promise<void> {
  const state = ports.hashing.digest(departure.state)
  await ports.externalSignIns.create({
    state,
    browser: traveller.traveller,
    scheme: traveller.provider.scheme,
    sealedPending: sealPending(ports, traveller.pending, pendingPlace(state)),
    nonce: departure.nonce,
    sealedCodeVerifier: ports.sealing.seal(departure.codeVerifier, verifierPlace(state)),
    expiresAt: secondsAfter(ports.clock.now(), lifetimeSeconds.externalSignIn),
  })
}

export type Return = Departure & { readonly scheme: string; readonly pending: PendingHandle | null }

/** Takes the state that a callback names. It is consumed by this: `null` for every later caller. */
export async function takeDeparture(
  ports: Ports,
  { state, traveller }: { readonly state: State | null; readonly traveller: Digest },
): Promise<Return | null> {
  if (state === null) return null
  const digest = ports.hashing.digest(state)
  const stored = await ports.externalSignIns.take(digest, traveller, ports.clock.now())
  if (stored === null) return null
  return {
    state,
    nonce: stored.nonce,
    scheme: stored.scheme,
    codeVerifier: ports.sealing.open(stored.sealedCodeVerifier, verifierPlace(digest)),
    pending: openPending(ports, stored.sealedPending, pendingPlace(digest)),
  }
}

function pendingPlace(state: string): string {
  return `external_sign_ins:pending:${state}`
}

function verifierPlace(state: string): string {
  return `external_sign_ins:code_verifier:${state}`
}

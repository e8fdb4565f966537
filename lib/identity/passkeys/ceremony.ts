/**
 * The challenges of passkeys. A challenge is sealed together with its expiry and sent to the browser, so that making one
 * stores nothing. It works once, before it expires, and only in the browser and for the purpose for which it was made.
 */
import { z } from 'zod'
import { passkeys as limits } from '#lib/config/limits.ts'
import { openSealedJson } from '#lib/ports/environment.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, Handle, SubjectId } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

/** The use of a challenge. */
export type CeremonyBinding = {
  readonly purpose: 'sign_in' | 'second_factor' | 'confirm' | 'register'
  readonly browser: BrowserHandle
  /** The user whose passkey is used or created; `null` if the passkey itself names the user. */
  readonly subject: SubjectId | null
  /** The interrupted sign-in to which a second factor is added. */
  readonly partial: Handle<'partial'> | null
}

/** A challenge with its sealed form, which the browser sends back. */
export type Ceremony = { readonly challenge: string; readonly sealed: string }

export type CeremonyRefusal =
  | 'passkey_challenge_unknown'
  | 'passkey_challenge_expired'
  | 'passkey_challenge_used'

const sealedSchema = z.object({
  challenge: z.string(),
  /** The expiry in milliseconds since the epoch. */
  endsAt: z.number(),
})

/** Makes a challenge of 128 random bits (Web Authentication Level 3, 13.4.3). */
export function beginCeremony(
  { random, clock, sealing, hashing }: Pick<Ports, 'random' | 'clock' | 'sealing' | 'hashing'>,
  binding: CeremonyBinding,
): Ceremony {
  const challenge = random.id()
  const endsAt = secondsAfter(clock.now(), limits.ceremonySeconds).getTime()
  return { challenge, sealed: sealing.seal(JSON.stringify({ challenge, endsAt }), placeOf(hashing, binding)) }
}

/** Uses a challenge up, before its response is checked. Of several concurrent calls, one gets the challenge. */
export async function consumeCeremony(
  { clock, sealing, hashing, usedIds }: Pick<Ports, 'clock' | 'sealing' | 'hashing' | 'usedIds'>,
  sealed: string,
  binding: CeremonyBinding,
): Promise<{ readonly challenge: string } | { readonly refused: CeremonyRefusal }> {
  const opened = sealedSchema.safeParse(openSealedJson(sealing, sealed, placeOf(hashing, binding)))
  if (!opened.success) return { refused: 'passkey_challenge_unknown' }
  const { challenge, endsAt } = opened.data
  if (endsAt <= clock.now().getTime()) return { refused: 'passkey_challenge_expired' }
  if (!(await usedIds.claim(challenge, new Date(endsAt)))) return { refused: 'passkey_challenge_used' }
  return { challenge }
}

/** Returns the sealing context, which contains the whole binding: with a different one, the challenge cannot be opened. */
function placeOf(hashing: Ports['hashing'], { purpose, browser, subject, partial }: CeremonyBinding): string {
  return `passkeys:challenge:${hashing.digest(JSON.stringify([purpose, browser, subject, partial]))}`
}

/** The offer of a passkey after a sign-in with a password: at most once a month, and never again after a refusal. */
import { passkeys as limits } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

type OfferPorts = Pick<Ports, 'policies' | 'settings' | 'clock' | 'passkeys' | 'subjectPreferences'>

/** Decides whether to offer a passkey to the user now, and stores the time of the offer. */
export async function beginOffer(ports: OfferPorts, subject: SubjectId): Promise<boolean> {
  const { policies, settings, clock, passkeys, subjectPreferences } = ports
  if (settings.relyingParty.kind === 'off' || !(await policies.current()).offer_passkeys) return false
  const preference = await subjectPreferences.find(subject)
  const now = clock.now()
  const { refusesPasskeys, passkeyOfferedAt: last } = preference
  if (refusesPasskeys || (last !== null && secondsAfter(last, limits.offerSeconds) > now)) return false
  if ((await passkeys.allOf(subject)).length > 0) return false
  await subjectPreferences.put(subject, { ...preference, passkeyOfferedAt: now })
  return true
}

/** Ends the offers to a user. */
export async function refuseOffers(
  { subjectPreferences }: Pick<Ports, 'subjectPreferences'>,
  subject: SubjectId,
): Promise<void> {
  const preference = await subjectPreferences.find(subject)
  await subjectPreferences.put(subject, { ...preference, refusesPasskeys: true })
}

/** The state of a signing key in its life cycle. */

type KeyTimes = {
  readonly activatesAt: Date
  readonly retiresAt: Date | null
  readonly expiresAt: Date | null
}

type KeyState = 'next' | 'active' | 'retiring' | 'expired'

/** Returns the state. `next` is published and does not sign yet; `retiring` only verifies. */
export function keyState(key: KeyTimes, now: Date): KeyState {
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired'
  if (key.retiresAt !== null && key.retiresAt <= now) return 'retiring'
  return key.activatesAt > now ? 'next' : 'active'
}

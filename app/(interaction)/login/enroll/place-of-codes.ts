import type { SignInPlace } from '#lib/http/respond-sign-in.ts'
import { recoveryCodesPath } from '#lib/protocol/wire/local-paths.ts'
import { withHandles } from '../second-factor/carried.ts'

/** Returns the place after a sign-in in which an authenticator app was set up: its recovery codes are shown before the app continues. */
export function placeOfCodes(pending: SignInPlace['pending']): Pick<SignInPlace, 'pending' | 'back'> {
  return { pending: null, back: withHandles(recoveryCodesPath, pending === null ? {} : { pending }) }
}

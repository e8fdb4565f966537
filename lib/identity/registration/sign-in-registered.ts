/** The sign-in of a user whose account was created just now, with the password that the user chose. */
import { findInteraction } from '#lib/core/authorize/pending.ts'
import { passwordHashDigest } from '#lib/core/sign-in/account-check.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Authentication, SignInHints } from '#lib/ports/users.ts'
import type { BrowserHandle, PendingHandle, SessionHandle, SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { finishSignIn, localSignIn } from '../finish-sign-in.ts'
import { hintsOf } from '../interaction.ts'
import { beginOffer } from '../passkeys/offer.ts'
import { markKnownBrowser } from '../sign-in-limits.ts'
import type { SignInOutcome } from '../sign-in-outcome.ts'
import type { RegistrationDetails } from './new-account.ts'

/** The values that the browser of a new user sends. */
export type NewSignIn = {
  readonly browser: BrowserHandle | null
  readonly previous: readonly SessionHandle[]
  readonly knownBrowser: string | null
  readonly canCreatePasskeys: boolean
}

export type RegisteredSignIn = SignInOutcome & {
  readonly pending: PendingHandle | null
  readonly back: string | null
  readonly username: string
}

type Registered = NewSignIn &
  Pick<RegistrationDetails, 'username' | 'passwordHash' | 'pending' | 'back'> & {
    readonly subject: SubjectId
  }

/** Signs the user in, with every step that a sign-in needs. */
export async function signInRegistered(
  ports: Ports,
  { subject, username, passwordHash, pending, back, ...sent }: Registered,
  context: RequestContext,
): Promise<RegisteredSignIn> {
  const { browser, previous, knownBrowser, canCreatePasskeys } = sent
  const interaction = await findInteraction(ports, pending, browser)
  const hints = hintsOf(interaction)
  const account = await ports.userService.canonicalUsername(username)
  const result = await authenticate(ports, subject, hints, passwordHash)
  const credential = { kind: 'password', hash: null } as const
  const facts = { ...localSignIn, credential, account, remember: false }
  const signIn = { ...facts, pending, browser, previous, hints }
  const outcome = await finishSignIn(ports, result, signIn, context)
  const place = { pending, back, username }
  if (outcome.kind !== 'signed_in') return { ...outcome, ...place }
  const mayOffer = canCreatePasskeys && (interaction?.request.maxAgeSeconds ?? null) === null
  return {
    ...outcome,
    ...place,
    knownBrowser: await markKnownBrowser(ports, knownBrowser, { account }),
    offersPasskey: mayOffer && (await beginOffer(ports, subject)),
  }
}

/** Asks the user service, which has not checked the password: the user chose it a moment ago. */
async function authenticate(
  { userService, hashing }: Pick<Ports, 'userService' | 'hashing'>,
  subject: SubjectId,
  hints: SignInHints,
  passwordHash: string,
): Promise<Authentication> {
  const decide = userService.authenticateSubject ?? userService.completePartial
  const result = await decide(subject, hints)
  if (result.kind !== 'full') return result
  const isHere = result.account !== undefined
  const provenHash = isHere ? passwordHashDigest(hashing, { passwordHash }) : null
  return { ...result, amr: ['pwd'], ...(provenHash === null ? {} : { provenHash }) }
}

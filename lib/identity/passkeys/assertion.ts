/** The use of a passkey: the options for the browser, and the verification of its response (Web Authentication Level 3, 7.2). */
import { passkeys as limits } from '#lib/config/limits.ts'
import { checkWithinLimits } from '#lib/core/limits/attempt-limits.ts'
import { passkeyMethods } from '#lib/core/sign-in/assurance.ts'
import type { Passkey, RelyingParty } from '#lib/ports/passkeys.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Factor } from '#lib/ports/sign-in-steps.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { recordLimited, recordRefusal, type SignInContext } from '../finish-sign-in.ts'
import { passkeyAttemptLimits } from '../sign-in-limits.ts'
import { refused as refusedSignIn, type SignInRefused } from '../sign-in-outcome.ts'
import { beginCeremony, type CeremonyBinding, type CeremonyRefusal, consumeCeremony } from './ceremony.ts'
import { isFramed, readAssertion } from './responses.ts'
import { userHandleOf } from './user-handle.ts'

/** The fields that a form sends. */
export type SentCeremony = { readonly ceremony: string; readonly response: string }

export type PasskeyRefusal = {
  readonly kind: 'refused'
  readonly reason:
    | CeremonyRefusal
    | 'passkeys_off'
    | 'passkey_unreadable'
    | 'passkey_unknown'
    | 'passkey_of_another_user'
    | 'passkey_not_verified'
    | 'passkey_cloned'
  /** The owner of the passkey, if it is known. */
  readonly subject?: SubjectId
  /** The ID of a passkey that this server does not know. */
  readonly unknownId?: string
}

export type VerifiedPasskey = {
  readonly kind: 'verified'
  readonly passkey: Passkey
  readonly isUserVerified: boolean
}

type AssertionPorts = Pick<Ports, 'settings' | 'clock' | 'sealing' | 'hashing' | 'usedIds' | 'passkeys'>

/** `requiresUser`: whether the authenticator must have verified the user. */
export type AssertionBinding = CeremonyBinding & { readonly requiresUser: boolean }

/**
 * Returns the options for the browser, with the sealed challenge; `null` if there are no passkeys at this address. `allowed`: the
 * passkeys that can be used; if it is empty, the authenticator finds those for this server.
 */
export function assertionOptions(
  ports: Pick<Ports, 'settings' | 'random' | 'clock' | 'sealing' | 'hashing'>,
  binding: AssertionBinding,
  allowed: readonly Passkey[],
) {
  const { relyingParty } = ports.settings
  if (relyingParty.kind === 'off') return null
  const { challenge, sealed } = beginCeremony(ports, binding)
  const options = {
    challenge,
    rpId: relyingParty.id,
    allowCredentials: allowed.map(({ id, transports }) => ({ type: 'public-key', id, transports })),
    userVerification: binding.requiresUser ? 'required' : 'preferred',
    timeout: limits.ceremonySeconds * 1000,
  } as const
  return { ceremony: sealed, options }
}

type KnownUser = {
  readonly sent: SentCeremony
  readonly binding: AssertionBinding & { readonly subject: SubjectId }
  readonly signIn: SignInContext
}

/** Verifies the passkey of a user who is already known, within the limits of the address, and records a failed attempt. */
export async function verifyWithinLimits(
  ports: Ports,
  { sent, binding, signIn }: KnownUser,
  context: RequestContext,
): Promise<VerifiedPasskey | SignInRefused<'limited' | 'passkey'>> {
  const attempt = await checkWithinLimits(ports, passkeyAttemptLimits(context), {
    check: () => verifyAssertion(ports, sent, binding),
    isFailure: ({ kind }) => kind === 'refused',
  })
  if (attempt.kind === 'limited') return recordLimited(ports, attempt.retryAfterSeconds, signIn, context)
  if (attempt.result.kind === 'verified') return attempt.result
  recordRefusal(ports, { reason: attempt.result.reason, subject: binding.subject }, signIn, context)
  return refusedSignIn('passkey')
}

/**
 * Verifies the response to the challenge of this binding, and stores the use of the passkey. The challenge is used up even
 * if the response is wrong.
 */
export async function verifyAssertion(
  ports: AssertionPorts,
  { ceremony, response }: SentCeremony,
  binding: AssertionBinding,
): Promise<VerifiedPasskey | PasskeyRefusal> {
  const relyingParty = ports.settings.relyingParty
  if (relyingParty.kind === 'off') return refused('passkeys_off')
  const assertion = readAssertion(response)
  if (assertion === null) return refused('passkey_unreadable')
  const used = await consumeCeremony(ports, ceremony, binding)
  if ('refused' in used) return refused(used.refused)
  const passkey = await ports.passkeys.find(assertion.id)
  if (passkey === null) return { ...refused('passkey_unknown'), unknownId: assertion.id }
  const { subject } = passkey
  if (!belongs(ports, { passkey, sentHandle: assertion.response.userHandle, binding }))
    return refused('passkey_of_another_user', subject)
  const expected = { ...used, relyingParty, requiresUser: binding.requiresUser }
  const proof = await checkSignature(assertion, passkey, expected)
  if (proof === null) return refused('passkey_not_verified', subject)
  const stored = await storeUse(ports, passkey, proof)
  if (stored !== 'stored') return refused(stored, subject)
  return { kind: 'verified', passkey, isUserVerified: proof.isUserVerified }
}

function refused(reason: PasskeyRefusal['reason'], subject?: SubjectId): PasskeyRefusal {
  return { kind: 'refused', reason, ...(subject === undefined ? {} : { subject }) }
}

type Owned = {
  readonly passkey: Passkey
  readonly sentHandle: string | undefined
  readonly binding: CeremonyBinding
}

/**
 * Whether the passkey is that of the expected user, and the user handle that of its owner. Without an expected user, the
 * authenticator must send the handle (Web Authentication Level 3, 7.2, step 6).
 */
function belongs({ hashing }: Pick<Ports, 'hashing'>, { passkey, sentHandle, binding }: Owned): boolean {
  if (binding.subject === null && sentHandle === undefined) return false
  if (binding.subject !== null && binding.subject !== passkey.subject) return false
  return sentHandle === undefined || sentHandle === userHandleOf(hashing, passkey.subject)
}

type Proof = {
  readonly signatureCounter: number
  readonly isUserVerified: boolean
  readonly isBackedUp: boolean
}

type Expected = {
  readonly challenge: string
  readonly relyingParty: RelyingParty
  readonly requiresUser: boolean
}

/** Returns the data that the passkey signed; `null` if signature, challenge, origin, RP ID or flags are wrong. */
async function checkSignature(
  assertion: NonNullable<ReturnType<typeof readAssertion>>,
  { id, publicKey, canBeBackedUp }: Passkey,
  { challenge, relyingParty, requiresUser }: Expected,
): Promise<Proof | null> {
  if (isFramed(assertion.response.clientDataJSON)) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { userHandle, ...signed } = assertion.response
  const verification = await verifyAuthenticationResponse({
    response: { ...assertion, response: signed, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: relyingParty.id,
    // The counter is compared after the signature was verified, so that only the passkey itself can be reported as cloned
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    requireUserVerification: requiresUser,
    // The library throws an ordinary error for every wrong response
  }).catch(() => null)
  if (verification?.verified !== true) return null
  const { newCounter, userVerified, credentialBackedUp, credentialDeviceType } =
    verification.authenticationInfo
  // Web Authentication Level 3, 7.2, step 18: it never changes
  if ((credentialDeviceType === 'multiDevice') !== canBeBackedUp) return null
  return { signatureCounter: newCounter, isUserVerified: userVerified, isBackedUp: credentialBackedUp }
}

/** The number of concurrent uses of one passkey, after which the next one is refused. */
const mostAttempts = 3

/**
 * Stores the use. `passkey_cloned`: the counter has not grown, so another device may have a copy of the key (Web
 * Authentication Level 3, 6.1.1). Authenticators without a counter always send 0.
 */
async function storeUse(
  { passkeys, clock }: Pick<Ports, 'passkeys' | 'clock'>,
  { id, ...known }: Passkey,
  { signatureCounter, isBackedUp }: Proof,
): Promise<'stored' | 'passkey_cloned' | 'passkey_unknown'> {
  let before = known.signatureCounter
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    if (signatureCounter <= before && (signatureCounter > 0 || before > 0)) return 'passkey_cloned'
    if (await passkeys.recordUse({ id, before, signatureCounter, isBackedUp }, clock.now())) return 'stored'
    // Another use has changed the counter since it was read, or the user has removed the passkey
    const current = await passkeys.find(id)
    if (current === null) return 'passkey_unknown'
    before = current.signatureCounter
  }
  return 'passkey_cloned'
}

/** Returns the methods and the credential of a factor. */
export function factorOfPasskey({
  passkey,
  isUserVerified,
}: VerifiedPasskey): Pick<Factor, 'methods' | 'credential'> {
  const { id, canBeBackedUp } = passkey
  return {
    methods: passkeyMethods({ canBeBackedUp, isUserVerified }),
    credential: { kind: 'passkey', id, isUserVerified },
  }
}

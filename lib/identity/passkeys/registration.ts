/** Creates passkeys (Web Authentication Level 3, 7.1). */
import { passkeys as limits } from '#lib/config/limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import type { ChangeSource } from '#lib/ports/change-source.ts'
import type { Passkey, RelyingParty } from '#lib/ports/passkeys.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { SentCeremony } from './assertion.ts'
import { beginCeremony, type CeremonyRefusal, consumeCeremony } from './ceremony.ts'
import { isFramed, readAttestation } from './responses.ts'
import { userHandleOf } from './user-handle.ts'

/** Ed25519, ES256 and RS256: between them, what authenticators support (IANA COSE Algorithms). */
const algorithms = [-8, -7, -257]

export type RegisterOptionsInput = {
  readonly subject: SubjectId
  /** The names that the authenticator shows: one that distinguishes accounts, and the name of the user. */
  readonly username: string
  readonly displayName: string
  readonly siteName: string
  readonly browser: BrowserHandle
}

/** Returns the options for the browser, with the sealed challenge; `null` if there are no passkeys at this address. */
export async function registerOptions(
  ports: Pick<Ports, 'settings' | 'random' | 'clock' | 'sealing' | 'hashing' | 'passkeys'>,
  { subject, username, displayName, siteName, browser }: RegisterOptionsInput,
) {
  const relyingParty = ports.settings.relyingParty
  if (relyingParty.kind === 'off') return null
  const { challenge, sealed } = beginCeremony(ports, registerBinding(subject, browser))
  const existing = await ports.passkeys.allOf(subject)
  const options = {
    challenge,
    rp: { id: relyingParty.id, name: siteName },
    user: { id: userHandleOf(ports.hashing, subject), name: username, displayName },
    pubKeyCredParams: algorithms.map(alg => ({ type: 'public-key', alg })),
    timeout: limits.ceremonySeconds * 1000,
    attestation: 'none',
    excludeCredentials: existing.map(({ id, transports }) => ({ type: 'public-key', id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    extensions: { credProps: true },
  } as const
  return { ceremony: sealed, options }
}

function registerBinding(subject: SubjectId, browser: BrowserHandle) {
  return { purpose: 'register', subject, browser, partial: null } as const
}

export type NewPasskeyInput = SentCeremony & {
  readonly subject: SubjectId
  /** The identity provider of the session; see `Passkey`. */
  readonly idp: string
  readonly browser: BrowserHandle
  readonly within: ChangeSource | undefined
  /** Returns the name by which the user recognizes the passkey, from the AAGUID of its authenticator. */
  readonly nameOf: (aaguid: string) => string
}

export type RegistrationRefusal =
  | CeremonyRefusal
  | 'passkeys_off'
  | 'request_expired'
  | 'passkey_unreadable'
  | 'passkey_not_verified'
  | 'passkey_exists'
  | 'too_many_passkeys'

export type Registered =
  | { readonly kind: 'added'; readonly passkey: Passkey; readonly isUserVerified: boolean }
  | { readonly kind: 'refused'; readonly reason: RegistrationRefusal }

/** Verifies the response of the browser, stores the passkey and informs the user by mail. */
export async function finishRegistration(
  ports: Ports,
  input: NewPasskeyInput,
  context: RequestContext,
): Promise<Registered> {
  const { subject } = input
  const registered = await register(ports, input)
  const event = { name: 'passkey_added', subject } as const
  if (registered.kind === 'added') ports.events.record({ ...event, outcome: 'success' }, context)
  else ports.events.record({ ...event, outcome: 'failure', reason: registered.reason }, context)
  return registered
}

async function register(ports: Ports, input: NewPasskeyInput): Promise<Registered> {
  const { subject, browser, ceremony, response, idp, nameOf, within } = input
  const relyingParty = ports.settings.relyingParty
  if (relyingParty.kind === 'off') return refused('passkeys_off')
  const attestation = readAttestation(response)
  if (attestation === null) return refused('passkey_unreadable')
  const used = await consumeCeremony(ports, ceremony, registerBinding(subject, browser))
  if ('refused' in used) return refused(used.refused)
  const verified = await verifyAttestation(attestation, { ...used, relyingParty })
  if (verified === null) return refused('passkey_not_verified')
  const { isUserVerified, ...created } = verified
  const name = nameOf(created.aaguid)
  const passkey = { ...created, subject, idp, name, createdAt: ports.clock.now(), lastUsedAt: null }
  const notices = await securityNotice(ports, subject, 'passkey_added')
  const stored = await ports.passkeys.add(passkey, { most: limits.most, notices, within })
  if (stored === 'ended') return refused('request_expired')
  if (stored === 'duplicate') return refused('passkey_exists')
  return stored === 'too_many' ? refused('too_many_passkeys') : { kind: 'added', passkey, isUserVerified }
}

function refused(reason: RegistrationRefusal): Registered {
  return { kind: 'refused', reason }
}

type Expected = { readonly challenge: string; readonly relyingParty: RelyingParty }

type CreatedPasskey = Omit<Passkey, 'subject' | 'idp' | 'name' | 'createdAt' | 'lastUsedAt'> & {
  readonly isUserVerified: boolean
}

/** Returns the new passkey; `null` if challenge, origin, RP ID, flags or key are wrong. */
async function verifyAttestation(
  attestation: NonNullable<ReturnType<typeof readAttestation>>,
  { challenge, relyingParty }: Expected,
): Promise<CreatedPasskey | null> {
  const { response, clientExtensionResults, ...credential } = attestation
  if (isFramed(response.clientDataJSON)) return null
  const { transports = [], clientDataJSON, attestationObject: sent } = response
  const attestationObject = await withoutStatement(sent)
  if (attestationObject === null) return null
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const signed = { clientDataJSON, attestationObject }
  const verification = await verifyRegistrationResponse({
    response: { ...credential, response: signed, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: relyingParty.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
    // The library throws an ordinary error for every wrong response
  }).catch(() => null)
  if (verification?.verified !== true) return null
  const {
    credential: created,
    credentialDeviceType,
    credentialBackedUp,
    aaguid,
    userVerified: isUserVerified,
  } = verification.registrationInfo
  // The ID outside the signed data is not protected
  if (created.id !== credential.id) return null
  return {
    id: created.id,
    publicKey: Buffer.from(created.publicKey).toString('base64url'),
    signatureCounter: created.counter,
    transports,
    isBackedUp: credentialBackedUp,
    canBeBackedUp: credentialDeviceType === 'multiDevice',
    isDiscoverable: clientExtensionResults?.credProps?.rk ?? null,
    aaguid,
    isUserVerified,
  }
}

/**
 * Removes the attestation statement, which this server does not ask for; `null` if the object cannot be read. NOTE: the library
 * would check the certificates of a statement, and send requests to the addresses that they name.
 */
async function withoutStatement(attestationObject: string): Promise<string | null> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers')
  try {
    const authData = decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData')
    const kept = new Map<string, string | Uint8Array | Map<string, never>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', authData],
    ])
    return Buffer.from(isoCBOR.encode(kept)).toString('base64url')
  } catch {
    // Not the CBOR that an authenticator makes
    return null
  }
}

/** The pages after the mail of a registration: its code is typed, or its link is opened, and the account is created. */
import { rateLimits } from '#lib/config/limits.ts'
import { findInteraction } from '#lib/core/authorize/pending.ts'
import { checkWithinLimits, ownLimits } from '#lib/core/limits/attempt-limits.ts'
import { callerAt } from '#lib/ports/check-caller.ts'
import type { MailProof } from '#lib/ports/mail-proofs.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, MailLinkHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { type ShownRequest, shownRequest } from '../interaction.ts'
import {
  type CodeOutcome,
  findProofByPage,
  type PageProof,
  redeemProofCode,
  type WaitingProof,
  waitingProof,
} from '../mail-proofs.ts'
import {
  createAccount,
  findRegistration,
  type OpenRegistration,
  openDetails,
  purpose,
  type RegistrationDetails,
} from './new-account.ts'
import { askForProof, countRequest, type RegistrationOutcome } from './request-registration.ts'
import { type NewSignIn, type RegisteredSignIn, signInRegistered } from './sign-in-registered.ts'

/** A registration that waits for its code. */
export type WaitingRegistration = Pick<RegistrationDetails, 'email' | 'invitation' | 'pending' | 'back'> &
  WaitingProof

/** Returns the registration of this page; `null` if it is unknown, has expired, or was made in another browser. */
export async function waitingRegistration(
  ports: Ports,
  asked: PageProof,
): Promise<WaitingRegistration | null> {
  const proof = await findProofByPage(ports, purpose, asked)
  if (proof === null) return null
  const { email, invitation, pending, back } = openDetails(ports, proof)
  return { email, invitation, pending, back, ...waitingProof(ports, proof) }
}

/** Exchanges the code for a new link: see `redeemProofCode`. */
export function redeemRegistrationCode(
  ports: Ports,
  typed: PageProof & { readonly code: string },
): Promise<CodeOutcome> {
  return redeemProofCode(ports, purpose, typed)
}

export type ResendOutcome =
  | Extract<RegistrationOutcome, { kind: 'requested' | 'limited' }>
  | { readonly kind: 'expired' | 'wait' }

/** Sends a further mail with the same details. Its link ends the earlier one. */
export async function resendRegistration(
  ports: Ports,
  asked: PageProof,
  context: RequestContext,
): Promise<ResendOutcome> {
  const proof = await findProofByPage(ports, purpose, asked)
  if (proof === null) return { kind: 'expired' }
  if (waitingProof(ports, proof).waitSeconds > 0) return { kind: 'wait' }
  const limited = await countRequest(ports, context)
  return limited ?? askForProof(ports, openDetails(ports, proof), asked.browser, context)
}

type LinkProof = { readonly link: MailLinkHandle | null; readonly browser: BrowserHandle | null }

type Confirmable = {
  readonly proof: MailProof
  readonly details: RegistrationDetails
  readonly open: OpenRegistration
  /** Whether this is the browser in which the password was chosen. */
  readonly isSameBrowser: boolean
}

/** Returns the registration of a link; `null` if the link does not work, or registration has been closed. */
async function findConfirmable(ports: Ports, { link, browser }: LinkProof): Promise<Confirmable | null> {
  if (link === null) return null
  const { mailProofs, hashing, clock } = ports
  const proof = await mailProofs.findByLink(hashing.digest(link), purpose, clock.now())
  if (proof === null) return null
  const details = openDetails(ports, proof)
  const { invitation } = details
  const open = await findRegistration(ports, { interaction: null, invitation })
  if (open === null) return null
  const isSameBrowser = browser !== null && hashing.digest(browser) === proof.browser
  return { proof, details, open, isSameBrowser }
}

/** The request is absent if the link was opened in another browser. */
export type RegistrationView = ShownRequest &
  Pick<RegistrationDetails, 'username' | 'email' | 'pending' | 'back'> & {
    /**
     * Whether the password must be entered: someone else may have sent the form with the address of the user who reads the
     * mail. That user does not know the password, and so cannot create an account for the sender of the form.
     */
    readonly needsPassword: boolean
  }

/** Returns the content of the page of a link; `null` if the link does not work. Changes nothing. */
export async function registrationView(ports: Ports, asked: LinkProof): Promise<RegistrationView | null> {
  const found = await findConfirmable(ports, asked)
  if (found === null) return null
  const { details, isSameBrowser } = found
  const { username, email, pending, back } = details
  const interaction = await findInteraction(ports, pending, asked.browser)
  return { username, email, pending, back, needsPassword: !isSameBrowser, ...shownRequest(interaction) }
}

export type ConfirmationInput = LinkProof & NewSignIn & { readonly password: string }

export type ConfirmationOutcome =
  | { readonly kind: 'expired' | 'wrong_password' }
  /** Another account has the address now: the user signs in to that one. */
  | ({ readonly kind: 'exists' } & Pick<RegistrationDetails, 'pending' | 'back'>)
  /** The user name was taken in the meantime: the user registers again. */
  | ({ readonly kind: 'taken' } & Pick<RegistrationDetails, 'pending' | 'back' | 'invitation'>)
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'registered'; readonly signIn: RegisteredSignIn }

/**
 * Creates the account with the verified address, once for each link, and signs the user in. In another browser than that of
 * the form, the password proves that the form was sent by the user who reads the mail.
 */
export async function confirmRegistration(
  ports: Ports,
  input: ConfirmationInput,
  context: RequestContext,
): Promise<ConfirmationOutcome> {
  const found = await findConfirmable(ports, input)
  if (found === null) return { kind: 'expired' }
  const { proof, details, open, isSameBrowser } = found
  const { service } = open
  const limits = ownLimits([{ key: `registration:password:${proof.page}`, ...rateLimits.account }])
  const attempt = await checkWithinLimits(ports, limits, {
    check: async () =>
      isSameBrowser ||
      service.verifyPassword(input.password, details.passwordHash, callerAt(context.address)),
    isFailure: isRight => !isRight,
  })
  if (attempt.kind === 'limited') return attempt
  if (!attempt.result) return { kind: 'wrong_password' }
  // In another browser, no request of an app waits
  const pending = isSameBrowser ? details.pending : null
  const back = isSameBrowser ? details.back : null
  // The address was verified for another account in the meantime
  if ((await service.findByAddress(details.email)).length > 0) return { kind: 'exists', pending, back }
  const consume = () => ports.mailProofs.take(proof.digest)
  const result = await createAccount(ports, { service, details, isVerified: true, consume }, context)
  if (result.kind === 'expired') return result
  if (result.kind === 'exists') return { ...result, pending, back }
  if (result.kind === 'taken') return { ...details, kind: 'taken' }
  const registered = { ...input, ...details, pending, back, subject: result.subject }
  return { kind: 'registered', signIn: await signInRegistered(ports, registered, context) }
}

/** The form of the registration page: creates the account, or first sends a mail to its address. */
import { rateLimits } from '#lib/config/limits.ts'
import { findInteraction } from '#lib/core/authorize/pending.ts'
import { callerAt } from '#lib/ports/check-caller.ts'
import type { Ports } from '#lib/ports/ports.ts'
import {
  type BrowserHandle,
  type MailPageHandle,
  type PendingHandle,
  subjectIdSchema,
} from '#lib/protocol/ids.ts'
import { networkRules } from '#lib/protocol/network-limits.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { requestEmailChange } from '../email-change/request-email-change.ts'
import { makeMailProof } from '../mail-proofs.ts'
import { type ChoiceProblem, ownerOf, type PasswordChoice, problemsOfChoice } from '../password-choice.ts'
import {
  askedFields,
  type EnteredRegistration,
  faultsOf,
  type RegistrationFault,
} from './entered-registration.ts'
import {
  createAccount,
  findRegistration,
  type InvitationHandle,
  type OpenRegistration,
  purpose,
  type RegistrationDetails,
} from './new-account.ts'
import { isMailAllowed, sendRegistrationMail } from './registration-mail.ts'
import { type NewSignIn, type RegisteredSignIn, signInRegistered } from './sign-in-registered.ts'

export type RegistrationInput = EnteredRegistration &
  PasswordChoice &
  NewSignIn & {
    readonly invitation: InvitationHandle | null
    readonly pending: PendingHandle | null
    readonly back: string | null
    readonly locale: string
  }

export type RegistrationOutcome =
  | { readonly kind: 'closed' }
  /** The invited user, who reads the mails of the address, has an account with it. */
  | { readonly kind: 'exists' }
  | {
      readonly kind: 'unfit'
      readonly faults: readonly RegistrationFault[]
      readonly password: readonly ChoiceProblem[]
    }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  /** A mail is sent, whose code the page takes in this browser. */
  | { readonly kind: 'requested'; readonly page: MailPageHandle; readonly browser: BrowserHandle }
  | { readonly kind: 'registered'; readonly signIn: RegisteredSignIn }

/**
 * Checks the form. With verification before the first sign-in, the answer and its time are the same whether or not an account
 * has the address (AU-05): only the mail differs, which is written after the response.
 */
export async function requestRegistration(
  ports: Ports,
  input: RegistrationInput,
  context: RequestContext,
): Promise<RegistrationOutcome> {
  const interaction = await findInteraction(ports, input.pending, input.browser)
  const open = await findRegistration(ports, { ...input, interaction })
  if (open === null) return { kind: 'closed' }
  const entered = withPolicies(input, open)
  const limited = await countRequest(ports, context)
  if (limited !== null) return limited
  const unfit = await findFaults(ports, { ...input, ...entered }, open)
  if (unfit !== null) return unfit
  if (await open.service.isTaken(entered.username)) {
    // A name that is an address is not revealed: its owner gets a mail
    if (!open.policies.email_as_username) return taken
  }
  const passwordHash = await open.service.hashPassword(input.password, callerAt(context.address))
  const details = detailsOf(ports, { ...input, ...entered }, open, passwordHash)
  if (open.verification === 'first') return askForProof(ports, details, input.browser, context)
  return createNow(ports, { open, details, input }, context)
}

/** Returns the user name and the address that the account gets. */
function withPolicies(
  { email, username, ...others }: RegistrationInput,
  { policies, invitation }: OpenRegistration,
): EnteredRegistration {
  const address = invitation?.email ?? email
  const { fields, acceptedTerms } = others
  return {
    ...{ fields, acceptedTerms },
    email: address,
    username: policies.email_as_username ? address : username.normalize('NFC'),
  }
}

async function findFaults(
  ports: Ports,
  input: EnteredRegistration & PasswordChoice,
  { policies, invitation }: OpenRegistration,
): Promise<Extract<RegistrationOutcome, { kind: 'unfit' }> | null> {
  const faults = faultsOf(input, policies)
  const claims = { ...invitation?.claims, ...input.fields, email: input.email }
  const password = await problemsOfChoice(ports, input, ownerOf({ username: input.username, claims }))
  return faults.length + password.length === 0 ? null : { kind: 'unfit', faults, password }
}

const taken = {
  kind: 'unfit',
  faults: [{ input: 'username', kind: 'taken' }],
  password: [],
} as const satisfies RegistrationOutcome

/** Counts a request before anything is looked up, hashed or mailed for it. */
export async function countRequest(
  { rateLimiter, clock }: Pick<Ports, 'rateLimiter' | 'clock'>,
  { address }: RequestContext,
): Promise<Extract<RegistrationOutcome, { kind: 'limited' }> | null> {
  if (address === null) return null
  const rules = networkRules('registration:address', address, rateLimits.registrationAddress)
  const permit = await rateLimiter.consume(rules, clock.now())
  return permit.kind === 'limited' ? permit : null
}

function detailsOf(
  { random }: Pick<Ports, 'random'>,
  { email, username, fields, invitation, pending, back, locale }: RegistrationInput,
  { policies, invitation: invited }: OpenRegistration,
  passwordHash: string,
): RegistrationDetails {
  const entered = askedFields(policies).flatMap(({ name }) => {
    const text = fields[name] ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  return {
    ...{ email, username, passwordHash, invitation, pending, back, locale },
    subject: subjectIdSchema.parse(random.id()),
    claims: { locale, ...invited?.claims, ...Object.fromEntries(entered) },
    terms: policies.terms_uri === null ? null : policies.terms_version,
  }
}

/** Stores the details sealed, without an account, and sends the mail after the response. */
export async function askForProof(
  ports: Ports,
  details: RegistrationDetails,
  browser: BrowserHandle | null,
  context: RequestContext,
): Promise<Extract<RegistrationOutcome, { kind: 'requested' }>> {
  const made = await makeMailProof(ports, { purpose, browser, details: JSON.stringify(details) })
  ports.afterwards(() => sendRegistrationMail(ports, { ...made, ...details }, context))
  return { kind: 'requested', page: made.page, browser: made.browser }
}

type Creating = {
  readonly open: OpenRegistration
  readonly details: RegistrationDetails
  readonly input: RegistrationInput
}

async function createNow(
  ports: Ports,
  { open: { service, verification }, details, input }: Creating,
  context: RequestContext,
): Promise<RegistrationOutcome> {
  const isVerified = verification === 'proven'
  if (isVerified && (await service.findByAddress(details.email)).length > 0) return { kind: 'exists' }
  const result = await createAccount(ports, { service, details, isVerified }, context)
  if (result.kind === 'taken') return taken
  if (result.kind === 'exists') return result
  if (result.kind === 'expired') return { kind: 'closed' }
  const { subject } = result
  if (verification === 'later') ports.afterwards(() => askToVerify(ports, { ...details, subject }, context))
  const signIn = await signInRegistered(ports, { ...input, ...details, subject }, context)
  return { kind: 'registered', signIn }
}

/**
 * Sends the mail with which the user verifies the address. It works only while the account is signed in: the owner of the
 * address, for whom a stranger has registered, cannot verify it for the stranger (AU-18).
 */
async function askToVerify(
  ports: Ports,
  { subject, email }: Pick<RegistrationDetails, 'subject' | 'email'>,
  context: RequestContext,
): Promise<void> {
  if (!(await isMailAllowed(ports, email, context))) return
  await requestEmailChange(ports, { session: { subject }, typed: email, browser: null }, context)
}

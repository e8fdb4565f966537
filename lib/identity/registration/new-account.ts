/** An account between the registration page and its creation: the sealed details, and the steps that create it. */
import { z } from 'zod'
import type { PendingInteraction } from '#lib/core/authorize/pending.ts'
import { supportsRegistration, verifiesFirst } from '#lib/core/sign-in/registration-policy.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RegistrationResult, UserRegistration } from '#lib/ports/registration.ts'
import type { UserInvitation } from '#lib/ports/user-invitations.ts'
import {
  type Handle,
  type PendingHandle,
  parseHandle,
  type SubjectId,
  subjectIdSchema,
} from '#lib/protocol/ids.ts'
import type { Policies } from '#lib/protocol/registration/policies.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { allowsLocal, flowField } from '../interaction.ts'
import { openProofDetails } from '../mail-proofs.ts'

export const purpose = 'register'

export type InvitationHandle = Handle<'userInvitation'>

/** A registration that is possible now. */
export type OpenRegistration = {
  readonly service: UserRegistration
  readonly policies: Policies
  readonly invitation: UserInvitation | null
  /**
   * When the address is verified. `first`: the account exists only then. `proven`: the link of the invitation was mailed to it.
   * `later`: the account exists immediately, with an unverified address.
   */
  readonly verification: 'first' | 'proven' | 'later'
}

type Asked = {
  readonly interaction: PendingInteraction | null
  readonly invitation: InvitationHandle | null
}

/** Returns the registration; `null` if it is closed for this request, or needs an invitation that is valid. */
export async function findRegistration(
  ports: Ports,
  { interaction, invitation: handle }: Asked,
): Promise<OpenRegistration | null> {
  const { userService, hashing, clock } = ports
  const policies = await ports.policies.current()
  const { registration: service } = userService
  if (policies.registration === 'closed' || service === undefined) return null
  if (!supportsRegistration(ports) || !allowsLocal(ports, interaction)) return null
  const invitation = handle && (await ports.userInvitations.find(hashing.digest(handle), clock.now()))
  if (invitation === null && (handle !== null || policies.registration === 'invited')) return null
  const verification = verificationOf(ports, policies, invitation)
  if (verification === 'first' && ports.mail.kind === 'off') return null
  return { service, policies, invitation, verification }
}

function verificationOf(
  { mail }: Pick<Ports, 'mail'>,
  policies: Policies,
  invitation: UserInvitation | null,
): OpenRegistration['verification'] {
  if (invitation?.isMailed && invitation.email !== null) return 'proven'
  if (!verifiesFirst(policies)) return 'later'
  // An administrator has chosen the user; without mail, no address can be verified
  return invitation !== null && mail.kind === 'off' && !policies.email_as_username ? 'later' : 'first'
}

const detailsSchema = z.object({
  subject: subjectIdSchema,
  username: z.string(),
  email: z.string(),
  /** The claims besides the address. */
  claims: z.record(z.string(), z.json()),
  passwordHash: z.string(),
  /** The version of the terms that the user accepted; `null`: there were none. */
  terms: z.string().nullable(),
  invitation: z.string().nullable(),
  pending: z.string().nullable(),
  back: z.string().nullable(),
  /** The language of the page, for the mail. */
  locale: z.string(),
})

export type RegistrationDetails = Omit<z.output<typeof detailsSchema>, 'invitation' | 'pending'> & {
  readonly invitation: InvitationHandle | null
  readonly pending: PendingHandle | null
}

/** Throws if the stored value cannot be opened. */
export function openDetails(
  ports: Pick<Ports, 'sealing'>,
  proof: Parameters<typeof openProofDetails>[1],
): RegistrationDetails {
  const details = detailsSchema.parse(JSON.parse(openProofDetails(ports, proof)))
  return {
    ...details,
    invitation: parseHandle('userInvitation', details.invitation),
    pending: parseHandle('pending', details.pending),
  }
}

type Creation = {
  readonly service: UserRegistration
  readonly details: RegistrationDetails
  readonly isVerified: boolean
  /** Uses up the link of the mail; by default there is none. */
  readonly consume?: () => Promise<boolean>
}

/** Creates the account, and uses up the link of the mail and the invitation, each once. */
export async function createAccount(
  ports: Ports,
  { service, details, isVerified, consume = async () => true }: Creation,
  context: RequestContext,
): Promise<RegistrationResult> {
  const { subject, username, email, passwordHash } = details
  const now = ports.clock.now()
  const claims = { ...details.claims, email, email_verified: isVerified }
  let hasTaken = false
  const result = await service.register(
    { subject, username, passwordHash, claims },
    {
      now,
      consume: async () => {
        if (!(await takeInvitation(ports, details, now))) return false
        hasTaken = true
        if (await consume()) return true
        await releaseInvitation(ports, details)
        return false
      },
    },
  )
  // A concurrent call for the same registration may have used the invitation: only the one that took it gives it back
  const isRefused = result.kind === 'taken' || result.kind === 'exists'
  if (isRefused && hasTaken) await releaseInvitation(ports, details)
  if (result.kind === 'registered')
    await recordAccount(ports, { ...details, subject: result.subject }, context)
  return result
}

async function takeInvitation(
  { userInvitations, hashing }: Ports,
  { invitation, subject }: RegistrationDetails,
  now: Date,
): Promise<boolean> {
  return invitation === null || userInvitations.take(hashing.digest(invitation), subject, now)
}

async function releaseInvitation(
  { userInvitations, hashing }: Ports,
  { invitation, subject }: RegistrationDetails,
): Promise<void> {
  if (invitation !== null) await userInvitations.release(hashing.digest(invitation), subject)
}

type Created = RegistrationDetails & { readonly subject: SubjectId }

async function recordAccount(
  ports: Ports,
  { subject, terms, invitation, pending }: Created,
  context: RequestContext,
): Promise<void> {
  const acceptedAt = ports.clock.now()
  if (terms !== null) await ports.subjectPreferences.acceptTerms(subject, { version: terms, acceptedAt })
  const details = { invited: invitation !== null, terms }
  const flow = flowField(ports, pending)
  ports.events.record({ name: 'user_registered', outcome: 'success', subject, ...flow, details }, context)
}

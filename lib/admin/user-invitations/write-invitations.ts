/** Invites a user, sends an invitation again, and withdraws it. */
import { z } from 'zod'
import type { AdminPorts } from '../admin-ports.ts'
import { errorFor, type FieldError, invalid, notFound } from '../admin-result.ts'
import { linesOf } from '../setting-form.ts'
import { commit, defineUseCase, type FormFields, type UseCase } from '../use-case.ts'
import { inviteSeveral, previewInvitations } from './invite-by-csv.ts'
import {
  auditOf,
  claimErrors,
  claimsOf,
  type Invitee,
  inviteeShape,
  type MadeInvitation,
  makeInvitation,
  presenceOf,
  reasonAgainstInviting,
  renewInvitation,
  waySchema,
} from './invitee.ts'
import { listInvitations } from './read-invitations.ts'

const idSchema = z.string().min(1).max(100)

const madeSchema = z.object({
  id: z.string(),
  email: z.string().nullable(),
  expires_at: z.string(),
  link: z.string().nullable().describe('The link, only in this answer; null: it was sent by mail.'),
})

const inputSchema = z.object({ ...inviteeShape, way: waySchema.default('mail') })

export const inviteUser = defineUseCase({
  name: 'user_invitations.create',
  permission: 'users:create',
  summary:
    'Invites a user to create an account, by mail or with a link in the answer. The link works once, for 7 days.',
  done: 'User invited.',
  isSensitive: true,
  isShownOnce: true,
  input: inputSchema,
  output: madeSchema,
  fromForm: inviteeFromForm,
  validate: async (ports, raw, now) => {
    const read = inputSchema.safeParse(raw)
    return read.success ? inviteErrors(ports, read.data, now) : []
  },
  api: { method: 'POST', path: '/user-invitations', status: 201 },
  run: async (ports, { way, ...invitee }, call) => {
    const errors = await inviteErrors(ports, { way, ...invitee }, call.now)
    if (errors.length > 0) return { kind: 'invalid', errors }
    const made = makeInvitation(ports, invitee, { way, createdBy: call.actor.subject, now: call.now })
    const { invitation, mails } = made
    const change = {
      writes: [
        { kind: 'put_user_invitations', invitations: [invitation] },
        { kind: 'deliver', deliveries: mails },
      ],
      audit: [auditOf(call, invitation, { before: false, after: true })],
    } as const
    return commit(ports, change, { now: call.now, value: viewOf(made) })
  },
})

async function inviteErrors(
  ports: AdminPorts,
  { way, email, claims }: Invitee & { readonly way: z.output<typeof waySchema> },
  now: Date,
): Promise<readonly FieldError[]> {
  const reason = await reasonAgainstInviting(ports, way)
  const missing = email === null && way === 'mail' ? 'Enter the address to which the mail is sent.' : null
  const presence = email === null ? 'new' : (await presenceOf(ports, [email], now)).get(email)
  const present = presence === undefined || presence === 'new' ? null : presenceTexts[presence]
  return [...errorFor('', reason), ...errorFor('email', missing ?? present), ...claimErrors(claims)]
}

const presenceTexts = {
  has_account: 'A user with this verified address exists.',
  invited: 'An invitation was sent to this address and can still be used. Send it again in the list.',
} as const

export const sendInvitationAgain = defineUseCase({
  name: 'user_invitations.send_again',
  permission: 'users:create',
  summary:
    'Gives an unused invitation a new link for 7 days, sent by mail or in the answer. The earlier link ends.',
  done: 'The invitation has a new link. The earlier one no longer works.',
  isSensitive: true,
  isShownOnce: true,
  input: z.object({ invitation_id: idSchema, way: waySchema.default('mail') }),
  output: madeSchema,
  api: { method: 'POST', path: '/user-invitations/{invitation_id}/send' },
  run: async (ports, { invitation_id: id, way }, call) => {
    const stored = await ports.adminLists.userInvitation(id)
    if (stored === null) return notFound
    const { usedAt, subject: _subject, ...invitation } = stored
    if (usedAt !== null) return invalid('', 'This invitation was used already.')
    const reason = await reasonAgainstInviting(ports, way)
    if (reason !== null) return invalid('', reason)
    if (invitation.email === null && way === 'mail') return invalid('way', 'This invitation has no address.')
    const made = renewInvitation(ports, invitation, { way, now: call.now })
    const { digest, isMailed, expiresAt } = made.invitation
    const change = {
      writes: [
        { kind: 'renew_user_invitation', id, digest, isMailed, expiresAt },
        { kind: 'deliver', deliveries: made.mails },
      ],
      audit: [auditOf(call, made.invitation, { before: true, after: true })],
    } as const
    return commit(ports, change, { now: call.now, value: viewOf(made) })
  },
})

export const withdrawUserInvitation = defineUseCase({
  name: 'user_invitations.withdraw',
  permission: 'users:create',
  summary: 'Withdraws an unused invitation. Its link no longer works.',
  done: 'Invitation withdrawn. Its link no longer works.',
  input: z.object({ invitation_id: idSchema }),
  output: z.object({ id: z.string() }),
  api: { method: 'DELETE', path: '/user-invitations/{invitation_id}' },
  run: async (ports, { invitation_id: id }, call) => {
    const stored = await ports.adminLists.userInvitation(id)
    if (stored === null) return notFound
    const audit = [auditOf(call, stored, { before: true, after: false })]
    const change = { writes: [{ kind: 'remove_user_invitation', id }], audit } as const
    return commit(ports, change, { now: call.now, value: { id } })
  },
})

export const userInvitationUseCases: readonly UseCase[] = [
  listInvitations,
  inviteUser,
  previewInvitations,
  inviteSeveral,
  sendInvitationAgain,
  withdrawUserInvitation,
]

function viewOf({ invitation: { id, email, expiresAt }, link }: MadeInvitation) {
  return { id, email, expires_at: expiresAt.toISOString(), link }
}

/** Reads a posted form, which has fields for the name, the roles and the groups. */
function inviteeFromForm(fields: FormFields): unknown {
  const text = (name: string) => fields[name]?.at(-1)?.trim() ?? ''
  return {
    email: text('email') === '' ? null : text('email'),
    claims: claimsOf({ name: text('name'), role: linesOf(text('role')), groups: linesOf(text('groups')) }),
    locale: text('locale') || undefined,
    way: text('way') || undefined,
  }
}

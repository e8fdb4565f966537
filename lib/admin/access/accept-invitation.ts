/** Accepts an invitation with a new account, or as the user signed in in this browser. */

import { z } from 'zod'
import { rateLimits } from '#lib/config/limits.ts'
import type { Change, Committed } from '#lib/ports/admin-store.ts'
import type { AdminInvitation } from '#lib/ports/administration.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { networkRules } from '#lib/protocol/network-limits.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import { displayTextSchema } from '#lib/protocol/registration/fields.ts'
import { minimumPasswordLength } from '#lib/protocol/registration/policies.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type FieldError, fieldErrors, fieldSentence } from '../admin-result.ts'
import { passwordProblem } from '../users/password-problem.ts'
import { findInvitation } from './invitations.ts'
import { operatorWithdrawals } from './operator.ts'

export type SetUpAnswer =
  | {
      readonly kind: 'new'
      readonly account: Account
    }
  | { readonly kind: 'existing'; readonly subject: SubjectId }

export type SetUpOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  /** The invitation is unknown, expired or used, perhaps because the form was sent twice, or its creator may no longer invite. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

/** Gives the user the role of the invitation, and creates the account if it is new. If that is not possible, returns why. */
export async function acceptInvitation(
  ports: AdminPorts,
  { token, answer }: { readonly token: string | undefined; readonly answer: SetUpAnswer },
  context: RequestContext,
): Promise<SetUpOutcome> {
  const invitation = await findInvitation(ports, token)
  if (invitation === null) return goneOrLimited(ports, context)
  const newcomer = await newcomerOf(ports, invitation, answer)
  if ('errors' in newcomer) return { kind: 'invalid', errors: newcomer.errors }
  const committed = await ports.adminStore.commit(
    await acceptance(ports, { invitation, newcomer, context }),
    ports.clock.now(),
  )
  const outcome = outcomeOf(committed)
  if (outcome.kind === 'gone') return gone(ports, context)
  if (outcome.kind === 'accepted') welcome(ports, { invitation, newcomer, context })
  return outcome
}

/**
 * Counts only requests whose link is not valid: links cannot be guessed, and the wrong links of one visitor must not block the
 * valid link of another. A request without an address is not counted.
 */
async function goneOrLimited(ports: AdminPorts, context: RequestContext): Promise<SetUpOutcome> {
  const { address } = context
  if (address === null) return gone(ports, context)
  const rules = networkRules('admin-setup:address', address, rateLimits.setUp)
  const permit = await ports.rateLimiter.consume(rules, ports.clock.now())
  return permit.kind === 'limited' ? permit : gone(ports, context)
}

async function newcomerOf(
  ports: AdminPorts,
  invitation: AdminInvitation,
  answer: SetUpAnswer,
): Promise<Newcomer | { readonly errors: readonly FieldError[] }> {
  if (answer.kind === 'new') return newAccount(ports, answer.account)
  const before = await ports.administrators.find(answer.subject)
  const isLoss = before?.role === 'owner' && invitation.role !== 'owner'
  if (!isLoss) return { subject: answer.subject, newUser: null }
  const message = 'You are an owner already. This link would reduce your rights; leave it to its recipient.'
  return { errors: [{ path: '', message }] }
}

type Acceptance = {
  readonly invitation: AdminInvitation
  readonly newcomer: Newcomer
  readonly context: RequestContext
}

/**
 * Prepares the writes that accept an invitation. They consume the invitation in their transaction, so that only one of several
 * concurrent calls succeeds.
 */
async function acceptance(ports: AdminPorts, { invitation, newcomer, context }: Acceptance): Promise<Change> {
  const { subject, newUser } = newcomer
  const { digest, role, createdBy } = invitation
  const before = await ports.administrators.find(subject)
  return {
    writes: [
      { kind: 'accept_invitation', digest, subject, newUser },
      ...(createdBy === null ? await operatorWithdrawals(ports, invitation) : []),
    ],
    audit: [
      {
        action: 'administrators.accept',
        actor: subject,
        actorRole: role,
        targetKind: 'administrator',
        targetId: subject,
        before: before === null ? null : { role: before.role },
        after: { role, invited_by: createdBy, is_new_account: newUser !== null },
        requestId: context.requestId,
        address: context.address,
      },
    ],
  }
}

function outcomeOf(committed: Committed): SetUpOutcome {
  if (committed.kind === 'done') return { kind: 'accepted' }
  if (committed.kind === 'gone') return { kind: 'gone' }
  // The name was free when it was looked up and has been taken since; the database decides
  if (committed.kind === 'conflict') return { kind: 'invalid', errors: [accountTaken] }
  return { kind: 'invalid', errors: [{ path: '', message: 'There must be at least one owner.' }] }
}

function gone(ports: AdminPorts, context: RequestContext): SetUpOutcome {
  ports.events.record({ name: 'admin_refused', outcome: 'failure', reason: 'invitation_unknown' }, context)
  return { kind: 'gone' }
}

function welcome(ports: AdminPorts, { invitation, newcomer, context }: Acceptance): void {
  const details = { action: 'administrators.accept', role: invitation.role }
  ports.events.record(
    { name: 'admin_changed', outcome: 'success', subject: newcomer.subject, details },
    context,
  )
}

const nameSchema = z.string().trim().pipe(displayTextSchema(255))
const accountSchema = z.object({ username: nameSchema, name: nameSchema, password: z.string() })

/** The new account as typed. */
export type Account = z.input<typeof accountSchema>

export type Newcomer = { readonly subject: SubjectId; readonly newUser: StoredUser | null }

const accountTaken: FieldError = {
  path: 'username',
  message: 'This user name is taken.',
}

/** Checks a new account and hashes its password. If there are problems, returns all of them together, each at its field. */
async function newAccount(
  ports: AdminPorts,
  account: Account,
): Promise<Newcomer | { readonly errors: readonly FieldError[] }> {
  const read = accountSchema.safeParse(account, { error: plainMessage })
  const errors = [...(read.success ? [] : fieldErrors(read.error)), ...(await storeErrors(ports, account))]
  if (!read.success || errors.length > 0) return { errors }
  const { username, name, password } = read.data
  const subject = subjectIdSchema.parse(ports.random.id())
  const passwordHash = await ports.passwords.hash(password)
  const chosen = { passwordHash, mustChangePassword: false }
  return { subject, newUser: { subject, username, ...chosen, enabled: true, claims: { name } } }
}

async function storeErrors(
  { passwords, policies, users }: AdminPorts,
  { username, name, password }: Account,
): Promise<readonly FieldError[]> {
  const minimum = minimumPasswordLength(await policies.current(), { name })
  const problem = await passwordProblem(passwords.flawsOf, password, { minimum, words: [username, name] })
  const isTaken = username.trim() !== '' && (await users.findByUsername(username)) !== null
  return [
    ...(problem === null ? [] : [{ path: 'password', message: fieldSentence(problem) }]),
    ...(isTaken ? [accountTaken] : []),
  ]
}

/** The ways to keep an account whose deletion is planned: the link in the mail, and the page at a sign-in. */
import { acceptedName } from '#lib/core/sign-in/proven-sign-in.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SignInStep } from '#lib/ports/sign-in-steps.ts'
import type { SessionHandle, SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { keepAccountPath } from '#lib/protocol/wire/local-paths.ts'
import { type ShownRequest, shownRequest } from '../interaction.ts'
import { expiredPartial, findPartialAt, type PartialProof, passStep } from '../partial-sign-in.ts'
import type { ReturningSignInOutcome } from '../sign-in-outcome.ts'
import { openKeepLink } from './deletion-mail.ts'
import { keepAccount, type PlannedDeletion, plannedDeletion } from './own-deletion.ts'

/** Finds the deletion that the link of a mail cancels; `null` if the deletion is final or no longer planned. Changes nothing. */
export async function deletionOfLink(ports: Ports, link: string): Promise<PlannedDeletion | null> {
  const opened = openKeepLink(ports, link)
  const planned = opened && (await plannedDeletion(ports, opened.subject))
  return planned?.createdAt.getTime() === opened?.createdAt ? (planned ?? null) : null
}

/** Keeps the account of the link. Returns false if the link no longer works. */
export async function keepByLink(ports: Ports, link: string, context: RequestContext): Promise<boolean> {
  const planned = await deletionOfLink(ports, link)
  return planned !== null && keepAccount(ports, planned.subject, context)
}

const stepName = 'planned_deletion'

/** The page at a sign-in to an account whose deletion is planned. The user keeps the account, or continues without. */
export const plannedDeletionStep: SignInStep<Ports> = {
  name: stepName,
  reason: null,
  path: keepAccountPath,
  applies: async (ports, { proven, via }) => {
    const { subject, returnedFrom, raises, confirms } = proven
    const isAsked = returnedFrom[stepName] !== undefined || raises !== undefined || confirms !== undefined
    if (via === 'password_grant' || isAsked || !(await ports.leavingUsers.mayHave(subject))) return false
    return (await plannedDeletion(ports, subject)) !== null
  },
}

export type KeepAccountView = ShownRequest &
  Pick<PlannedDeletion, 'dueAt' | 'isFinal'> & {
    readonly user: { readonly subject: SubjectId; readonly name: string }
  }

/** Returns the content of the page; `null` if no sign-in waits there, or nothing is planned. */
export async function keepAccountView(ports: Ports, proof: PartialProof): Promise<KeepAccountView | null> {
  const partial = await findPartialAt(ports, stepName, proof)
  const planned = partial && (await plannedDeletion(ports, partial.proven.subject))
  if (partial === null || planned === null) return null
  const { dueAt, isFinal } = planned
  const { proven, interaction } = partial
  const user = { subject: proven.subject, name: acceptedName(proven) ?? '' }
  return { dueAt, isFinal, user, ...shownRequest(interaction) }
}

export type KeepAccountInput = PartialProof & {
  readonly previous: readonly SessionHandle[]
  readonly isKept: boolean
}

/** Keeps the account if the user wants that, and continues the sign-in. */
export async function answerKeepAccount(
  ports: Ports,
  { previous, isKept, ...proof }: KeepAccountInput,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const partial = await findPartialAt(ports, stepName, proof)
  if (partial === null) return expiredPartial(ports, context)
  if (isKept) await keepAccount(ports, partial.proven.subject, context)
  return passStep(ports, { partial, previous }, context)
}

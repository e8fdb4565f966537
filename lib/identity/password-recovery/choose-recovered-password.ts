/** Stores the new password of a user who has opened the link of the mail. */
import { rateLimits } from '#lib/config/limits.ts'
import { checkWithinLimits, ownLimits } from '#lib/core/limits/attempt-limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import { callerAt } from '#lib/ports/check-caller.ts'
import type { MailProof } from '#lib/ports/mail-proofs.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { flowField } from '../interaction.ts'
import {
  type ChoiceProblem,
  type PasswordChoice,
  problemsOfChoice,
  type UnfitPassword,
  unfit,
} from '../password-choice.ts'
import { markKnownBrowser } from '../sign-in-limits.ts'
import { openDetails, type RecoveryDetails } from './recovery-details.ts'
import { findByLink, type LinkProof, ownerOfAccount } from './recovery-link.ts'

export type RecoveryInput = LinkProof & PasswordChoice & { readonly knownBrowser: string | null }

export type RecoveryOutcome =
  | {
      readonly kind: 'changed'
      readonly username: string
      /** Where the user continues; `null`: the mail was asked for in another browser. */
      readonly continues: Pick<RecoveryDetails, 'pending' | 'back'> | null
      readonly knownBrowser: string
    }
  | { readonly kind: 'expired' }
  | UnfitPassword<ChoiceProblem | 'limited'>

/**
 * Stores the new password, once for each link. Ends every session and grant of the user. No session begins: the user
 * signs in with the new password and takes every other step, so that the mail never replaces a second factor.
 */
export async function chooseRecoveredPassword(
  ports: Ports,
  input: RecoveryInput,
  context: RequestContext,
): Promise<RecoveryOutcome> {
  const found = await findByLink(ports, input.link)
  if (found === null) return { kind: 'expired' }
  const { subject, username } = found.account
  // Nothing is counted: the rule only limits how many of concurrent requests check a password at the same time
  const limits = ownLimits([{ key: `recovery:new-password:${subject}`, ...rateLimits.account }])
  const attempt = await checkWithinLimits(ports, limits, {
    check: async () => {
      const problems = await problemsOfChoice(ports, input, await ownerOfAccount(ports, found.account))
      return problems.length > 0 ? problems : replacePassword(ports, input, context)
    },
    isFailure: () => false,
  })
  if (attempt.kind === 'limited') return unfit(['limited'], attempt.retryAfterSeconds)
  if (attempt.result === false) return { kind: 'expired' }
  if (attempt.result !== true) return unfit(attempt.result)
  const flow = flowField(ports, openDetails(ports, found.proof).pending)
  ports.events.record(
    { name: 'password_changed', outcome: 'success', subject, ...flow, details: { by: 'recovery' } },
    context,
  )
  const account = await ports.userService.canonicalUsername(username)
  const knownBrowser = await markKnownBrowser(ports, input.knownBrowser, { account })
  return { kind: 'changed', username, continues: continuationOf(ports, found.proof, input), knownBrowser }
}

/** Reads the proof again, because another request may have consumed it while this one waited. */
async function replacePassword(
  ports: Ports,
  { link, password }: RecoveryInput,
  { address }: RequestContext,
): Promise<boolean> {
  const found = await findByLink(ports, link)
  if (found === null) return false
  const { account, proof, recovery } = found
  const { subject } = account
  // Stored with the use of the link: the user is informed even if the process ends right after the change (AU-16)
  const notices = await securityNotice(ports, subject, 'password_changed')
  const consume = () => ports.mailProofs.take(proof.digest, notices)
  const change = { now: ports.clock.now(), consume, caller: callerAt(address) }
  if (!(await recovery.setPassword(account, password, change))) return false
  await endAccess(ports, subject)
  return true
}

/** SE-06: ends everything that was obtained with the old password. The standard user service has already done so. */
async function endAccess({ sessions, grants, trustedBrowsers, clock }: Ports, subject: SubjectId) {
  const now = clock.now()
  for (const session of await sessions.allOf(subject, now)) await sessions.end(session, now, 'ended_by_user')
  await grants.revoke({ subject }, now)
  await trustedBrowsers.remove(subject, null)
}

function continuationOf(ports: Ports, proof: MailProof, { browser }: LinkProof) {
  if (browser === null || ports.hashing.digest(browser) !== proof.browser) return null
  const { pending, back } = openDetails(ports, proof)
  return { pending, back }
}

/** The pages of a forgotten password: the code is typed, or the link is opened, and the user chooses a new password. */
import { rateLimits } from '#lib/config/limits.ts'
import { findInteraction } from '#lib/core/authorize/pending.ts'
import { checkWithinLimits, ownLimits } from '#lib/core/limits/attempt-limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import type { MailProof } from '#lib/ports/mail-proofs.ts'
import type { PasswordRecovery, RecoverableAccount } from '#lib/ports/password-recovery.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, MailLinkHandle, SubjectId } from '#lib/protocol/ids.ts'
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
  type ChoiceProblem,
  type PasswordChoice,
  type PasswordOwner,
  problemsOfChoice,
  shortestPassword,
  type UnfitPassword,
  unfit,
} from '../password-choice.ts'
import { markKnownBrowser } from '../sign-in-limits.ts'
import { openDetails, purpose, type RecoveryDetails } from './recovery-details.ts'
import { recoveryOf } from './request-recovery.ts'

/** A request that waits for its code. */
export type WaitingRecovery = RecoveryDetails & WaitingProof

/** Returns the request of this page; `null` if it is unknown, has expired, or was made in another browser. */
export async function waitingRecovery(ports: Ports, asked: PageProof): Promise<WaitingRecovery | null> {
  const proof = await findProofByPage(ports, purpose, asked)
  return proof && { ...openDetails(ports, proof), ...waitingProof(ports, proof) }
}

/** Exchanges the code for a link to the form for the new password: see `redeemProofCode`. */
export function redeemCode(ports: Ports, typed: PageProof & { readonly code: string }): Promise<CodeOutcome> {
  return redeemProofCode(ports, purpose, typed)
}

type LinkProof = { readonly link: MailLinkHandle | null; readonly browser: BrowserHandle | null }

type OpenRecovery = {
  readonly proof: MailProof
  readonly account: RecoverableAccount
  readonly recovery: PasswordRecovery
}

/** Returns the proof and its account; `null` if the link does not work: see `MailProof`. */
async function findByLink(ports: Ports, link: MailLinkHandle | null): Promise<OpenRecovery | null> {
  const recovery = recoveryOf(ports, null)
  if (link === null || recovery === null) return null
  const { mailProofs, hashing, clock } = ports
  const proof = await mailProofs.findByLink(hashing.digest(link), purpose, clock.now())
  if (proof === null || proof.subject === null) return null
  const account = await recovery.read(proof.subject)
  if (account?.kind !== 'password' || hashing.digest(account.state) !== proof.accountState) return null
  return { proof, account, recovery }
}

/** The request is absent if the link was opened in another browser. */
export type RecoveryView = ShownRequest & {
  readonly username: string
  /** The number of characters that the password must have. */
  readonly minimum: number
}

/** Returns the content of the page for the new password; `null` if the link does not work. Changes nothing. */
export async function recoveryView(ports: Ports, { link, browser }: LinkProof): Promise<RecoveryView | null> {
  const found = await findByLink(ports, link)
  if (found === null) return null
  const { pending } = openDetails(ports, found.proof)
  const interaction = await findInteraction(ports, pending, browser)
  const minimum = await shortestPassword(ports, await ownerOfAccount(ports, found.account))
  return { username: found.account.username, minimum, ...shownRequest(interaction) }
}

/** The owner of the password. The claims of another store are not known. */
async function ownerOfAccount(
  { users }: Ports,
  { subject, words }: RecoverableAccount,
): Promise<PasswordOwner> {
  const user = await users.findBySubject(subject)
  return { words, claims: user?.claims ?? null }
}

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
  const problems = await problemsOfChoice(ports, input, await ownerOfAccount(ports, found.account))
  if (problems.length > 0) return unfit(problems)
  // Nothing is counted: the rule only limits how many of concurrent requests compute a hash at the same time
  const limits = ownLimits([{ key: `recovery:new-password:${subject}`, ...rateLimits.account }])
  const attempt = await checkWithinLimits(ports, limits, {
    check: () => replacePassword(ports, input),
    isFailure: () => false,
  })
  if (attempt.kind === 'limited') return unfit(['limited'], attempt.retryAfterSeconds)
  if (!attempt.result) return { kind: 'expired' }
  ports.events.record(
    { name: 'password_changed', outcome: 'success', subject, details: { by: 'recovery' } },
    context,
  )
  const account = await ports.userService.canonicalUsername(username)
  const knownBrowser = await markKnownBrowser(ports, input.knownBrowser, { account })
  return { kind: 'changed', username, continues: continuationOf(ports, found.proof, input), knownBrowser }
}

/** Reads the proof again, because another request may have consumed it while this one waited. */
async function replacePassword(ports: Ports, { link, password }: RecoveryInput): Promise<boolean> {
  const found = await findByLink(ports, link)
  if (found === null) return false
  const { account, proof, recovery } = found
  const { mailProofs, clock } = ports
  const consume = () => mailProofs.take(proof.digest)
  if (!(await recovery.setPassword(account, password, { now: clock.now(), consume }))) return false
  await endAccess(ports, account.subject)
  await mailProofs.send(proof, null, await securityNotice(ports, account.subject, 'password_changed'))
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

/**
 * The link “This wasn’t me”: the user undoes a change to the account, and every later one, and gets a mail to choose a new
 * password. A second factor that the account had before the change stays.
 */
import { undoLink as limits, rateLimits } from '#lib/config/limits.ts'
import { checkWithinLimits, ownLimits } from '#lib/core/limits/attempt-limits.ts'
import { restoredNotice } from '#lib/core/sign-in/security-notice.ts'
import type { UndoLink } from '#lib/core/sign-in/undo-link.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RestoredAccount } from '#lib/ports/taken-back-changes.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { openUndoLink } from './open-undo-link.ts'
import { sendReplacementMail } from './replacement-mail.ts'

export type UndoView = Pick<UndoLink, 'change' | 'at' | 'address'>

/** Returns the content of the page; `null` if the link does not work. Changes nothing. */
export async function undoView(ports: Ports, sealed: string | null): Promise<UndoView | null> {
  const link = openUndoLink(ports.sealing, sealed, ports.clock.now())
  return link === null || (await ports.takenBackChanges.isTakenBack(link)) ? null : link
}

export type TakeBackOutcome =
  /** `hasMail`: whether a mail to choose a new password was sent. */
  | { readonly kind: 'taken_back'; readonly hasMail: boolean }
  | { readonly kind: 'expired' }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

/** Takes back the change of the link, once. Anyone who reads the mails of the address can do so; no sign-in is needed. */
export async function takeBackChange(
  ports: Ports,
  sealed: string | null,
  context: RequestContext,
): Promise<TakeBackOutcome> {
  const link = openUndoLink(ports.sealing, sealed, ports.clock.now())
  if (link === null || (await ports.takenBackChanges.isTakenBack(link))) return { kind: 'expired' }
  // Nothing is counted: the rule only limits how many of concurrent requests compute a hash at the same time
  const rules = ownLimits([{ key: `take-back:${link.subject}`, ...rateLimits.account }])
  const attempt = await checkWithinLimits(ports, rules, {
    check: () => restore(ports, link),
    isFailure: () => false,
  })
  if (attempt.kind === 'limited') return attempt
  if (!attempt.result) return { kind: 'expired' }
  const { subject, change } = link
  ports.events.record(
    { name: 'change_taken_back', outcome: 'success', subject, details: { change } },
    context,
  )
  return { kind: 'taken_back', hasMail: await sendReplacementMail(ports, link) }
}

function restore(ports: Ports, link: UndoLink): Promise<boolean> {
  const { userService, takenBackChanges, clock } = ports
  const now = clock.now()
  const expiresAt = secondsAfter(now, limits.lifetimeSeconds)
  const commit = async (account: RestoredAccount | null) => {
    const isRestored = userService.restoreAccount !== undefined
    const notices = isRestored ? await restoredNotice(ports, link) : []
    return takenBackChanges.takeBack(link, { now, expiresAt, account, notices })
  }
  return userService.restoreAccount?.(link, commit) ?? commit(null)
}

/** Asks for a mail with which a user who forgot the password can choose a new one. */
import { mailProof as limits, rateLimits } from '#lib/config/limits.ts'
import type { PendingInteraction } from '#lib/core/authorize/pending.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { PasswordRecovery } from '#lib/ports/users.ts'
import type { BrowserHandle, MailPageHandle } from '#lib/protocol/ids.ts'
import { networkRules } from '#lib/protocol/network-limits.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { allowsLocal } from '../interaction.ts'
import { codeDigest, newCode } from './mail-code.ts'
import { purpose, type RecoveryDetails, sealDetails } from './recovery-details.ts'
import { sendRecoveryMail } from './recovery-mail.ts'

/** Returns the functions of the user service, if mail can be sent and passwords of this server can be used; else `null`. */
export function recoveryOf(
  { mail, settings, userService }: Pick<Ports, 'mail' | 'settings' | 'userService'>,
  interaction: PendingInteraction | null,
): PasswordRecovery | null {
  if (mail.kind === 'off' || !allowsLocal({ settings }, interaction)) return null
  return userService.recovery ?? null
}

export type RecoveryRequest = RecoveryDetails & { readonly browser: BrowserHandle | null }

export type RecoveryRequested =
  | {
      readonly kind: 'requested'
      /** The handle of the page that waits for the code, in this browser. */
      readonly page: MailPageHandle
      readonly browser: BrowserHandle
    }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

/**
 * Stores a proof for the page of the code, and looks for the account after the response: the response and its time are the
 * same whether or not there is one (AU-05).
 */
export async function requestRecovery(
  ports: Ports,
  { browser: known, ...details }: RecoveryRequest,
  context: RequestContext,
): Promise<RecoveryRequested> {
  const now = ports.clock.now()
  const { address } = context
  if (address !== null) {
    const rules = networkRules('recovery:address', address, rateLimits.recoveryAddress)
    const permit = await ports.rateLimiter.consume(rules, now)
    if (permit.kind === 'limited') return permit
  }
  const { random, hashing } = ports
  const browser = known ?? random.handle('browser')
  const page = random.handle('mailPage')
  const link = random.handle('mailLink')
  const code = newCode(random)
  const digest = hashing.digest(link)
  const pageDigest = hashing.digest(page)
  await ports.mailProofs.create({
    ...{ digest, purpose, page: pageDigest, browser: hashing.digest(browser) },
    codeDigest: codeDigest(hashing, page, code),
    sealedDetails: sealDetails(ports, pageDigest, details),
    createdAt: now,
    expiresAt: secondsAfter(now, limits.lifetimeSeconds),
  })
  ports.afterwards(() => sendRecoveryMail(ports, { typed: details.typed, digest, link, code }, context))
  return { kind: 'requested', page, browser }
}

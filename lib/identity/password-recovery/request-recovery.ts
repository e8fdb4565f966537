/** Asks for a mail with which a user who forgot the password can choose a new one. */
import { rateLimits } from '#lib/config/limits.ts'
import type { PendingInteraction } from '#lib/core/authorize/pending.ts'
import type { PasswordRecovery } from '#lib/ports/password-recovery.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, MailPageHandle } from '#lib/protocol/ids.ts'
import { networkRules } from '#lib/protocol/network-limits.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { allowsLocal } from '../interaction.ts'
import { makeMailProof } from '../mail-proofs.ts'
import { purpose, type RecoveryDetails } from './recovery-details.ts'
import { sendRecoveryMail } from './recovery-mail.ts'

type RecoveryPorts = Pick<Ports, 'mail' | 'settings' | 'userService'>

/**
 * Whether there is a page for forgotten passwords: passwords of this server can be used, and the user service can replace them. If no
 * mail can be sent, the page says whom to ask.
 */
export function hasRecoveryPage(
  { settings, userService }: Omit<RecoveryPorts, 'mail'>,
  interaction: PendingInteraction | null,
): boolean {
  return userService.recovery !== undefined && allowsLocal({ settings }, interaction)
}

/** Returns the functions of the user service, if passwords can be reset by mail; else `null`. */
export function recoveryOf(
  ports: RecoveryPorts,
  interaction: PendingInteraction | null,
): PasswordRecovery | null {
  const isPossible = ports.mail.kind !== 'off' && hasRecoveryPage(ports, interaction)
  return isPossible ? (ports.userService.recovery ?? null) : null
}

export type RecoveryRequest = RecoveryDetails & {
  readonly browser: BrowserHandle | null
  /** The language of the page. */
  readonly locale: string
}

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
  { browser: known, locale, ...details }: RecoveryRequest,
  context: RequestContext,
): Promise<RecoveryRequested> {
  const { address } = context
  if (address !== null) {
    const rules = networkRules('recovery:address', address, rateLimits.recoveryAddress)
    const permit = await ports.rateLimiter.consume(rules, ports.clock.now())
    if (permit.kind === 'limited') return permit
  }
  const { typed, pending } = details
  const made = await makeMailProof(ports, { purpose, browser: known, details: JSON.stringify(details) })
  const { page, browser, ...mailed } = made
  ports.afterwards(() => sendRecoveryMail(ports, { typed, pending, locale, ...mailed }, context))
  return { kind: 'requested', page, browser }
}

/** The authenticator app of a signed-in user: set up, replaced or removed, always with a mail to the user (AU-16). */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import { type ChangeSource, inSession } from '#lib/ports/change-source.ts'
import type { Sealing } from '#lib/ports/environment.ts'
import type { SecurityChange } from '#lib/ports/mail.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { AuthenticatorApp, TrustedBrowser } from '#lib/ports/second-factors.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { newRecoveryCodes, recoveryCodeDigest } from './recovery-codes.ts'
import { parseTotp, stepOfTotp } from './totp.ts'

/** Returns the secret of the app in Base32. Throws if the stored value cannot be opened. */
export function openTotpSecret(sealing: Sealing, { subject, sealedSecret }: AuthenticatorApp): string {
  return sealing.open(sealedSecret, secretPlace(subject))
}

function secretPlace(subject: SubjectId): string {
  return `authenticator_apps:secret:${subject}`
}

export type TwoStepView = {
  readonly app: Pick<AuthenticatorApp, 'createdAt' | 'lastUsedAt'> | null
  readonly recoveryCodesLeft: number
  readonly trustedBrowsers: readonly TrustedBrowser[]
}

/** Returns the content of the panel on the account page. */
export async function twoStepView(
  { secondFactors, trustedBrowsers, clock }: Ports,
  subject: SubjectId,
): Promise<TwoStepView> {
  const app = await secondFactors.findApp(subject)
  if (app === null) return { app, recoveryCodesLeft: 0, trustedBrowsers: [] }
  return {
    app,
    recoveryCodesLeft: await secondFactors.countRecoveryCodes(subject),
    trustedBrowsers: await trustedBrowsers.allOf(subject, clock.now()),
  }
}

type NewApp = {
  readonly subject: SubjectId
  readonly secret: string
  readonly code: string
  readonly within: ChangeSource
}

type AppSetUpOutcome =
  | { readonly kind: 'set_up'; readonly app: AuthenticatorApp; readonly codes: readonly string[] }
  | { readonly kind: 'wrong_code' }
  /** No recovery codes were made: the form was sent before, another app was set up, or the session has ended. */
  | { readonly kind: 'already_set_up' }

/**
 * Stores the app once the user has entered a code of it, in place of an earlier one, with new recovery codes. The code cannot be
 * used again to sign in. Of several concurrent requests one stores its app and its codes.
 */
export async function setUpApp(
  ports: Ports,
  { subject, secret, code: typed, within }: NewApp,
  context: RequestContext,
): Promise<AppSetUpOutcome> {
  const now = ports.clock.now()
  const replaces = await ports.secondFactors.findApp(subject)
  if (replaces !== null && openTotpSecret(ports.sealing, replaces) === secret)
    return { kind: 'already_set_up' }
  const code = parseTotp(typed)
  const step = code === null ? null : stepOfTotp(secret, code, now)
  if (step === null) return { kind: 'wrong_code' }
  const codes = newRecoveryCodes(ports.random)
  const app = {
    ...{ subject, lastStep: step, createdAt: now, lastUsedAt: now },
    sealedSecret: ports.sealing.seal(secret, secretPlace(subject)),
  }
  const notices = await securityNotice(ports, subject, 'authenticator_set')
  const setUp = { replaces, codes: digestsOf(ports, subject, codes), notices, within }
  if (!(await ports.secondFactors.setApp(app, setUp))) return { kind: 'already_set_up' }
  recordChange(ports, { subject, change: 'authenticator_set' }, context)
  return { kind: 'set_up', app, codes }
}

/** Whether the app with this secret is the one of the user. */
export async function hasAppWith(
  { secondFactors, sealing }: Pick<Ports, 'secondFactors' | 'sealing'>,
  { subject, secret }: Pick<NewApp, 'subject' | 'secret'>,
): Promise<boolean> {
  const app = await secondFactors.findApp(subject)
  return app !== null && openTotpSecret(sealing, app) === secret
}

type CodeReplacement = {
  readonly session: Pick<Session, 'subject' | 'digest'>
  /** The ID of the form that the user has sent. */
  readonly form: string
}

type CodesOutcome =
  | { readonly kind: 'replaced'; readonly codes: readonly string[] }
  /** The form was sent before: its codes must stay, because the user may have saved them. */
  | { readonly kind: 'repeated' }
  /** The user has no authenticator app, or the session has ended. */
  | { readonly kind: 'gone' }

/** Replaces the recovery codes. Of several concurrent requests with one form, one replaces them. */
export async function replaceRecoveryCodes(
  ports: Ports,
  { session, form }: CodeReplacement,
  context: RequestContext,
): Promise<CodesOutcome> {
  const { subject } = session
  if ((await ports.secondFactors.findApp(subject)) === null) return { kind: 'gone' }
  const now = ports.clock.now()
  const expiresAt = secondsAfter(now, lifetimeSeconds.recoveryCodesShown)
  const codes = newRecoveryCodes(ports.random)
  const notices = await securityNotice(ports, subject, 'recovery_codes_replaced')
  const used = { id: `recovery-codes:${subject}:${form}`, expiresAt }
  const change = { now, form: used, notices, within: inSession(session) }
  const digests = digestsOf(ports, subject, codes)
  const result = await ports.secondFactors.replaceRecoveryCodes(subject, digests, change)
  if (result !== 'replaced') return { kind: result }
  recordChange(ports, { subject, change: 'recovery_codes_replaced' }, context)
  return { kind: 'replaced', codes }
}

function digestsOf({ hashing }: Ports, subject: SubjectId, codes: readonly string[]) {
  return codes.map(code => recoveryCodeDigest(hashing, subject, code))
}

/** Removes the app with its recovery codes and the trust in browsers. Returns false if there was no app, or the session has ended. */
export async function removeApp(
  ports: Ports,
  session: Pick<Session, 'subject' | 'digest'>,
  context: RequestContext,
): Promise<boolean> {
  const { subject } = session
  const notices = await securityNotice(ports, subject, 'authenticator_removed')
  const isRemoved = await ports.secondFactors.removeApp(subject, { notices, within: inSession(session) })
  if (isRemoved) recordChange(ports, { subject, change: 'authenticator_removed' }, context)
  return isRemoved
}

/** Ends the trust in one browser, or in all if `id` is `null`. Returns their number. */
export async function endTrust(
  ports: Ports,
  { subject, id }: { readonly subject: SubjectId; readonly id: string | null },
  context: RequestContext,
): Promise<number> {
  const ended = await ports.trustedBrowsers.remove(subject, id)
  if (ended > 0) recordChange(ports, { subject, change: 'trust_ended' }, context)
  return ended
}

type Change = {
  readonly subject: SubjectId
  readonly change: SecurityChange | 'browser_trusted' | 'trust_ended'
}

/** Records a change of the two-step sign-in of a user. */
export function recordChange({ events }: Ports, { subject, change }: Change, context: RequestContext): void {
  events.record({ name: 'second_factor_changed', outcome: 'success', subject, details: { change } }, context)
}

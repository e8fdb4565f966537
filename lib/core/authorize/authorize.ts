/** The authorization endpoint: prove, validate, decide, then answer or pause (OpenID Connect Core 3.1.2). */
import type { OauthError } from '#lib/errors/oauth-error.ts'
import type { GrantPreconditions } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { type Issue, issueResponse } from './issue.ts'
import type { AuthorizeOutcome } from './outcome.ts'
import { savePending } from './pending.ts'
import { recordOutcome } from './record-outcome.ts'
import { respondWithError } from './respond.ts'
import { settle } from './settle.ts'
import type { Verdict } from './verdict.ts'
import { countWaiting } from './waiting-limit.ts'

export type AuthorizeInput = {
  /** As they came, without those that are at fault. */
  readonly parameters: Readonly<Record<string, string>>
  /** What is wrong with the first that was left out: repeated, oversized or badly encoded. */
  readonly fault?: OauthError | null
  readonly session: Session | null
  readonly browser: BrowserHandle
}

/**
 * Answers a new authorization request. A person who must act first finds it again by the pending handle. Throws
 * `too_many_requests` when one address has too many waiting.
 */
export async function authorize(
  ports: Ports,
  input: AuthorizeInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const settled = await settle(ports, { ...input, pending: null }, verdict =>
    follow(ports, verdict, { input, context }),
  )
  recordOutcome(ports, { ...settled, waited: null }, context)
  return settled.outcome
}

async function follow(
  ports: Ports,
  verdict: Verdict,
  { input, context }: { readonly input: AuthorizeInput; readonly context: RequestContext },
): Promise<AuthorizeOutcome | 'withdrawn'> {
  if (verdict.kind === 'show') return verdict
  if (verdict.kind === 'refuse') return respondWithError(ports, verdict.address, verdict.error)
  const { step } = verdict
  if (step.kind === 'issue') return issueAtOnce(ports, { ...verdict, ...step })
  await countWaiting(ports, context)
  const pending = await savePending(ports, input)
  if (step.kind === 'forward') return { kind: 'forward', scheme: step.scheme, pending }
  return { kind: 'pause', at: step.at, pending }
}

async function issueAtOnce(
  ports: Ports,
  issue: Omit<Issue, 'basis'> & Pick<GrantPreconditions, 'consent'>,
): Promise<AuthorizeOutcome | 'withdrawn'> {
  const outcome = await issueResponse(ports, { ...issue, basis: { consent: issue.consent, pending: null } })
  if (outcome === 'finished') throw new Error('a request that never waited cannot be finished')
  return outcome
}

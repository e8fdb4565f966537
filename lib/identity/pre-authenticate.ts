/**
 * The `preAuthenticate` hook: called for an authorization request that needs a sign-in, before any page, and when the
 * user returns from the hook's own pages.
 */
import type { AuthorizeOutcome } from '#lib/core/authorize/authorize.ts'
import { findInteraction, type PendingInteraction } from '#lib/core/authorize/pending.ts'
import { type ErrorPage, errorPage, refusalEvent } from '#lib/core/authorize/response-target.ts'
import { withContinuation } from '#lib/core/authorize/resume.ts'
import { hookRequest } from '#lib/core/hooks/hooks.ts'
import type { PreAuthenticateRequest } from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, PendingHandle, SessionHandle } from '#lib/protocol/ids.ts'
import { flowOf, type RequestContext } from '#lib/protocol/request-context.ts'
import { authenticateActive } from './decide-again.ts'
import { finishSignIn, interrupt, localSignIn, recordRefusal } from './finish-sign-in.ts'
import { allowsLocal } from './interaction.ts'
import { findPendingPartial, type PartialProof } from './partial-sign-in.ts'
import type { SignInOutcome } from './sign-in-outcome.ts'

export type PreAuthenticateInput = Pick<PreAuthenticateRequest, 'headers' | 'cookies'> & {
  readonly browser: BrowserHandle
  readonly previous: readonly SessionHandle[]
}

export type PreAuthenticated =
  | { readonly kind: 'finished'; readonly outcome: SignInOutcome; readonly pending: PendingHandle }
  | { readonly kind: 'refused'; readonly page: ErrorPage; readonly message: string | null }

/**
 * Returns the decision of the hook about a new request; `null`: the request continues unchanged. A refusal ends the
 * request. The hook is not called when a request resumes: a sign-in that does not satisfy the request would be repeated
 * in an endless loop.
 */
export async function preAuthenticate(
  ports: Ports,
  { outcome, ...input }: PreAuthenticateInput & { readonly outcome: AuthorizeOutcome },
  context: RequestContext,
): Promise<PreAuthenticated | null> {
  const pending = ports.hooks.preAuthenticate === undefined ? null : pendingSignIn(outcome)
  const interaction = pending && (await findInteraction(ports, pending, input.browser))
  if (pending === null || interaction === null) return null
  return askHook(ports, { ...input, pending, interaction, returnedFrom: null }, context)
}

const step = { name: 'pre_authenticate', reason: 'pre_authenticate_partial' } as const

type Returning = Omit<PreAuthenticateInput, 'browser'> & PartialProof

/**
 * Calls the hook again when the user returns from its page. The handle can be used once. Returns `null` if it is
 * unknown, expired, used, of another browser or of another step: `completePartialSignIn` handles these cases.
 */
export async function returnToPreAuthenticate(
  ports: Ports,
  { partial, browser, ...input }: Returning,
  context: RequestContext,
): Promise<PreAuthenticated | { readonly kind: 'continued'; readonly pending: PendingHandle } | null> {
  const found = await findPendingPartial(ports, { partial, browser })
  if (found === null || found.details.step !== step.name) return null
  const { pending, interaction, details } = found
  if (pending === null || interaction === null) return null
  if (!(await ports.partialSignIns.take(found.row.digest))) return null
  const asked = { ...input, browser: found.browser, pending, interaction, returnedFrom: details.path }
  return (await askHook(ports, asked, context)) ?? { kind: 'continued', pending }
}

type Asked = PreAuthenticateInput & {
  readonly pending: PendingHandle
  readonly interaction: PendingInteraction
  readonly returnedFrom: string | null
}

/**
 * Calls the hook. Returns `null` if the request continues unchanged, because the hook wants that or because its sign-in
 * is ignored.
 */
async function askHook(
  ports: Ports,
  { pending, interaction, returnedFrom, ...input }: Asked,
  context: RequestContext,
): Promise<PreAuthenticated | null> {
  const answer = await ports.hooks.preAuthenticate?.({
    ...interaction.hints,
    client: interaction.client,
    scopes: interaction.request.details.scopes,
    loginHint: interaction.loginHint,
    mustAuthenticate: mustAuthenticate(interaction),
    headers: input.headers,
    cookies: input.cookies,
    returnedFrom,
    request: hookRequest(context),
  })
  if (answer === undefined) return null
  if (answer.kind === 'refused') return refuse(ports, interaction, answer.message, context)
  if (answer.kind === 'continue') return null
  const { browser, previous } = input
  const { hints } = interaction
  const credential = { kind: 'extension' } as const
  const signInContext = { ...localSignIn, credential, remember: false, hints, pending, browser, previous }
  if (answer.kind === 'partial') {
    const interruption = { proven: null, step, path: answer.path }
    const outcome = await interrupt(ports, interruption, signInContext, context)
    return { kind: 'finished', pending, outcome }
  }
  const reason = whyIgnored(ports, interaction)
  if (reason !== null) {
    recordRefusal(ports, { reason, subject: answer.subject }, signInContext, context)
    return null
  }
  const authentication = await authenticateActive(ports, { ...answer, acr: answer.acr ?? null })
  const finished = await finishSignIn(ports, authentication, signInContext, context)
  return { kind: 'finished', pending, outcome: finished }
}

function pendingSignIn(outcome: AuthorizeOutcome): PendingHandle | null {
  if (outcome.kind === 'forward') return outcome.pending
  const isSignIn = outcome.kind === 'interact' && (outcome.at === 'login' || outcome.at === 'providers')
  return isSignIn ? outcome.pending : null
}

/**
 * Whether the user must authenticate. OpenID Connect Core 3.1.2.1: a hook cannot satisfy `prompt=login` and `max_age`.
 */
function mustAuthenticate({ request: { prompts, maxAgeSeconds } }: PendingInteraction): boolean {
  return prompts.includes('login') || maxAgeSeconds !== null
}

/**
 * Returns the reason why the hook's sign-in is ignored, or `null`. Its session would not satisfy the request, so the
 * user would have to sign in anyway.
 */
function whyIgnored(ports: Ports, interaction: PendingInteraction) {
  if (mustAuthenticate(interaction)) return 'pre_authenticate_not_new'
  return allowsLocal(ports, interaction) ? null : 'pre_authenticate_not_local'
}

/** Refuses the request. It is finished first, so that its sign-in page cannot be opened. */
async function refuse(
  ports: Ports,
  { opened, client }: PendingInteraction,
  message: string | null,
  context: RequestContext,
): Promise<PreAuthenticated> {
  await ports.pendingRequests.finish(opened.digest, ports.clock.now())
  const reason = 'pre_authenticate_refused'
  const event = refusalEvent({ reason, clientId: client.clientId })
  ports.events.record({ ...event, flow: flowOf(opened.digest) }, context)
  const page = await withContinuation(ports, errorPage(reason), { opened, isSignedIn: false })
  return { kind: 'refused', page, message }
}

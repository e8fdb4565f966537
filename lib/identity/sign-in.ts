/** Signing in with a user name and a password. */
import { limitedAttempt } from '#lib/ports/limited-attempt.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Authentication } from '#lib/ports/users.ts'
import type { BrowserHandle, PendingHandle, SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { type Arrival, about, finishSignIn, recordRefusal } from './finish-sign-in.ts'
import { allowsLocal, hintsOf, type Interaction } from './interaction.ts'
import { markDevice } from './known-device.ts'
import { refused, type SignInOutcome } from './sign-in-outcome.ts'
import { tryRules } from './sign-in-tries.ts'

export type SignInInput = {
  readonly username: string
  readonly password: string
  readonly remember: boolean
  readonly pending: PendingHandle | null
  /** What the waiting request says; `null` with a `pending` means that it is gone. */
  readonly interaction: Interaction | null
  readonly browser: BrowserHandle | null
  /** The session cookie the browser carries now; that session ends when the sign-in succeeds. */
  readonly previous: SessionHandle | null
  /** The known-device cookie. */
  readonly device: string | null
}

/**
 * Checks the credentials and opens a session. Every wrong credential has the same outcome: no such user, wrong
 * password, disabled, no password. Only failed attempts are counted, under every name of the account alike.
 * Throws `temporarily_unavailable` when too many passwords wait to be checked.
 */
export async function signIn(
  ports: Ports,
  input: SignInInput,
  context: RequestContext,
): Promise<SignInOutcome> {
  const { interaction } = input
  if (input.pending !== null && interaction === null) {
    recordRefusal(ports, { reason: 'request_expired' }, arrivalOf(input), context)
    return { kind: 'expired' }
  }
  if (!allowsLocal(interaction)) {
    recordRefusal(ports, { reason: 'local_login_disabled' }, arrivalOf(input), context)
    return refused('not_allowed')
  }
  const account = await ports.userService.canonicalUsername(input.username.trim())
  const rules = await tryRules(ports, { account, device: input.device, address: context.address })
  const attempt = await limitedAttempt(ports, rules, {
    check: () => authenticate(ports, input),
    isFailure: authentication => authentication.kind === 'refused',
  })
  if (attempt.kind === 'limited') return limited(ports, attempt.retryAfterSeconds, arrivalOf(input), context)
  const outcome = await finishSignIn(ports, attempt.result, arrivalOf(input), context)
  if (outcome.kind !== 'signed_in') return outcome
  return { ...outcome, device: await markDevice(ports, input.device, account) }
}

function authenticate({ userService }: Ports, input: SignInInput): Promise<Authentication> {
  const credentials = { username: input.username.trim(), password: input.password }
  return userService.authenticate(credentials, hintsOf(input.interaction))
}

function limited(
  ports: Ports,
  retryAfterSeconds: number,
  arrival: Arrival,
  context: RequestContext,
): SignInOutcome {
  ports.events.record(
    {
      name: 'sign_in_limited',
      outcome: 'failure',
      ...about(ports, arrival, { retryAfterSeconds }),
    },
    context,
  )
  return { kind: 'refused', why: 'limited', message: null, retryAfterSeconds }
}

function arrivalOf(input: SignInInput): Arrival {
  const { remember, pending, browser, previous } = input
  const clientId = input.interaction?.hints.client?.clientId ?? null
  const begun = { idp: localProvider, authenticatedAt: null, provenHash: null }
  return { ...begun, remember, pending, browser, previous, clientId }
}

/** Combines metrics and traces of the same work. Without both, nothing is measured. */
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import type { QueueMeter } from '#lib/crypto/passwords/check-queue.ts'
import type { SendMessages } from '#lib/delivery/send-deliveries.ts'
import type { CheckedQueue } from '#lib/metrics/queue-metrics.ts'
import type { Hooks } from '#lib/ports/extensions.ts'
import type { Signer } from '#lib/ports/signing-keys.ts'
import type { StatementMeter } from '#lib/storage/database.ts'
import { changeName, statementName } from '#lib/storage/sql/statement-names.ts'
import type { ProviderRequest } from '#lib/upstream/provider-requests.ts'
import type { Traces } from '../telemetry/open-traces.ts'
import type { Metrics } from './metrics.ts'

type Measuring = { readonly metrics: Metrics | null; readonly traces: Traces | null }

/** Returns the meter of plain statements. Spans have the kind of the statement and its table, never its text or values. */
export function statementMeter(
  { metrics, traces }: Measuring,
  system: DatabaseLocation['kind'],
): StatementMeter | undefined {
  const counted = metrics?.statements(system)
  if (traces === null) return counted
  const span = (milliseconds: number, name: string) =>
    traces.past(name, milliseconds, { 'db.system.name': system, 'db.query.summary': name }, true)
  return {
    read: (milliseconds, statement) => {
      counted?.read(milliseconds)
      span(milliseconds, statementName(statement))
    },
    change: (milliseconds, change) => {
      counted?.change(milliseconds)
      span(milliseconds, changeName(change))
    },
    insert: milliseconds => {
      counted?.insert(milliseconds)
      span(milliseconds, 'INSERT')
    },
  }
}

/** Returns the function that creates the meter of a queue of checks. */
export function queueMeters({
  metrics,
  traces,
}: Measuring): ((queue: CheckedQueue) => QueueMeter) | undefined {
  const counted = metrics?.meter
  if (traces === null) return counted
  return queue => {
    const meter = counted?.(queue)
    const attributes = { 'latchkey.queue': queue }
    return {
      watch: count => meter?.watch(count),
      refused: () => meter?.refused(),
      waited: milliseconds => traces.past('hash wait', milliseconds, attributes),
      ran: milliseconds => {
        meter?.ran(milliseconds)
        traces.past('hash', milliseconds, attributes)
      },
    }
  }
}

/** Returns the function that measures a request to an identity provider. */
export function providerMeter({
  metrics,
  traces,
}: Measuring): ((request: ProviderRequest) => void) | undefined {
  const counted = metrics?.measureProvider
  if (traces === null) return counted
  return request => {
    counted?.(request)
    const { provider, method, status, milliseconds } = request
    const attributes = {
      'http.request.method': method,
      ...(provider === null ? {} : { 'latchkey.provider': provider }),
      ...(status === null ? { 'error.type': 'none' } : { 'http.response.status_code': status }),
    }
    traces.past(`${method} provider`, milliseconds, attributes, true)
  }
}

export function tracedSigner(signer: Signer, traces: Traces | null): Signer {
  return traces === null ? signer : { ...signer, sign: traces.inSpan('signature', signer.sign) }
}

export function tracedHooks(hooks: Hooks, traces: Traces | null): Hooks {
  if (traces === null) return hooks
  const trace = <Request, Result>(
    name: keyof Hooks,
    hook: ((request: Request) => Promise<Result>) | undefined,
  ) => hook && traces.inSpan(`hook ${name}`, hook)
  return {
    preAuthenticate: trace('preAuthenticate', hooks.preAuthenticate),
    postAuthenticate: trace('postAuthenticate', hooks.postAuthenticate),
    signOut: trace('signOut', hooks.signOut),
    validateRedirectUri: trace('validateRedirectUri', hooks.validateRedirectUri),
    validateAuthorizeRequest: trace('validateAuthorizeRequest', hooks.validateAuthorizeRequest),
    validateTokenRequest: trace('validateTokenRequest', hooks.validateTokenRequest),
    tokenResponse: trace('tokenResponse', hooks.tokenResponse),
  }
}

/** Traces each attempt to send a message, which no request waits for. */
export function tracedSenders(senders: SendMessages, traces: Traces | null): SendMessages {
  if (traces === null) return senders
  const { mail } = senders
  if (mail === undefined) return senders
  return { ...senders, mail: message => traces.inNewTrace('delivery mail', () => mail(message)) }
}

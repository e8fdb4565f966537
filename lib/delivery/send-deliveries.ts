/** Sends the messages of the outbox: leases each that is due, makes one attempt, and stores the result. */
import { randomInt } from 'node:crypto'
import { outbox as limits } from '#lib/config/limits.ts'
import type { Clock, Random, Sealing } from '#lib/ports/environment.ts'
import type { Events } from '#lib/ports/events.ts'
import {
  type AttemptResult,
  type DeliveryKind,
  type DeliveryState,
  deliveryContext,
  deliveryKinds,
  type LeasedDelivery,
  type Outbox,
} from '#lib/ports/outbox.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

/** The result of sending one message. `status`: that of the receiver; `null` if it did not answer. */
export type Sent = {
  readonly kind: 'delivered' | 'refused' | 'not_now'
  readonly status: number | null
  readonly answer: string
}

/** A message to send. `signal`: aborts when the attempt has taken too long, or the server is about to end. */
export type OutgoingMessage = { readonly id: string; readonly body: string; readonly signal: AbortSignal }

/** Sends a message of one kind. Must end soon after the signal of the message. */
export type SendMessage = (message: OutgoingMessage) => Promise<Sent>

export type SendMessages = { readonly [Kind in DeliveryKind]?: SendMessage }

export type SendingParts = {
  readonly outbox: Outbox
  readonly sealing: Pick<Sealing, 'open'>
  readonly clock: Clock
  readonly random: Pick<Random, 'id'>
  /** How each kind is sent. Kinds without an entry are left to nodes that have one. */
  readonly send: SendMessages
  readonly events: Events
  /** Called after each attempt whose result is stored; absent if metrics are off. */
  readonly count?: ((kind: DeliveryKind, state: DeliveryState) => void) | undefined
  /** Logs why a message could not be written or sent. */
  readonly report: (error: unknown) => void
  /** Makes the request ID of an event that no request caused. */
  readonly newRequestId: () => string
  /** Aborts when the server stops: no more messages are leased. */
  readonly stopping: AbortSignal
  /** Aborts when a server that stops waits no longer: the attempts in progress end. */
  readonly cutOff: AbortSignal
}

/**
 * Sends all messages that are due. Several processes may call this at the same time. A message is sent at least once: if
 * this process ends between sending and storing the result, it is sent again with the same ID.
 */
export async function sendDueDeliveries(parts: SendingParts): Promise<void> {
  const first = await leaseNext(parts)
  if (first === null) return
  const others = Array.from({ length: limits.atOnce - 1 }, () => sendAll(parts, null))
  const ended = await Promise.allSettled([sendAll(parts, first), ...others])
  for (const result of ended) if (result.status === 'rejected') throw result.reason
}

/** Sends one message after the other, until none is due. */
async function sendAll(parts: SendingParts, first: LeasedDelivery | null): Promise<void> {
  for (let next = first ?? (await leaseNext(parts)); next !== null; next = await leaseNext(parts))
    await attempt(parts, next)
}

function leaseNext({
  outbox,
  clock,
  random,
  send,
  stopping,
}: SendingParts): Promise<LeasedDelivery | null> | null {
  const kinds = deliveryKinds.filter(kind => send[kind] !== undefined)
  if (kinds.length === 0 || stopping.aborted) return null
  const now = clock.now()
  return outbox.lease({ lease: random.id(), kinds, now, until: secondsAfter(now, limits.leaseSeconds) })
}

async function attempt(parts: SendingParts, delivery: LeasedDelivery): Promise<void> {
  const { outbox, clock } = parts
  const result = resultOf(delivery, await sentBy(parts, delivery), clock.now())
  const isSettled = await outbox.settle(delivery, result, clock.now())
  if (isSettled) parts.count?.(delivery.kind, result.state)
  if (isSettled && result.state === 'failed') recordGivenUp(parts, delivery, result)
}

async function sentBy(
  { sealing, clock, send, report, cutOff }: SendingParts,
  { id, kind, sealedBody, deadlineAt, attempts }: LeasedDelivery,
): Promise<Sent> {
  if (deadlineAt <= clock.now())
    return { kind: 'refused', status: null, answer: 'It was not sent in time to be of use.' }
  if (attempts > limits.mostAttempts)
    return { kind: 'refused', status: null, answer: 'The server ended during each attempt to send it.' }
  const sendIt = send[kind]
  if (sendIt === undefined) return { kind: 'not_now', status: null, answer: 'This server cannot send it.' }
  let body: string
  try {
    body = sealing.open(sealedBody, deliveryContext(id))
  } catch {
    return { kind: 'not_now', status: null, answer: 'Its content cannot be opened with the master key.' }
  }
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(limits.attemptMs), cutOff])
    return await sendIt({ id, body, signal })
  } catch (error) {
    report(error)
    return { kind: 'not_now', status: null, answer: 'It could not be sent: the log has the reason.' }
  }
}

function resultOf(
  { attempts, deadlineAt }: LeasedDelivery,
  { kind, status, answer }: Sent,
  now: Date,
): AttemptResult {
  const shared = { status, answer: displayText(answer, limits.answerCharacters) }
  if (kind === 'delivered') return { ...shared, state: 'delivered', nextAt: null }
  const nextAt = kind === 'refused' ? null : nextAttempt({ attempts, deadlineAt }, now)
  return nextAt === null ? { ...shared, state: 'failed', nextAt } : { ...shared, state: 'waiting', nextAt }
}

/**
 * Returns the time of the next attempt: after the pause for this number of attempts, with a random part. If the deadline is
 * earlier, a last attempt is made shortly before it. `null`: there is no further attempt.
 */
function nextAttempt(
  { attempts, deadlineAt }: Pick<LeasedDelivery, 'attempts' | 'deadlineAt'>,
  now: Date,
): Date | null {
  const seconds = limits.retrySeconds[attempts - 1]
  if (seconds === undefined) return null
  const part = randomInt(Math.round(-limits.jitter * 1000), Math.round(limits.jitter * 1000)) / 1000
  const nextAt = secondsAfter(now, seconds * (1 + part))
  const last = secondsAfter(deadlineAt, -limits.leaseSeconds)
  if (nextAt < last) return nextAt
  return last > now ? last : null
}

/** LG-01: records the event with a new request ID, because no request caused it. */
function recordGivenUp(
  { events, newRequestId }: SendingParts,
  { id, kind, attempts }: LeasedDelivery,
  { status }: AttemptResult,
): void {
  const context = { requestId: newRequestId(), address: null, userAgent: null }
  const details = { delivery: id, kind, attempts, status }
  events.record({ name: 'delivery_failed', outcome: 'failure', details }, context)
}

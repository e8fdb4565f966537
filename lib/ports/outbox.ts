/**
 * The outbox: messages to other parties, such as mails, which are stored with the change that causes them and sent
 * afterwards. No request waits for a receiver.
 */

/** The kinds of messages. `lib/delivery/kinds.ts` sends each. */
export const deliveryKinds = ['mail'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** A message to send. */
export type NewDelivery = {
  /** The ID of all attempts: `<milliseconds, base 36>-<random>`. */
  readonly id: string
  readonly kind: DeliveryKind
  /** The address of the receiver, for lists. */
  readonly target: string
  /** The name of the content, such as `test`, for lists. */
  readonly content: string
  /** A detail of the content for lists, such as the name of the change that the message is about; it is not a secret. */
  readonly detail?: string
  /** The data from which the message is made, sealed with `deliveryContext(id)`. */
  readonly sealedBody: string
  readonly createdAt: Date
  /** The time after which the message is no longer worth an attempt. */
  readonly deadlineAt: Date
}

/** A stored message with the result of its last attempt. */
export type Delivery = Omit<NewDelivery, 'sealedBody' | 'detail'> & {
  readonly detail: string | null
  readonly state: DeliveryState
  readonly attempts: number
  /** The time of the next attempt; `null` after the last one. During an attempt, the end of its lease. */
  readonly nextAt: Date | null
  /** The status of the receiver, such as an SMTP code; `null`: it did not answer. */
  readonly lastStatus: number | null
  /** The answer of the receiver, or the reason for a missing answer; `null` before the first attempt. */
  readonly lastAnswer: string | null
  readonly endedAt: Date | null
}

/** A message that this process may send until its lease ends. */
export type LeasedDelivery = Pick<NewDelivery, 'id' | 'kind' | 'sealedBody' | 'deadlineAt'> & {
  /** The number of attempts, including this one. */
  readonly attempts: number
  readonly lease: string
}

/** The result of an attempt. `nextAt`: when to try again; `null`: never. */
export type AttemptResult = {
  readonly state: DeliveryState
  readonly status: number | null
  readonly answer: string
  readonly nextAt: Date | null
}

export type FailedDeliveries = { readonly retried: number; readonly givenUp: number }

export type WaitingDeliveries = { readonly count: number; readonly oldestAt: Date | null }

export type Outbox = {
  /** Stores messages that no other change causes. */
  readonly put: (messages: readonly NewDelivery[]) => Promise<void>
  /**
   * Leases the message of these kinds that has been due longest; `null` if none is due. It is leased to one caller at a
   * time; when a lease ends without a result, because its process has ended, the message is due again. A message whose content
   * only a later release can write is leased only when its deadline has passed.
   */
  readonly lease: (asked: {
    readonly lease: string
    readonly kinds: readonly DeliveryKind[]
    readonly now: Date
    readonly until: Date
  }) => Promise<LeasedDelivery | null>
  /** Stores the result of an attempt. Returns false, and stores nothing, if the lease has passed to a different caller. */
  readonly settle: (leased: LeasedDelivery, result: AttemptResult, now: Date) => Promise<boolean>
  /** Lists the newest messages. */
  readonly newest: (most: number) => Promise<readonly Delivery[]>
  /** Lists the newest messages to this address. */
  readonly newestTo: (target: string, most: number) => Promise<readonly Delivery[]>
  /** Counts the messages whose last attempt failed: those that are tried again, and those given up since this time. */
  readonly countFailed: (since: Date) => Promise<FailedDeliveries>
  /** Counts the messages of a kind that wait for an attempt, with the time of the oldest; `null` if none waits. */
  readonly countWaiting: (kind: DeliveryKind) => Promise<WaitingDeliveries>
  /** Returns a message; `null` if it does not exist. */
  readonly find: (id: string) => Promise<Delivery | null>
}

/** A part of a change that stores messages, or sends a message again that was given up. */
export type OutboxWrite =
  | { readonly kind: 'deliver'; readonly deliveries: readonly NewDelivery[] }
  | { readonly kind: 'deliver_again'; readonly id: string }

/** The sealing context of the body of a message. */
export function deliveryContext(id: string): string {
  return `delivery:body:${id}`
}

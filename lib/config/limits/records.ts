/** The data that the server records: the log, events, counts, and the audit trail. */

/**
 * Last uses of clients, secrets, users and sessions. `everyMs`: the shortest time between two stored uses of the same
 * object. `writeEveryMs`: the time for which uses are collected before they are written. `most`: the number of objects
 * of each kind whose last use a process remembers.
 */
export const usageMarks = { everyMs: 60_000, writeEveryMs: 1000, most: 20_000 } as const

/**
 * The log is buffered until it has this number of characters, or for this time. `mostWaitingBytes`: the lines that wait for a
 * reader that has stopped; further ones are dropped.
 */
export const logBuffer = { characters: 65_536, longestMs: 50, mostWaitingBytes: 16_777_216 } as const
/** The interval at which processes read the level of the log that the operator has set. */
export const logLevelMs = 500
/** The interval at which the server verifies the audit chain. */
export const auditCheck = { everySeconds: 86_400 } as const
/**
 * The buffer of events before they are stored. `writeEveryMs`: the time after which they are written, so a process that
 * is killed loses the events of the last quarter of a second. `mostWaiting`: the number above which events are dropped.
 * `writtenTogether`: the number of events that are written together.
 */
export const events = { writeEveryMs: 250, mostWaiting: 20_000, writtenTogether: 250 } as const
/**
 * The time in which the events of repeated userinfo responses for the same grant and address are not stored, and the
 * number of such pairs that a process remembers.
 */
export const repeatedUserinfo = { withinMs: 60_000, remembered: 20_000 } as const

/**
 * `perMinute`: the maximum number of stored refusals of one kind from one address in a minute, which is more than users
 * and a failing app cause. `kinds`: the number of pairs of a kind and an address that a process counts.
 */
export const refusalEventLimits = { perMinute: 300, kinds: 10_000 } as const
/** The maximum number of stored events of started sign-ins in a minute: from one address, and from all addresses. */
export const pausedEventLimits = { fromOneAddress: 300, fromAll: 3000 } as const
/** The maximum number of users of whom one process remembers the last day on which they were counted. */
export const visitors = { remembered: 100_000 } as const
/**
 * Limits of the query for the busiest clients of a period. `leadersOfDay`: the number of clients with the highest count
 * that are read for each day. `candidates`: the number of these whose counts are summed over the period.
 */
export const aggregates = { leadersOfDay: 50, candidates: 100 } as const

/** Aggregates that charts read instead of events; each written batch of events adds to them. */

/** One counted thing: `metric` such as `sign_in`, `label` such as `pwd`. `hour` is the beginning of the hour, UTC. */
export type HourlyCount = {
  readonly hour: Date
  readonly metric: string
  readonly label: string
  readonly count: number
}

/** The counts of a whole day; days are counted from 1970, UTC. */
export type DailyCount = Omit<HourlyCount, 'hour'> & { readonly day: number }

/** The tokens and the refusals of a client on one day. */
export type ClientDay = {
  readonly clientId: string
  readonly day: number
  readonly tokens: number
  readonly refusals: number
}

export type UserActivity = { readonly subject: string; readonly time: Date }

/**
 * Adds the counts of a batch of events. A user's first visit of a day is also counted under `activeMetric`, labeled with the
 * days since the visit before: `new`, `1`, `2`, … and `longestGap` for that many or more. So the users of any period of at
 * most `longestGap` days are counted once each: those whose visit before lies before the period.
 */
export type Additions = {
  readonly counts: readonly HourlyCount[]
  readonly clients: readonly ClientDay[]
  readonly visits: readonly UserActivity[]
}

export const activeMetric = 'active'
/** Counts rows that the purge deleted, by their kind. */
export const purgedMetric = 'purged'
/** Counts token responses by an upper limit of their duration in milliseconds. */
export const responseTimeMetric = 'token_ms'
export const firstVisit = 'new'
export const longestGap = 90

export type BusyClient = Omit<ClientDay, 'day'>

/** `until` is exclusive. `by: 'metric'` adds up all labels, as `''`. */
export type HoursAsked = {
  readonly metrics: readonly string[]
  readonly from: Date
  readonly until: Date
  readonly by: 'label' | 'metric'
}

/** Both days are included. */
export type DaysAsked = {
  readonly metrics: readonly string[]
  readonly first: number
  readonly last: number
  readonly by: 'label' | 'metric'
}

/**
 * First visits of a day: all of them, those of users who never came before, and those whose visit before lies before
 * the period. Summed up, the last are the users of the period, each once.
 */
export type Active = { readonly visits: number; readonly fresh: number; readonly users: number }

export type Aggregates = {
  /** Sums per hour, metric and label, oldest first. */
  readonly hours: (asked: HoursAsked) => Promise<readonly HourlyCount[]>
  /** Sums per day, metric and label, oldest first. */
  readonly days: (asked: DaysAsked) => Promise<readonly DailyCount[]>
  /** The visits per hour of one day. `daysBefore`: the days from the start of the period to this day. */
  readonly activeHours: (
    hours: { readonly from: Date; readonly until: Date },
    daysBefore: number,
  ) => Promise<readonly (Active & { readonly hour: Date })[]>
  /** The visits per day of a period that begins with the day `first`. */
  readonly activeDays: (days: {
    readonly first: number
    readonly last: number
  }) => Promise<readonly (Active & { readonly day: number })[]>
  /**
   * Clients with their sums over these days, the most of `by` first. Only clients that are among the busiest of a single day
   * are compared: a client that never is can be missing.
   */
  readonly busiestClients: (
    days: { readonly first: number; readonly last: number },
    by: 'tokens' | 'refusals',
    limit: number,
  ) => Promise<readonly BusyClient[]>
  /** The first day that anything was counted on; `null` when nothing was. */
  readonly firstDay: () => Promise<number | null>
}

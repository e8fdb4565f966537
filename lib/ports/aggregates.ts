/** Counts per hour and per day, which the dashboard reads instead of events. */

/** A count: `metric` such as `sign_in`, `label` such as `pwd`. `hour` is the beginning of the hour, UTC. */
export type HourlyCount = {
  readonly hour: Date
  readonly metric: string
  readonly label: string
  readonly count: number
}

/** The counts of a whole day; days are counted from 1970, UTC. */
export type DailyCount = Omit<HourlyCount, 'hour'> & { readonly day: number }

/** The number of tokens and refusals of a client on one day. */
export type ClientDay = {
  readonly clientId: string
  readonly day: number
  readonly tokens: number
  readonly refusals: number
}

export type UserActivity = { readonly subject: string; readonly time: Date }

/**
 * The counts that a batch of events adds. A user's first visit of a day is also counted under `activeMetric`, with a
 * label for the days since the previous visit: `new`, `1`, `2`, … and `longestGap` for that many or more. To
 * count the distinct users of a period of at most `longestGap` days, count the visits whose previous visit was before
 * the period, or that have none.
 */
export type Additions = {
  readonly counts: readonly HourlyCount[]
  readonly clients: readonly ClientDay[]
  readonly visits: readonly UserActivity[]
}

export const activeMetric = 'active'
/** The metric that counts deleted rows of a purge, by their kind. */
export const purgedMetric = 'purged'
/** The metric that counts token responses by an upper limit of their duration in milliseconds. */
export const responseTimeMetric = 'token_ms'
export const firstVisit = 'new'
export const longestGap = 90

export type BusyClient = Omit<ClientDay, 'day'>

/** Selects hourly counts. `until` is exclusive. `by: 'metric'` returns sums over all labels, with the label `''`. */
export type HoursAsked = {
  readonly metrics: readonly string[]
  readonly from: Date
  readonly until: Date
  readonly by: 'label' | 'metric'
}

/** Selects daily counts. Both days are included. */
export type DaysAsked = {
  readonly metrics: readonly string[]
  readonly first: number
  readonly last: number
  readonly by: 'label' | 'metric'
}

/**
 * First visits of users on a day. `visits`: all of them. `fresh`: those of new users. `users`: those of new users and
 * of users whose previous visit is before the period; the sum of `users` over the period is its number of users.
 */
export type Active = { readonly visits: number; readonly fresh: number; readonly users: number }

export type Aggregates = {
  /** Returns sums per hour, metric and label, oldest first. */
  readonly hours: (asked: HoursAsked) => Promise<readonly HourlyCount[]>
  /** Returns sums per day, metric and label, oldest first. */
  readonly days: (asked: DaysAsked) => Promise<readonly DailyCount[]>
  /** Returns the visits per hour of one day. `daysBefore`: the days from the start of the period to this day. */
  readonly activeHours: (
    hours: { readonly from: Date; readonly until: Date },
    daysBefore: number,
  ) => Promise<readonly (Active & { readonly hour: Date })[]>
  /** Returns the visits per day of a period that begins with the day `first`. */
  readonly activeDays: (days: {
    readonly first: number
    readonly last: number
  }) => Promise<readonly (Active & { readonly day: number })[]>
  /**
   * Returns clients with their sums over these days, sorted by `by`. Compares only clients that are among the busiest
   * of a single day.
   */
  readonly busiestClients: (
    days: { readonly first: number; readonly last: number },
    by: 'tokens' | 'refusals',
    limit: number,
  ) => Promise<readonly BusyClient[]>
  /** Returns the first day with a count; `null` when there is none. */
  readonly firstDay: () => Promise<number | null>
}

/** What charts read instead of events: sums that grow with each written batch. */

/** One counted thing: `metric` such as `sign_in`, `label` such as `pwd`. `hour` is the beginning of the hour, UTC. */
export type HourlyCount = {
  readonly hour: Date
  readonly metric: string
  readonly label: string
  readonly count: number
}

/** The same of a whole day; days are counted from 1970, UTC. */
export type DailyCount = Omit<HourlyCount, 'hour'> & { readonly day: number }

/** What a client got on a day, and what it was refused. */
export type ClientDay = {
  readonly clientId: string
  readonly day: number
  readonly tokens: number
  readonly refusals: number
}

export type Visit = { readonly subject: string; readonly time: Date }

/**
 * What a batch of events adds. A person's first visit of a day is also counted under `activeMetric`, labelled with the
 * days since the visit before: `new`, `1`, `2`, … and `longestGap` for that many or more. So the people of any period of
 * at most `longestGap` days are counted once each: those whose visit before lies before the period.
 */
export type Additions = {
  readonly counts: readonly HourlyCount[]
  readonly clients: readonly ClientDay[]
  readonly visits: readonly Visit[]
}

export const activeMetric = 'active'
/** Rows that housekeeping deleted, by what they were. */
export const purgedMetric = 'purged'
export const firstVisit = 'new'
export const longestGap = 90

export type BusyClient = Omit<ClientDay, 'day'>

export type RollUps = {
  /** Sums per hour, metric and label, oldest first; `until` is not part of it. */
  readonly hours: (metrics: readonly string[], from: Date, until: Date) => Promise<readonly HourlyCount[]>
  /** Sums per day, metric and label, oldest first; both days are part of it. */
  readonly days: (metrics: readonly string[], first: number, last: number) => Promise<readonly DailyCount[]>
  /**
   * Their sums over these days, the most of `by` first. Looked for among the busiest of each single day: who is never
   * among those is missing, however even their use.
   */
  readonly busiestClients: (
    days: { readonly first: number; readonly last: number },
    by: 'tokens' | 'refusals',
    limit: number,
  ) => Promise<readonly BusyClient[]>
  /** The first day that anything was counted on; `null` when nothing was. */
  readonly firstDay: () => Promise<number | null>
}

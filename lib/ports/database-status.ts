/** The state of the place the data lies in. */
export type DatabaseState = {
  readonly kind: 'sqlite' | 'postgresql'
  /** `null` where it lies in no file of this machine. */
  readonly file: string | null
  /** What the data takes. */
  readonly bytes: number
  /** What the disk has left; `null` where only the database's own machine knows. */
  readonly freeBytes: number | null
}

export type DatabaseStatus = {
  /** When this process opened the database. */
  readonly openedAt: Date
  readonly database: () => Promise<DatabaseState>
  /** When what has expired was last removed, to its end; `null`: never. */
  readonly purgedAt: () => Promise<Date | null>
}

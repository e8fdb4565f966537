/** An alert for administrators. */
export type Concern = {
  /** `bad`: now. `warn`: soon. `note`: worth a thought when there is time. */
  readonly severity: 'bad' | 'warn' | 'note'
  readonly sentence: string
  /** What it is about, each with the way there. */
  readonly links: readonly { readonly text: string; readonly href: string }[]
}

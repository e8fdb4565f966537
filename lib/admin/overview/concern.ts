/** Something that somebody should look at. */
export type Concern = {
  /** `bad`: now; `warn`: soon, or when there is time. */
  readonly severity: 'bad' | 'warn'
  readonly sentence: string
  /** What it is about, each with the way there. */
  readonly links: readonly { readonly text: string; readonly href: string }[]
}

/** Who asked, and under which reference: travels with every call into the core, for events and limits. */
export type RequestContext = {
  /** Short, readable, in the log, in the `X-Reference-Id` header and on error pages. */
  readonly referenceId: string
  /** The client's network address; `null` when the host cannot know it. */
  readonly address: string | null
  readonly userAgent: string | null
}

/** Spans of traces, which a server can export. Without them no port is wrapped, and `trace` is absent. */

/** The names of spans inside of a request. They never contain a value of the request. */
export type SpanName = 'client authentication' | 'grant' | 'consent'

/** Attributes of a span. They never contain a subject, an address, or a value of a parameter except the two named here. */
export type SpanAttributes = {
  readonly clientId?: string | undefined
  readonly grantType?: string | undefined
}

export type Trace = {
  /** Returns a function that runs `work` in a span, if the request is sampled. */
  readonly inSpan: <Given extends readonly unknown[], Result>(
    name: SpanName,
    work: (...given: Given) => Promise<Result>,
  ) => (...given: Given) => Promise<Result>
  /** Adds attributes to the span of the request. */
  readonly describe: (attributes: SpanAttributes) => void
}

/** Returns `work`, in a span if there are traces. */
export function traced<Given extends readonly unknown[], Result>(
  { trace }: { readonly trace?: Trace | undefined },
  name: SpanName,
  work: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  return trace === undefined ? work : trace.inSpan(name, work)
}

/** Reads and writes `traceparent` (W3C Trace Context, section 3.2). */
import { type SpanContext, TraceFlags } from '@opentelemetry/api'

/** Returns the span of a caller; `null` for a missing or invalid header. */
export function readTraceparent(header: string | null): SpanContext | null {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '') ?? []
  if (version !== '00' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  const traceFlags = (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) as TraceFlags
  return { traceId, spanId, traceFlags, isRemote: true }
}

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`
}

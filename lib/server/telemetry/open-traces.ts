/** Opens the traces of a process: spans of requests and of the work inside of them. Imported only if traces are sent. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { telemetry as limits } from '#lib/config/limits.ts'
import type { TelemetrySettings } from '#lib/config/telemetry-settings.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { Log } from '#lib/events/log.ts'
import type { RequestTracing } from '#lib/http/exchange.ts'
import type { Trace } from '#lib/ports/tracing.ts'
import { describeProcess, endWithin, reportFailures, spanExporter } from './exporters.ts'
import { readTraceparent, writeTraceparent } from './traceparent.ts'

export type Traces = Awaited<ReturnType<typeof openTraces>>

type Opening = {
  readonly settings: TelemetrySettings
  readonly sampling: NonNullable<TelemetrySettings['traces']>
  readonly log: Pick<Log, 'write'>
  /** The number of this process in its node; `null` for the only one. */
  readonly worker: number | null
}

export async function openTraces({ settings, sampling, log, worker }: Opening) {
  reportFailures(log)
  const provider = new TracerProvider({
    resource: await describeProcess(settings, worker),
    sampler: samplerOf(sampling),
    spanLimits: { attributeValueLengthLimit: limits.attributeCharacters },
    spanProcessors: [new BatchSpanProcessor({ exporter: await spanExporter(settings) })],
  })
  const tracer = provider.getTracer('latchkey')
  /** The span in which the current work runs. Requests that are not sampled have none, so that they cost nothing more. */
  const current = new AsyncLocalStorage<Span>()
  return {
    requests: requestTracing(tracer, current),
    ports: portTracing(tracer, current),
    ...spansOf(tracer, current),
    /** Returns the headers that continue the trace at a receiver. */
    headers: (): Readonly<Record<string, string>> => {
      const span = current.getStore()
      return span === undefined ? {} : { traceparent: writeTraceparent(span.spanContext()) }
    },
    end: () => endWithin(provider.shutdown()),
  }
}

function samplerOf({ sampler, ratio, followsParent }: Opening['sampling']): Sampler {
  const samplers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const root = samplers[sampler]()
  return followsParent ? new ParentBasedSampler({ root }) : root
}

type Current = AsyncLocalStorage<Span>

/** Routes that only monitoring requests. */
const untraced: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** TL-03: a caller continues its trace only from a trusted address. Others get a trace with a link to theirs. */
function requestTracing(tracer: Tracer, current: Current): RequestTracing {
  return {
    begin: ({ method, pattern, requestId, traceparent, isFromProxy }) => {
      if (untraced.has(pattern)) return null
      const caller = readTraceparent(traceparent)
      const isParent = caller !== null && isFromProxy
      const parent = isParent ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT
      const options = {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': method,
          'http.route': pattern,
          'latchkey.request_id': requestId,
        },
        links: caller === null || isParent ? [] : [{ context: caller }],
      }
      const span = tracer.startSpan(`${method} ${pattern}`, options, parent)
      if (!span.isRecording()) return null
      return {
        traceId: span.spanContext().traceId,
        run: work => current.run(span, work),
        end: (status, reason) => {
          span.setAttribute('http.response.status_code', status)
          if (reason !== undefined) span.setAttribute('latchkey.reason', reason)
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
  }
}

function portTracing(tracer: Tracer, current: Current): Trace {
  const { inSpan } = spansOf(tracer, current)
  return {
    inSpan: (name, work) => inSpan(name, work),
    describe: ({ clientId, grantType }) => {
      const span = current.getStore()
      if (clientId !== undefined) span?.setAttribute('latchkey.client_id', clientId)
      if (grantType !== undefined) span?.setAttribute('latchkey.grant_type', grantType)
    },
  }
}

type Work<Given extends readonly unknown[], Result> = (...given: Given) => Promise<Result>

function spansOf(tracer: Tracer, current: Current) {
  const begin = (
    name: string,
    parent: Span | undefined,
    attributes: Attributes = {},
    kind = SpanKind.INTERNAL,
  ) =>
    tracer.startSpan(
      name,
      { kind, attributes },
      parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent),
    )
  const runIn = async <Result>(span: Span, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await current.run(span, work)
    } catch (error) {
      // NOTE: the text of an error can contain values, so the span has only its reason
      span.setStatus({ code: SpanStatusCode.ERROR })
      if (isOauthError(error)) span.setAttribute('latchkey.reason', error.reason)
      throw error
    } finally {
      span.end()
    }
  }
  return {
    /** Returns a function that runs `work` in a span of the current one. Without a current one, it only runs `work`. */
    inSpan: <Given extends readonly unknown[], Result>(
      name: string,
      work: Work<Given, Result>,
    ): Work<Given, Result> => {
      return (...given) => {
        const parent = current.getStore()
        if (parent === undefined) return work(...given)
        return runIn(begin(name, parent), () => work(...given))
      }
    },
    /** Runs `work`, which no request waits for, in a new trace. */
    inNewTrace: <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
      const span = begin(name, undefined, {}, SpanKind.PRODUCER)
      return span.isRecording() ? runIn(span, work) : work()
    },
    /** Records a span for work that has just ended, in the current one. */
    past: (name: string, milliseconds: number, attributes?: Attributes, isClient = false): void => {
      const parent = current.getStore()
      if (parent === undefined) return
      const ended = performance.timeOrigin + performance.now()
      tracer
        .startSpan(
          name,
          {
            kind: isClient ? SpanKind.CLIENT : SpanKind.INTERNAL,
            startTime: ended - milliseconds,
            ...(attributes && { attributes }),
          },
          trace.setSpan(ROOT_CONTEXT, parent),
        )
        .end(ended)
    },
  }
}

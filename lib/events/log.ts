/** The structured log: one JSON object per line in production, one readable line for people in development. */
import pino, { type DestinationStream } from 'pino'
import { isoText } from '#lib/protocol/time.ts'
import { bufferedOutput } from './buffered-output.ts'
import { describeError } from './describe-error.ts'
import { prettyDestination } from './pretty-lines.ts'
import { safeText } from './safe-text.ts'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** What one answered request leaves behind. The path's pattern, never its query, body or headers. */
export type RequestLine = {
  readonly referenceId: string
  readonly method: string
  readonly pattern: string
  readonly status: number
  readonly durationMs: number
  readonly address: string | null
  /** The tagged internal cause of a refusal. */
  readonly reason?: string | undefined
}

export type Log = {
  readonly write: (level: Exclude<LogLevel, 'silent'>, message: string, fields?: LogFields) => void
  readonly request: (line: RequestLine) => void
  /** An unexpected error: name, redacted message and stack. Never sent to the client. */
  readonly failure: (error: unknown, fields: LogFields) => void
  /** Writes out what is buffered; called before the process ends. */
  readonly flush: () => void
}

export type LogOptions = {
  readonly level: LogLevel
  /** Lines for people instead of JSON. */
  readonly pretty: boolean
  /** Where lines go; standard output unless given. */
  readonly destination?: DestinationStream & { flushSync?: () => void }
}

/** Fields are only text, numbers and booleans, redacted and cut: no object or line break can get in. */
export function createLog(options: LogOptions): Log {
  const output = options.destination ?? bufferedOutput(1)
  const destination = options.pretty ? prettyDestination(output) : output
  const logger = pino(settingsOf(options.level), destination)
  const write: Log['write'] = (level, message, fields = {}) =>
    logger[level](safeFields(fields), safeText(message))
  return {
    write,
    request: line => logger[levelOf(line.status)](line, 'request'),
    failure: (error, fields) =>
      logger.error({ ...safeFields(fields), error: describeError(error) }, 'unexpected_error'),
    flush: () => output.flushSync?.(),
  }
}

function settingsOf(level: LogLevel) {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${isoText(Date.now())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  }
}

/** 501 is the response to an unknown method: any client can send one, so it is not a failure. */
function levelOf(status: number): 'info' | 'error' {
  return status >= 500 && status !== 501 ? 'error' : 'info'
}

function safeFields(fields: LogFields): Record<string, string | number | boolean | null> {
  const safe: Record<string, string | number | boolean | null> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) safe[name] = typeof value === 'string' ? safeText(value) : value
  }
  return safe
}

/** The structured log: one JSON object per line, or readable text. */

import pino, { type DestinationStream } from 'pino'
import { logBuffer } from '#lib/config/limits.ts'
import type { LogEntry, LogFields, RequestLine } from '#lib/protocol/request-context.ts'
import { isoText } from '#lib/protocol/time.ts'
import { describeError, safeText } from './safe-text.ts'

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

export type Log = {
  readonly write: (level: Exclude<LogLevel, 'silent'>, message: string, fields?: LogFields) => void
  /** Writes a request with its last event, so that most requests have one line. */
  readonly request: (line: RequestLine, event?: LogEntry | null) => void
  /** Writes an unexpected error: name, redacted message and stack. They are never sent to the client. */
  readonly failure: (error: unknown, fields: LogFields) => void
  /** Writes the buffered lines. */
  readonly flush: () => void
  /** Replaces the level; `null` returns to that of the options. */
  readonly setLevel: (level: LogLevel | null) => void
}

type LogOptions = {
  readonly level: LogLevel
  /** Whether lines are readable text instead of JSON. */
  readonly pretty: boolean
  /** The number of this process in its node, written in each line; `null` for the only process of its node. */
  readonly worker?: number | null
  /** The output for lines; standard output by default. */
  readonly destination?: DestinationStream & { flushSync?: () => void }
}

/** Creates the log. Texts from callers are redacted and cut, and have no line breaks. */
export function createLog(options: LogOptions): Log {
  const onDropped = (count: number) => write('warn', 'log_lines_dropped', { count })
  const output = options.destination ?? bufferedOutput(1, onDropped)
  const destination = options.pretty ? prettyDestination(output) : output
  const logger = pino(settingsOf(options), destination)
  const write: Log['write'] = (level, message, fields = {}) =>
    logger[level](safeFields(fields), safeText(message))
  return {
    write,
    request: (line, event) => {
      if (!event) return logger[levelOf(line.status) ?? 'info'](line, 'request')
      const fields = { ...line, ...safeFields(event.fields) }
      logger[levelOf(line.status) ?? event.level](fields, event.message)
    },
    failure: (error, fields) =>
      logger.error({ ...safeFields(fields), error: describeError(error) }, 'unexpected_error'),
    flush: () => output.flushSync?.(),
    setLevel: level => {
      const wanted = level ?? options.level
      if (logger.level !== wanted) logger.level = wanted
    },
  }
}

function settingsOf({ level, worker = null }: LogOptions) {
  return {
    level,
    base: worker === null ? null : { worker },
    timestamp: () => `,"time":"${isoText(Date.now())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  }
}

/**
 * Returns `error` for the status of a failure of this server, otherwise `null`. 501 is the response to an unknown
 * method: any client can send one, so it is not a failure.
 */
function levelOf(status: number): 'error' | null {
  return status >= 500 && status !== 501 ? 'error' : null
}

function safeFields(fields: LogFields): Record<string, string | number | boolean | null> {
  const safe: Record<string, string | number | boolean | null> = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value !== undefined) safe[name] = typeof value === 'string' ? safeText(value) : value
  }
  return safe
}

/** The colors of the levels in readable lines. */
const colors: Readonly<Record<string, string>> = {
  debug: '\u001b[2m',
  info: '\u001b[36m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
}
const faint = '\u001b[2m'
const plain = '\u001b[0m'

/** Turns each JSON line into a readable one. A line that is not JSON is written unchanged. */
function prettyDestination(output: DestinationStream): DestinationStream {
  return { write: line => output.write(prettyLine(line)) }
}

/** Formats a JSON line as readable text. A line that is not JSON is returned unchanged. */
function prettyLine(line: string): string {
  const entry = parse(line)
  if (entry === null) return line
  const { time, level, msg, requestId, error, ...fields } = entry
  const color = colors[String(level)] ?? ''
  const head = `${faint}${String(time).slice(11, 19)}${plain} ${color}${String(level).padEnd(5)}${plain}`
  const tail = requestId === undefined ? '' : ` ${faint}${text(requestId)}${plain}`
  return `${head} ${text(msg)} ${sentence(fields)}${tail}\n${errorLines(error)}`
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null ? { ...entry } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function sentence(fields: Record<string, unknown>): string {
  const { method, pattern, status, durationMs, address: _, ...rest } = fields
  const words = Object.entries(rest)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${text(value)}`)
  if (durationMs === undefined)
    return [pattern, ...words]
      .filter(word => word !== undefined)
      .map(text)
      .join(' ')
  return [text(method), text(pattern), text(status), `${text(durationMs)} ms`, ...words].join(' ')
}

function errorLines(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { name, message, stack } = { name: '', message: '', stack: [], ...error }
  const frames = Array.isArray(stack) ? stack.map(frame => `        ${faint}${text(frame)}${plain}\n`) : []
  return `      ${text(name)}: ${text(message)}\n${frames.join('')}`
}

/** Formats a value: text unchanged except for its control characters; everything else as JSON. */
function text(value: unknown): string {
  const written = typeof value === 'string' ? value : String(JSON.stringify(value))
  return written.replace(/\p{Cc}/gu, '?')
}

/** An output that writes many lines at a time, on another thread, so that no request waits for the disk. */
type Output = {
  readonly write: (line: string) => void
  /** Writes all lines before it returns, except those that another thread is already writing. */
  readonly flushSync: () => void
}

/**
 * Writes to a file descriptor. A line waits briefly for others, and lines that still wait at the end of the process are
 * written then. NOTE: collected here, because pino's destination counts all waiting lines again for each line.
 *
 * TL-07: if the reader stops, up to `mostWaitingBytes` wait, and further lines are dropped. When all others are written,
 * `onDropped` gets their number.
 */
export function bufferedOutput(descriptor: number, onDropped: (count: number) => void = () => {}): Output {
  const maxLength = logBuffer.mostWaitingBytes
  const destination = pino.destination({ dest: descriptor, sync: false, maxLength })
  countDropped(destination, onDropped)
  const atOnce = pino.destination({ dest: descriptor, sync: true })
  let lines = ''
  let isScheduled = false
  const handOver = () => {
    destination.write(lines)
    lines = ''
  }
  const handOverLater = () => {
    isScheduled = false
    if (lines !== '') handOver()
  }
  // NOTE: lines that were passed to a thread could be lost, because the thread may not get to write them
  const flushSync = () => {
    destination.flushSync()
    if (lines !== '') atOnce.write(lines)
    lines = ''
  }
  process.on('exit', flushSync)
  return {
    write: line => {
      lines += line
      if (lines.length >= logBuffer.characters) return handOver()
      if (isScheduled) return
      isScheduled = true
      setTimeout(handOverLater, logBuffer.longestMs).unref()
    },
    flushSync,
  }
}

function countDropped(
  destination: ReturnType<typeof pino.destination>,
  onDropped: (count: number) => void,
): void {
  let dropped = 0
  destination.on('drop', (lines: string) => {
    dropped += lines.split('\n').length - 1
  })
  destination.on('drain', () => {
    const count = dropped
    dropped = 0
    if (count > 0) onDropped(count)
  })
}

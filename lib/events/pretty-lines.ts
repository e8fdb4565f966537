/** Log lines for people: time, level in colour, what happened, and the reference id last. */
import type { DestinationStream } from 'pino'

const colours: Readonly<Record<string, string>> = {
  debug: '\u001b[2m',
  info: '\u001b[36m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
}
const faint = '\u001b[2m'
const plain = '\u001b[0m'

/** Turns each JSON line into a readable one. What is not JSON passes unchanged. */
export function prettyDestination(output: DestinationStream): DestinationStream {
  return { write: line => output.write(prettyLine(line)) }
}

/** One JSON line as a person reads it. The values were made safe before; JSON keeps control characters escaped. */
export function prettyLine(line: string): string {
  const entry = parse(line)
  if (entry === null) return line
  const { time, level, msg, referenceId, error, ...fields } = entry
  const colour = colours[String(level)] ?? ''
  const head = `${faint}${String(time).slice(11, 19)}${plain} ${colour}${String(level).padEnd(5)}${plain}`
  const tail = referenceId === undefined ? '' : ` ${faint}${text(referenceId)}${plain}`
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

/** Text stays as it is but for its control characters; everything else as JSON. */
function text(value: unknown): string {
  const written = typeof value === 'string' ? value : String(JSON.stringify(value))
  return written.replace(/\p{Cc}/gu, '?')
}

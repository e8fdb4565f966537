/** An error as the log may know it: by allow-list, because messages of libraries quote what they were given. */
import { safeText } from './safe-text.ts'

export type DescribedError = {
  readonly name: string
  readonly code: string | null
  readonly message: string
  readonly stack: readonly string[]
  readonly cause: DescribedError | null
}

const frames = 12
const causes = 3

/** Name, code, redacted first line of the message, and where it happened; causes up to three deep. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) {
    return {
      name: typeof error,
      code: null,
      message: 'a non-Error value was thrown',
      stack: [],
      cause: null,
    }
  }
  return {
    name: safeText(error.name),
    code: codeOf(error),
    message: messageOf(error),
    stack: stackOf(error),
    cause: error.cause === undefined || depth >= causes ? null : describeError(error.cause, depth + 1),
  }
}

function codeOf(error: Error): string | null {
  return 'code' in error && (typeof error.code === 'string' || typeof error.code === 'number')
    ? safeText(String(error.code))
    : null
}

/** Prisma prints the arguments of a failed query: only its last line is the cause. */
function messageOf(error: Error): string {
  const lines = error.message
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return safeText((error.name.startsWith('Prisma') ? lines.at(-1) : lines.at(0)) ?? '')
}

function stackOf(error: Error): readonly string[] {
  const lines = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  return lines.slice(0, frames).map(line => safeText(line.trim()))
}

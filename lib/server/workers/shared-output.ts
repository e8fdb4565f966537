/**
 * Passes the standard output of all workers through the primary process. NOTE: if several processes wrote to a pipe,
 * lines of more than 4,096 bytes could be torn, and most writes contain many lines.
 */
import type { Readable } from 'node:stream'
import pino from 'pino'
import { workers as limits } from '#lib/config/limits.ts'

export type SharedOutput = {
  /** Passes on the complete lines of a worker. An incomplete last line is dropped. */
  readonly add: (source: Readable) => void
  readonly write: (lines: string) => void
  /** Writes all lines before it returns. */
  readonly flushSync: () => void
}

export function createSharedOutput(descriptor: number): SharedOutput {
  const destination = pino.destination({ dest: descriptor, sync: false })
  const sources = new Set<Readable>()
  const resume = () => {
    for (const source of sources) source.resume()
  }
  destination.on('drain', resume)
  // A closed reader or a full disk does not end the node
  destination.on('error', resume)
  /**
   * Writes lines. A slow reader of the log slows the workers down, but not this process, which accepts the connections.
   */
  const write = (lines: string) => {
    if (destination.write(lines) !== false) return
    for (const source of sources) source.pause()
  }
  return {
    add: source => {
      sources.add(source)
      source.setEncoding('utf8')
      source.on('data', wholeLines(write))
      source.once('close', () => sources.delete(source))
    },
    write,
    flushSync: () => destination.flushSync(),
  }
}

/** Collects text until a line is complete. A line of `longestLine` characters or more is passed on in parts. */
export function wholeLines(write: (lines: string) => void): (text: string) => void {
  let begun = ''
  return text => {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) write(begun + text.slice(0, end))
    begun = end > 0 ? text.slice(end) : begun + text
    if (begun.length < limits.longestLine) return
    write(begun)
    begun = ''
  }
}

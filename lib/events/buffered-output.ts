/** Lines on their way out: many at a time, and by another thread, so that no request waits for the disk. */
import pino from 'pino'
import { logBuffer } from '#lib/config/limits.ts'

export type Output = {
  readonly write: (line: string) => void
  /** Everything is out when it returns. */
  readonly flushSync: () => void
}

/**
 * Writes to a file descriptor. A line waits for others, though not for long, and at the end of the process nothing is
 * left behind. NOTE: collected here, because pino's destination counts all that waits anew for each line.
 */
export function bufferedOutput(descriptor: number): Output {
  let lines = ''
  let isScheduled = false
  const handOver = () => {
    if (lines !== '') output.write(lines)
    lines = ''
  }
  // Before the destination, which hangs on to the same event
  process.on('exit', handOver)
  const output = pino.destination({ dest: descriptor, sync: false })
  const handOverLater = () => {
    isScheduled = false
    handOver()
  }
  return {
    write: line => {
      lines += line
      if (lines.length >= logBuffer.characters) return handOver()
      if (isScheduled) return
      isScheduled = true
      setTimeout(handOverLater, logBuffer.longestMs).unref()
    },
    flushSync: () => {
      handOver()
      output.flushSync()
    },
  }
}

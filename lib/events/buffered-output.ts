/** Lines on their way out: many at a time, and by another thread, so that no request waits for the disk. */
import pino from 'pino'
import { logBuffer } from '#lib/config/limits.ts'

export type Output = {
  readonly write: (line: string) => void
  /** Everything is out when it returns, but for what another thread writes already. */
  readonly flushSync: () => void
}

/**
 * Writes to a file descriptor. A line waits for others, though not for long, and whatever still waits at the end of the
 * process is written then. NOTE: collected here, because pino's destination counts everything that waits again for each line.
 */
export function bufferedOutput(descriptor: number): Output {
  const destination = pino.destination({ dest: descriptor, sync: false })
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
  // NOTE: handed over, lines would be on their way in a thread that may never come to write them
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

/** The output and the exit codes of commands: 0 when done, 1 when it failed, 2 for a wrong command or setting. */
import { isConfigError } from '#lib/errors/config-error.ts'

export function say(text: string): number {
  process.stdout.write(text)
  return 0
}

export function refuse(text: string, code: number): number {
  process.stderr.write(text)
  return code
}

/** Prints an error and returns the exit code: 2 for a wrong setting, 1 for everything else. */
export function reportFailure(error: unknown): number {
  if (isConfigError(error)) return refuse(`${error.message}\n`, 2)
  return refuse(`Failed: ${error instanceof Error ? error.message : 'unknown reason'}\n`, 1)
}

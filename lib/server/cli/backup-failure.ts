/** Reports a failed backup or restore. */
import { BackupProblem } from '#lib/backup/backup-problem.ts'
import { refuse, reportFailure } from './command-output.ts'

/** Prints an error and returns the exit code: 2 for a wrong setting, 1 for everything else. */
export function reportBackupFailure(error: unknown): number {
  return error instanceof BackupProblem ? refuse(`${error.message}\n`, 1) : reportFailure(error)
}

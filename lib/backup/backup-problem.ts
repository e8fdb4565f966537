/** Failures of backups and restores, as sentences for the operator. */
import { isConfigError } from '#lib/errors/config-error.ts'

/**
 * The error for a backup that cannot be made, read or restored, and for data that cannot be moved. The message is a sentence
 * for the operator.
 */
export class BackupProblem extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'BackupProblem'
  }
}

/** Matches the errors of Node and SQLite for a full disk, a quota, and a disk that cannot be written. */
const unwritable = /\b(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)\b|disk is full|disk I\/O error/i

/** Runs `work`, and explains a disk that is full. `need`: the space that the work takes. */
export async function explainingFullDisk<R>(need: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupProblem || isConfigError(error) || !unwritable.test(textOf(error))) throw error
    throw new BackupProblem(`The disk is full or cannot be written: ${need}. Nothing was changed.`)
  }
}

/** Returns the code and the message; Prisma's errors name the cause only in the message. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return `${'code' in error ? String(error.code) : ''} ${error.message}`
}

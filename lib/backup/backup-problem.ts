/** The error for a backup that cannot be made, read or restored. The message is one sentence for the operator. */
export class BackupProblem extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'BackupProblem'
  }
}

const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL'])

/** Runs `work`, and explains a disk that is full. */
export async function explainingFullDisk<R>(what: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!fullDisk.has(code)) throw error
    throw new BackupProblem(`The disk is full: ${what}. Nothing was changed.`)
  }
}

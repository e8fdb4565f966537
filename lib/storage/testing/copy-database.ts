/** Databases for tests: made once in a run and copied, since making one takes longer than most tests. */
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `npm test` names one folder for all of its processes. */
const folder = process.env.TEST_DATABASES ?? ownFolder()

/** Writes the database called `name` to `file`. `make` creates it at the given path and closes it. */
export async function copyDatabase(
  name: string,
  file: string,
  make: (file: string) => Promise<void>,
): Promise<void> {
  const original = join(folder, `${name}.db`)
  if (!existsSync(original)) {
    const draft = join(mkdtempSync(join(folder, 'draft-')), 'draft.db')
    await make(draft)
    // A second, concurrent caller replaces it with an equal one
    renameSync(draft, original)
  }
  copyFileSync(original, file)
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-databases-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Databases for tests: created once in a run and copied, since creating one takes longer than most tests. */
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder of the databases. `npm test` names one folder for all of its processes. */
const folder = process.env.TEST_DATABASES ?? ownFolder()

/** Copies the database called `name` to `file`. `make` creates it at the given path and closes it. */
export async function copyDatabase(
  name: string,
  file: string,
  make: (file: string) => Promise<void>,
): Promise<void> {
  const original = join(folder, `${name}.db`)
  if (!existsSync(original)) {
    const draft = join(mkdtempSync(join(folder, 'draft-')), 'draft.db')
    await make(draft)
    // A concurrent caller may replace it by an identical file
    renameSync(draft, original)
  }
  copyFileSync(original, file)
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-databases-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

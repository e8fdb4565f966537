import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Database from 'better-sqlite3'
import { isConfigError } from '#lib/errors/config-error.ts'
import { proveDatabaseFile } from './database-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-file-'))
after(() => rmSync(folder, { recursive: true }))
chmodSync(folder, 0o755)

const made = join(folder, 'made.db')
new Database(made).exec('CREATE TABLE a (b)').close()

function refused(file: string, sentence: RegExp): void {
  assert.throws(
    () => proveDatabaseFile(file),
    error => isConfigError(error) && sentence.test(error.message),
  )
}

test('a database, an empty file and one that has yet to be made are right', () => {
  writeFileSync(join(folder, 'empty.db'), '')
  for (const name of ['made.db', 'empty.db', 'absent.db']) proveDatabaseFile(join(folder, name))
})

test('a folder is distinguished from a file', () => {
  refused(folder, /^The database \S+ is a folder; name a file in it as DATABASE_URL\.$/)
})

test('a file that is not a database is refused by name, also a short one', () => {
  for (const text of ['x', 'SQLite format', 'a text that is longer than sixteen bytes']) {
    writeFileSync(join(folder, 'garbage.db'), text)
    refused(join(folder, 'garbage.db'), /^The database \S+ is not a SQLite database; restore it/)
  }
})

test('a file that this user cannot write is named with the reason', context => {
  chmodSync(made, 0o444)
  // The administrator of the machine may write everywhere
  if (process.geteuid?.() === 0) {
    process.seteuid?.(65_534)
    context.after(() => process.seteuid?.(0))
  }
  refused(made, /^The database \S+ cannot be written \(EACCES\); give this user the right to, or/)
})

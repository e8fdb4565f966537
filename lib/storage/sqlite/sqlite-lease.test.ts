import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { takeLease } from './sqlite-lease.ts'

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-lease-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function assertOneLease(first: string, second: string): void {
  const lease = takeLease(first)
  assert.throws(() => takeLease(second, 0), /Another Latchkey process is using the SQLite database/)
  lease.release()
  takeLease(second).release()
}

test('a file has one lease, by its name or by a link', t => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'real.db')
  const [link, linkToLink] = [join(folder, 'link.db'), join(folder, 'again.db')]
  writeFileSync(file, '')
  symlinkSync('real.db', link)
  symlinkSync(link, linkToLink)
  assertOneLease(file, link)
  assertOneLease(linkToLink, file)
  assert.equal(existsSync(`${link}.lock`), false)
})

test('a file that does not exist yet has one lease, in a linked folder or behind a link; a circle of links is refused', t => {
  const folder = temporaryFolder(t)
  const [data, other] = [join(folder, 'data'), join(folder, 'other')]
  takeLease(join(data, 'first.db')).release()
  symlinkSync(data, other)
  assertOneLease(join(data, 'new.db'), join(other, 'new.db'))
  symlinkSync(join('data', 'later.db'), join(folder, 'dangling.db'))
  assertOneLease(join(folder, 'dangling.db'), join(data, 'later.db'))
  symlinkSync('circle.db', join(folder, 'circle.db'))
  assert.throws(() => takeLease(join(folder, 'circle.db')), /ELOOP/)
})

test('the database and its lock are private from their first byte, whatever the umask', t => {
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const data = join(temporaryFolder(t), 'data')
  const file = join(data, 'new.db')
  const lease = takeLease(file)
  t.after(() => lease.release())
  const modes = [data, file, `${file}.lock`].map(path => statSync(path).mode & 0o777)
  assert.deepEqual(modes, [0o700, 0o600, 0o600])
})

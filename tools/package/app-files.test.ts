/** Tests which files of a clone can be in a package. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { isShipped, withoutUntracked } from './app-files.mjs'

test('a package contains no data, keys and settings of the clone in which it is built', () => {
  const own = [
    'data/master.key',
    'data/latchkey.db',
    'secrets/master-key',
    '.env',
    'config.json',
    'extensions.ts',
  ]
  const outside = ['../data/master.key', '.latchkey/command.sock', '.git/config', 'test-results/trace.zip']
  for (const file of [...own, ...outside]) assert.equal(isShipped(file), false, file)
})

test('a package contains the server, its pages and its packages, without tests', () => {
  const server = ['lib/server/main.ts', '.next/server/app/page.js', '.latchkey/views/hosted.css', 'LICENSE']
  const others = [
    'node_modules/jose/package.json',
    'prisma/schema.prisma',
    'public/favicon.svg',
    'prisma/migrations/sqlite/20261101000000_first/migration.sql',
    'package.json',
  ]
  for (const file of [...server, ...others]) assert.equal(isShipped(file), true, file)
  for (const file of [
    'lib/server/main.test.ts',
    'lib/storage/testing/postgres.ts',
    'node_modules/sharp/a.js',
  ])
    assert.equal(isShipped(file), false, file)
})

test('a package of a copy without git contains no dumps, keys and notes in the folders of the sources', () => {
  const named = ['lib/key.pem', 'lib/users.json', 'app/notes.txt', 'app/admin/.env', 'prisma/copy.db']
  const served = [
    'public/dump.sql',
    'public/customers.csv',
    'public/.well-known/token.txt',
    'public/other.js',
  ]
  const migrations = [
    'prisma/migrations/sqlite/dump.sql',
    'prisma/migrations/users.sql',
    'prisma/seed/users.ts',
  ]
  for (const file of [...named, ...served, ...migrations]) assert.equal(isShipped(file), false, file)
})

test('a package can contain each source of the repository, except tests and documents', () => {
  const folders = ['app', 'lib', 'prisma', 'public']
  const known = execFileSync('git', ['ls-files', '-z', '--', ...folders], { encoding: 'utf8' }).split('\0')
  const unneeded = /\.(?:test\.tsx?|d\.ts)$|\.md$|\/(?:testing|bench)\/|^$/
  assert.deepEqual(
    known.filter(file => !unneeded.test(file) && !isShipped(file)),
    [],
  )
})

test('a package of a clone contains only sources that git knows, and what the build makes', t => {
  const clone = mkdtempSync(join(tmpdir(), 'latchkey-clone-'))
  t.after(() => rmSync(clone, { recursive: true }))
  const tracked = ['lib/main.ts', 'public/é.css', 'prisma/schema.prisma']
  const made = ['prisma/generated/client.ts', '.next/server/page.js', 'node_modules/jose/index.js']
  const untracked = ['lib/key.pem', 'public/dump.sql', 'app/notes.txt', 'prisma/copy.db']
  const all = [...tracked, ...made, ...untracked]
  for (const file of all) {
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    writeFileSync(join(clone, file), '')
  }
  assert.deepEqual(withoutUntracked(clone, all), all, 'a copy without .git')
  execFileSync('git', ['init', '--quiet'], { cwd: clone })
  execFileSync('git', ['add', '--', ...tracked], { cwd: clone })
  assert.deepEqual(withoutUntracked(clone, all), [...tracked, ...made])
})

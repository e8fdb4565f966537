/** Tests `npm run upgrade:check`. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Database from 'better-sqlite3'
import { migrate } from '#prisma/migrate.ts'
import { readMigrations } from '#prisma/migration-files.ts'
import { readMigrationName } from '#prisma/migration-names.ts'

const root = join(import.meta.dirname, '../../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [, ...script] = String(scripts['upgrade:check']).split(' ')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-upgrade-check-'))
const file = join(folder, 'latchkey.db')
after(() => rmSync(folder, { recursive: true, force: true }))

function check(...given: readonly string[]) {
  const env = { ...process.env, DATABASE_URL: `file:${file}`, DATA_DIR: folder }
  return spawnSync(process.execPath, [...script, ...given], { cwd: root, env, encoding: 'utf8' })
}

test('UP-01 an upgrade check says what a start would do, and changes nothing', async () => {
  const rolling =
    'The earlier release can be started again after this upgrade: there is nothing to migrate.\n'
  const empty = check()
  assert.deepEqual([empty.status, empty.stdout], [0, rolling], empty.stderr)
  assert.equal(existsSync(file), false)
  const all = readMigrations('sqlite')
  const stopping = all.findLastIndex(({ name }) => readMigrationName(name)?.kind !== 'expand')
  await migrate({ kind: 'sqlite', file }, all.slice(0, stopping))
  const missing = all.slice(stopping).map(({ name }) => name)
  const behind = check()
  assert.equal(behind.status, 3, behind.stderr)
  assert.match(behind.stdout, /^Stop all nodes for this upgrade, .*: \d+ migrations?, with which/)
  assert.ok(behind.stdout.endsWith(`${missing.map(name => `\n  ${name}`).join('')}\n`))
  assert.deepEqual(JSON.parse(check('--json').stdout), { isRolling: false, migrations: missing })
  await migrate({ kind: 'sqlite', file })
  assert.equal(check().status, 0)
  const database = new Database(file)
  database.exec(`UPDATE _prisma_migrations SET migration_name = '29990101000000_r3_expand_x'
    WHERE migration_name = '${missing.at(-1)}'`)
  database.close()
  const newer = check()
  assert.equal(newer.status, 2)
  assert.match(newer.stderr, /^The database contains migrations that this release does not know/)
})

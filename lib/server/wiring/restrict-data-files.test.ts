import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { root } from '#lib/server/start/bootstrap-stamps.mjs'
import { restrictDataFiles } from './restrict-data-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-private-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (path: string) => statSync(path).mode & 0o777

test('an existing data folder and the files in it are restricted to their owner once', () => {
  const dataDir = join(folder, 'upgraded')
  mkdirSync(dataDir)
  const names = ['latchkey.db', 'latchkey.db-wal', 'latchkey.db-shm', 'latchkey.db.lock', 'master.key']
  const files = names.map(name => join(dataDir, name))
  for (const file of files) writeFileSync(file, '')
  for (const path of [dataDir, ...files]) chmodSync(path, 0o755)
  const config = { dataDir, database: { kind: 'sqlite', file: join(dataDir, 'latchkey.db') } } as const
  assert.deepEqual(restrictDataFiles(config).toSorted(), [dataDir, ...files].toSorted())
  assert.deepEqual(
    [dataDir, ...files].map(path => modeOf(path) & 0o077),
    [dataDir, ...files].map(() => 0),
  )
  assert.deepEqual(restrictDataFiles(config), [])
})

test('a folder that is not only for the data keeps its permissions', () => {
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o1777)
  const before = modeOf(root)
  const database = { kind: 'postgresql', url: 'postgresql://localhost/x' } as const
  for (const dataDir of [shared, root]) assert.deepEqual(restrictDataFiles({ dataDir, database }), [])
  assert.deepEqual([modeOf(shared), modeOf(root)], [0o777, before])
})

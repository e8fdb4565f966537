import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeExport } from '../testing/write-export.ts'
import { readExportFile } from './export-file.ts'
import { collectExport, type MainTable } from './tables.ts'

test('an export that is larger than the memory allows is refused, and tables that are not read do not count', async () => {
  const tables: readonly MainTable[] = [{ table: 'Users', key: 'Id', children: [] }]
  const users = Array.from({ length: 100 }, (_, Id) => ({ Id }))
  const collect = (content: unknown, most: number) =>
    collectExport(readExportFile(writeExport(content)), tables, most)
  await assert.rejects(collect({ Users: users }, 800), /too large for the memory of the process/)
  assert.equal([...(await collect({ Users: users }, 900)).objectsOf('Users')].length, 100)
  assert.equal((await collect({ Logs: users }, 10)).unknown.get('Logs'), 100)
})

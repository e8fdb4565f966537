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

test('a row that is not JSON is named with its line, and what is wrong there', async () => {
  const tables: readonly MainTable[] = [{ table: 'Users', key: 'Id', children: [] }]
  const broken =
    '{"Users":[\n {"Id":1},\n {"Id":2,\n  "Name":"x",\n },\n 3, {"id":1,"id":2}, {"UserName":"a","user_name":"b"}, {"Id":4,"ID":4}]}'
  const { problems } = await collectExport(readExportFile(writeExport(broken)), tables)
  assert.deepEqual(
    problems.map(({ place, problem }) => `${place}: ${problem}`),
    [
      'Users[1]: is not JSON, at its character 21: remove this comma: nothing follows it before the "}" (line 3)',
      'Users[2]: is not an object (line 6)',
      'Users[3]: names "id" twice (line 6)',
      'Users[4]: has two values for "UserName", under names that mean the same (line 6)',
    ],
  )
})

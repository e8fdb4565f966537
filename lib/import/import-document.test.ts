/** Checks that the documentation and the tables of fields match the importer and the fields of this server. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { clientFields } from '#lib/protocol/registration/configuration-file.ts'
import { userRecordSchema } from '#lib/protocol/registration/records.ts'
import { scopeMetadataFields } from '#lib/protocol/registration/scope.ts'
import { productNames, products } from './products.ts'
import { runImport } from './run-import.ts'
import { importTables } from './testing/import-tables.ts'
import { importOf, writeExport } from './testing/write-export.ts'

const document = readFileSync(new URL('../../docs/import-identityserver.md', import.meta.url), 'utf8')

const fields = {
  client: new Set(Object.keys(clientFields)),
  scope: new Set([...Object.keys(scopeMetadataFields), 'secrets']),
  user: new Set([...Object.keys(userRecordSchema.shape), 'must_change_password', 'linked accounts']),
}

test('every field of another server becomes fields that exist here, or says why it has none', () => {
  for (const [name, { target, rules }] of Object.entries(importTables)) {
    const names = rules.map(({ field }) => field)
    assert.deepEqual(names, [...new Set(names)], `${name} has a field twice`)
    for (const { field, becomes, why } of rules) {
      for (const ours of becomes)
        assert.ok(fields[target].has(ours.replace(/^claims\..*/, 'claims')), `${name}.${field}: ${ours}`)
      assert.ok(becomes.length > 0 || why !== undefined, `${name}.${field} has neither a field nor a reason`)
    }
  }
})

test('the documented statements select the tables that are read', () => {
  const statements = [...document.matchAll(/```sql\n([^`]+)```/g)].map(([, statement = '']) => statement)
  assert.equal(statements.length, 8)
  const selected = new Set(statements.flatMap(tablesIn))
  const read = new Set(productNames.flatMap(product => tablesOf(products[product])))
  assert.deepEqual(
    [...selected].filter(table => !read.has(table)),
    [],
    'selected, but not read',
  )
  const missing = [...read].filter(table => !selected.has(table) && !table.endsWith('Properties'))
  assert.deepEqual(missing, [], 'read, but not selected')
})

function tablesIn(statement: string): readonly string[] {
  return [...statement.matchAll(/FROM ["[](\w+)["\]]/g)].map(([, name = '']) => name)
}

function tablesOf({ tables }: Pick<(typeof products)['identityserver3'], 'tables'>): readonly string[] {
  return tables.flatMap(main => [main, ...main.children]).map(({ table }) => table)
}

test('the documented objects can be imported', async () => {
  const [, example = ''] = /```json\n([^`]+)```/.exec(document) ?? []
  const opened = await openAdminTestPorts()
  try {
    const { outcome, report } = await runImport(opened.ports, importOf(writeExport(JSON.parse(example))))
    assert.equal(outcome, 'imported', report)
  } finally {
    await opened.close()
  }
})

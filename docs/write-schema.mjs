/**
 * Writes docs/latchkey.schema.json, and the tables of fields in the manual, from the schemas. It is a part of
 * `npm run docs:write`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import {
  configurationJsonSchema,
  fieldTables,
  withFieldTable,
} from '#lib/protocol/registration/generated-documents.ts'

const file = new URL('latchkey.schema.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`)

for (const table of fieldTables) {
  const manual = new URL(`../${table.path}`, import.meta.url)
  writeFileSync(manual, withFieldTable(readFileSync(manual, 'utf8'), table))
}

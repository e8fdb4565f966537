/**
 * Writes docs/latchkey.schema.json, and the table of a client's fields in docs/configuration.md, from the schemas. It
 * is a part of `npm run docs:write`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { configurationJsonSchema, withClientTable } from '#lib/protocol/registration/generated-documents.ts'

const file = new URL('latchkey.schema.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`)

const manual = new URL('configuration.md', import.meta.url)
writeFileSync(manual, withClientTable(readFileSync(manual, 'utf8')))

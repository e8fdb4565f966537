import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { clientMetadataFields } from './client-fields.ts'
import { readConfiguration } from './configuration-file.ts'
import { isRecord } from './fields.ts'

const page = readFileSync(new URL('../../../docs/connect-an-application.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text)

test('the page about connecting applications has configurations', () => {
  assert.ok(examples.length >= 3)
})

for (const [index, text] of examples.entries()) {
  test(`configuration ${index + 1} of the page about connecting applications is valid`, () => {
    const example: unknown = JSON.parse(text.replaceAll('"…"', '"a-secret-of-the-reader"'))
    assert.ok(isRecord(example))
    const document = 'client_id' in example ? { clients: [example] } : example
    const read = readConfiguration(document)
    assert.deepEqual(read.kind === 'invalid' ? read.problems : [], [])
  })
}

test('every setting that the page names for clients exists', () => {
  const known = Object.keys(clientMetadataFields)
  const named = page.matchAll(/`((?:always|access_token|sign_out|allowed)_\w+)/g)
  for (const [, name = ''] of named) assert.ok(known.includes(name), name)
})

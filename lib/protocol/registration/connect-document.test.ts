/** Checks that examples in docs/connect-an-application.md and docs/configuration.md are valid. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { clientMetadataFields } from './client-fields.ts'
import { readConfiguration } from './configuration-file.ts'
import { isRecord } from './fields.ts'

const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
const page = read('connect-an-application.md')
const manual = read('configuration.md')
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text)

test('the page about connecting applications has configurations', () => {
  assert.ok(examples.length >= 3)
})

for (const [index, text] of examples.entries()) {
  test(`configuration ${index + 1} of the page about connecting applications is valid`, () => {
    const example: unknown = JSON.parse(text.replaceAll('"…"', '"a-secret-of-the-reader"'))
    assert.ok(isRecord(example))
    const document = 'client_id' in example ? { clients: [example] } : example
    assert.deepEqual(problemsOf(document), [])
  })
}

test('the settings of clients that the page names exist', () => {
  const known = Object.keys(clientMetadataFields)
  const named = page.matchAll(/`((?:always|access_token|sign_out|allowed)_\w+)/g)
  for (const [, name = ''] of named) assert.ok(known.includes(name), name)
})

test('every row of “to get … add to the client” in the manual of the configuration makes a valid client', () => {
  const [table = ''] = manual.split('| to get | add to the client |').slice(1, 2)
  const cells = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| [^|]+ \| (`".*) \|$/gm)].map(
    ([, cell = '']) => cell,
  )
  assert.ok(cells.length >= 8)
  for (const cell of cells) {
    const settings = [...cell.matchAll(/`(".*?)`/g)].map(([, setting]) => setting).join(', ')
    const base = { client_id: 'app', redirect_uris: ['https://app.example.com/callback'], scope: 'openid' }
    const added: unknown = JSON.parse(`{${settings}}`)
    assert.ok(isRecord(added))
    const secret =
      added.token_endpoint_auth_method === 'none' ? {} : { client_secret: 'a-secret-of-the-reader' }
    const own = added.grant_types?.toString() === 'client_credentials' ? { redirect_uris: [], scope: '' } : {}
    assert.deepEqual(problemsOf({ clients: [{ ...base, ...secret, ...own, ...added }] }), [], cell)
  }
})

function problemsOf(document: unknown): readonly string[] {
  const result = readConfiguration(document)
  return result.kind === 'invalid' ? result.problems : []
}

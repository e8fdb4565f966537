import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isConfigError } from '#lib/errors/config-error.ts'
import { loadExtensions } from './extensions.ts'

const examples = new URL('../../examples/extensions/', import.meta.url).pathname

test('no file means no extensions', async () => assert.deepEqual(await loadExtensions(null), {}))

test('the worked examples load', async () => {
  const loaded = await Promise.all(
    ['user-service.ts', 'token-claims.ts', 'event-sink.ts'].map(name => loadExtensions(join(examples, name))),
  )
  assert.equal(typeof loaded[0]?.userService, 'function')
  assert.equal(loaded[1]?.tokenClaims?.length, 1)
  assert.equal(loaded[2]?.eventSinks?.length, 1)
})

const wrong: ReadonlyArray<readonly [string, RegExp]> = [
  ['export const userService = 1', /must export an object as its default/],
  ['export default { userService: {} }', /"userService" in .* must be a function/],
  [
    'export default { customGrants: [{ grantType: "x" }] }',
    /"customGrants" in .* must be an array of \{ grantType/,
  ],
  ['export default { customGrants: [{ grantType: "", validate() {} }] }', /"customGrants"/],
  ['export default { tokenClaims: [null] }', /"tokenClaims"/],
  ['export default { eventSinks: {} }', /"eventSinks"/],
  ['export default { userservice: () => 1 }', /unknown member "userservice"; known are userService/],
  ['throw new Error("no license")', /could not be loaded: no license/],
  ['export default {', /could not be loaded/],
]

for (const [source, sentence] of wrong) {
  test(`says what is wrong with: ${source}`, async t => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-extensions-'))
    t.after(() => rm(folder, { recursive: true }))
    const file = join(folder, 'extensions.mjs')
    await writeFile(file, source)
    await assert.rejects(loadExtensions(file), error => isConfigError(error) && sentence.test(error.message))
  })
}

test('names a file that is not there', async () => {
  await assert.rejects(
    loadExtensions('/nowhere/extensions.mjs'),
    /LATCHKEY_EXTENSIONS: \/nowhere\/extensions.mjs could not be loaded/,
  )
})

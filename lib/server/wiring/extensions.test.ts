import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isConfigError } from '#lib/errors/config-error.ts'
import { loadExtensions } from './extensions.ts'

const examples = new URL('../../../examples/extensions/', import.meta.url).pathname

test('without a file there are no extensions', async () => assert.deepEqual(await loadExtensions(null), {}))

const worked = {
  'custom-grant.ts': ['customGrants'],
  'event-sink.ts': ['eventSinks'],
  'sign-in-fields.ts': ['signInFields', 'userService', 'postAuthenticate'],
  'sign-in-hooks.ts': ['preAuthenticate', 'postAuthenticate', 'signOut'],
  'token-claims.ts': ['tokenClaims'],
  'token-response.ts': ['tokenResponse'],
  'user-service.ts': ['userService'],
  'validators.ts': ['validateRedirectUri', 'validateAuthorizeRequest', 'validateTokenRequest'],
}
for (const [name, members] of Object.entries(worked)) {
  test(`the worked example ${name} loads`, async () => {
    assert.deepEqual(Object.keys(await loadExtensions(join(examples, name))), members)
  })
}

test('every worked example is tested', async () => {
  const files = (await readdir(examples)).filter(name => !name.endsWith('.test.ts'))
  assert.deepEqual(files.toSorted(), Object.keys(worked))
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
  [
    'export default { signInFields: [{ name: "Domain", label: "Domain" }] }',
    /"signInFields" in .* must be an array/,
  ],
  ['export default { signInFields: [{ name: "a", label: { de: "A" } }] }', /"signInFields"/],
  [
    'export default { signInFields: [{ name: "a", label: "A" }, { name: "a", label: "B" }] }',
    /"signInFields"/,
  ],
  ['export default { signInFields: [{ name: "a", label: "A", type: "file" }] }', /"signInFields"/],
  ['export default { eventSinks: {} }', /"eventSinks"/],
  ['export default { validateRedirectUri: true }', /"validateRedirectUri" in .* must be a function/],
  ['export default { userservice: () => 1 }', /unknown member "userservice"; known are userService/],
  ['throw new Error("no license")', /could not be loaded: no license/],
  ['export default {', /could not be loaded/],
]

for (const [source, sentence] of wrong) {
  test(`the error describes the problem of: ${source}`, async t => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-extensions-'))
    t.after(() => rm(folder, { recursive: true }))
    const file = join(folder, 'extensions.mjs')
    await writeFile(file, source)
    await assert.rejects(loadExtensions(file), error => isConfigError(error) && sentence.test(error.message))
  })
}

const syntaxErrors: ReadonlyArray<readonly [name: string, source: string, place: RegExp]> = [
  ['broken.mjs', 'export default {\n  tokenClaims: [] []\n}\n', /broken\.mjs:2:20 could not be loaded: \S/],
  [
    'unfinished.mjs',
    'export default {\n',
    /unfinished\.mjs:2:1 could not be loaded: Unexpected end of input$/,
  ],
  ['broken.ts', 'export default {\n  eventSinks: 1 2\n}\n', /broken\.ts:2:17 could not be loaded: \S/],
  [
    'unsupported.ts',
    'enum A { x }\nexport default {}\n',
    /unsupported\.ts:1:1 could not be loaded: TypeScript enum/,
  ],
]
for (const [name, source, place] of syntaxErrors) {
  test(`names line and column of a syntax error in ${name}`, async t => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-extensions-'))
    t.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, name), source)
    await assert.rejects(loadExtensions(join(folder, name)), { name: 'ConfigError', message: place })
  })
}

test('the error names a missing file', async () => {
  await assert.rejects(
    loadExtensions('/nowhere/extensions.mjs'),
    /LATCHKEY_EXTENSIONS: \/nowhere\/extensions.mjs could not be loaded/,
  )
})

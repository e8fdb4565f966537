import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { hasClients, hasDependencies, hasPages, readStamp, root } from './bootstrap-stamps.mjs'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-outputs-'))
after(() => rmSync(folder, { recursive: true }))

const files: Readonly<Record<string, unknown>> = {
  'package.json': { dependencies: { zod: '1', '@scope/name': '1' } },
  'node_modules/.package-lock.json': {},
  'node_modules/zod/package.json': {},
  'node_modules/@scope/name/package.json': {},
  'prisma/generated/sqlite/client.ts': {},
  'prisma/generated/sqlite/models.ts': {},
  'prisma/generated/sqlite/internal/class.ts': {},
  '.next/required-server-files.json': { files: ['.next/BUILD_ID', '.next/server/app-paths-manifest.json'] },
  '.next/BUILD_ID': {},
  '.next/server/app-paths-manifest.json': { '/page': 'app/page.js' },
  '.next/server/app/page.js': {},
  '.next/build-manifest.json': {
    polyfillFiles: ['static/chunks/a.js'],
    rootMainFiles: [],
    lowPriorityFiles: [],
  },
  '.next/static/chunks/a.js': {},
}
for (const [name, content] of Object.entries(files)) write(name, JSON.stringify(content))
cpSync(join(folder, 'prisma/generated/sqlite'), join(folder, 'prisma/generated/postgres'), {
  recursive: true,
})

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

const outputs = { dependencies: hasDependencies, clients: hasClients, pages: hasPages }
const gone: ReadonlyArray<readonly [keyof typeof outputs, string]> = [
  ['dependencies', 'node_modules/zod'],
  ['dependencies', 'node_modules/@scope'],
  ['dependencies', 'node_modules/.package-lock.json'],
  ['clients', 'prisma/generated/postgres'],
  ['clients', 'prisma/generated/sqlite/internal'],
  ['pages', '.next/BUILD_ID'],
  ['pages', '.next/server'],
  ['pages', '.next/server/app'],
  ['pages', '.next/static'],
]

for (const [name, place] of gone) {
  test(`${name} without ${place} are made again`, () => {
    const [full, aside] = [join(folder, place), join(folder, 'aside')]
    assert.equal(outputs[name](folder), true)
    cpSync(full, aside, { recursive: true })
    rmSync(full, { recursive: true })
    assert.equal(outputs[name](folder), false)
    cpSync(aside, full, { recursive: true })
    rmSync(aside, { recursive: true })
    assert.equal(outputs[name](folder), true)
  })
}

test('pages whose list was cut off are made again', () => {
  write('.next/build-manifest.json', '{"poly')
  assert.equal(hasPages(folder), false)
})

test('builds of the same files have the same name, by which two of them can be compared', () => {
  const name = readFileSync(join(root, '.next/BUILD_ID'), 'utf8')
  assert.equal(name, readStamp('pages')?.slice(0, 20))
})

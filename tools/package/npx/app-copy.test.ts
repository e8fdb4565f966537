/** Tests how the package of npm copies the app into a folder of the user. */
import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cacheFolder, copyApp } from './app-copy.mjs'

const root = mkdtempSync(join(tmpdir(), 'latchkey-npx-'))
after(() => rmSync(root, { recursive: true }))
const source = join(root, 'source')
mkdirSync(join(source, 'app/lib'), { recursive: true })
writeFileSync(join(source, 'app/lib/main.ts'), 'first')
writeFileSync(join(source, 'links.json'), JSON.stringify({ '.next/node_modules/zod-1': '../../lib' }))

test('the copy of the app has its files and links, and is made once', () => {
  const folder = join(root, 'cache')
  const copy = copyApp({ source, folder, name: '0.1.0-abc' })
  assert.equal(copy, join(folder, '0.1.0-abc'))
  assert.equal(readlinkSync(join(copy, '.next/node_modules/zod-1')), '../../lib')
  writeFileSync(join(copy, 'lib/main.ts'), 'changed')
  assert.equal(copyApp({ source, folder, name: '0.1.0-abc' }), copy)
  assert.equal(readFileSync(join(copy, '.next/node_modules/zod-1/main.ts'), 'utf8'), 'changed')
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.deepEqual(readdirSync(folder), ['0.1.0-abc'])
})

test('a copy that fails leaves nothing that the next start would use', () => {
  const folder = join(root, 'failed')
  assert.throws(() => copyApp({ source: join(root, 'nowhere'), folder, name: 'a' }), /ENOENT/)
  assert.deepEqual(readdirSync(folder), [])
})

test('a folder for copies that belongs to another account is refused', () => {
  const folder = join(root, 'foreign')
  assert.throws(() => copyApp({ source, folder, name: 'a', account: 12_345 }), /belongs to another account/)
})

test('copies are in the cache of the user, or in XDG_CACHE_HOME if it is absolute', () => {
  if (process.platform === 'win32') return
  assert.equal(cacheFolder({ XDG_CACHE_HOME: '/var/cache' }), '/var/cache/latchkey')
  for (const given of [undefined, '', 'relative'])
    assert.equal(cacheFolder({ XDG_CACHE_HOME: given }), join(homedir(), '.cache/latchkey'))
})

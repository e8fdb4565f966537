/** Tests which files of a clone can be in a package. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShipped } from './app-files.mjs'

test('a package contains no data, keys and settings of the clone in which it is built', () => {
  const own = [
    'data/master.key',
    'data/latchkey.db',
    'secrets/master-key',
    '.env',
    'config.json',
    'extensions.ts',
  ]
  const outside = ['../data/master.key', '.latchkey/command.sock', '.git/config', 'test-results/trace.zip']
  for (const file of [...own, ...outside]) assert.equal(isShipped(file), false, file)
})

test('a package contains the server, its pages and its packages, without tests', () => {
  const server = ['lib/server/main.ts', '.next/server/app/page.js', '.latchkey/views/hosted.css', 'LICENSE']
  const others = [
    'node_modules/jose/package.json',
    'prisma/schema.prisma',
    'public/latchkey.css',
    'package.json',
  ]
  for (const file of [...server, ...others]) assert.equal(isShipped(file), true, file)
  for (const file of [
    'lib/server/main.test.ts',
    'lib/storage/testing/postgres.ts',
    'node_modules/sharp/a.js',
  ])
    assert.equal(isShipped(file), false, file)
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isConfigError } from '#lib/errors/config-error.ts'
import { loadMasterKey, verifyMasterKey } from './master-key.ts'
import { createSealing } from './sealing.ts'

const folder = await mkdtemp(join(tmpdir(), 'latchkey-key-'))
after(() => rm(folder, { recursive: true }))

function createMeta() {
  const rows = new Map<string, string>()
  return {
    async settle(name: string, value: string) {
      if (!rows.has(name)) rows.set(name, value)
      return rows.get(name) ?? value
    },
  }
}

test('reads MASTER_KEY in any of its spellings', async () => {
  const key = randomBytes(40)
  for (const encoding of ['base64', 'base64url', 'hex'] as const) {
    const loaded = await loadMasterKey({
      masterKey: key.toString(encoding),
      dataDir: '/nowhere',
      isLoopback: false,
    })
    assert.deepEqual(loaded, key)
  }
})

test('makes a key once for a loopback issuer, readable by its owner alone', async () => {
  const config = { masterKey: null, dataDir: join(folder, 'fresh'), isLoopback: true }
  const [first, second] = await Promise.all([loadMasterKey(config), loadMasterKey(config)])
  assert.deepEqual(first, second)
  assert.deepEqual(await loadMasterKey(config), first)
  assert.equal(first.length, 32)
  assert.equal((await stat(join(config.dataDir, 'master.key'))).mode & 0o777, 0o600)
})

test('CR-04 stops at a missing, short or damaged key', async () => {
  const dataDir = folder
  await assert.rejects(loadMasterKey({ masterKey: null, dataDir, isLoopback: false }), isConfigError)
  await assert.rejects(loadMasterKey({ masterKey: 'c2hvcnQ=', dataDir, isLoopback: true }), isConfigError)
  await writeFile(join(folder, 'master.key'), 'c2hvcnQ=\n')
  await assert.rejects(loadMasterKey({ masterKey: null, dataDir, isLoopback: true }), isConfigError)
  assert.equal(await readFile(join(folder, 'master.key'), 'utf8'), 'c2hvcnQ=\n')
})

test('CR-04 stops when the data was made with another key', async () => {
  const meta = createMeta()
  const [key, other] = [randomBytes(32), randomBytes(32)]
  await verifyMasterKey({ meta, sealing: createSealing(key) })
  await verifyMasterKey({ meta, sealing: createSealing(key) })
  await assert.rejects(verifyMasterKey({ meta, sealing: createSealing(other) }), error => {
    assert.ok(isConfigError(error))
    assert.match(error.message, /different from the one the data was made with/)
    return true
  })
})

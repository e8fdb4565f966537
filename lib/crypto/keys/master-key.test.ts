import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
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
    find: async (name: string) => rows.get(name) ?? null,
    async settle(name: string, value: string) {
      if (!rows.has(name)) rows.set(name, value)
      return rows.get(name) ?? value
    },
  }
}

const nothing = async () => null

test('reads MASTER_KEY in any of its spellings', async () => {
  const key = randomBytes(40)
  for (const encoding of ['base64', 'base64url', 'hex'] as const) {
    const config = { masterKey: key.toString(encoding), dataDir: '/nowhere', isLoopback: false }
    const loaded = await loadMasterKey(config, nothing)
    assert.deepEqual(loaded, key)
  }
})

test('creates a key once for a loopback issuer, readable only by its owner', async () => {
  const config = { masterKey: null, dataDir: join(folder, 'fresh'), isLoopback: true }
  const [first, second] = await Promise.all([loadMasterKey(config, nothing), loadMasterKey(config, nothing)])
  assert.deepEqual(first, second)
  assert.deepEqual(await loadMasterKey(config, nothing), first)
  assert.equal(first.length, 32)
  assert.equal((await stat(join(config.dataDir, 'master.key'))).mode & 0o777, 0o600)
})

/** Returns the message of the ConfigError with which `work` fails. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    reason => reason,
  )
  assert.ok(isConfigError(error), String(error))
  return error.message
}

test('CR-04 stops at a missing or short key, and says what to do', async () => {
  const dataDir = folder
  const load = (masterKey: string | null, isLoopback: boolean) =>
    refusal(loadMasterKey({ masterKey, dataDir, isLoopback }, nothing))
  assert.match(await load(null, false), /^MASTER_KEY is not set, but/)
  assert.match(
    await load('c2hvcnQ=', true),
    /^MASTER_KEY is \(not shown\), but it has 5 bytes .*; make one with/,
  )
  await writeFile(join(folder, 'master.key'), 'c2hvcnQ=\n')
  assert.match(
    await load(null, true),
    /^The master key in .*master\.key is \(not shown\), but it has 5 bytes .*; restore it from your copy\.$/,
  )
  assert.equal(await readFile(join(folder, 'master.key'), 'utf8'), 'c2hvcnQ=\n')
})

test('CR-04 stops when the data was made with another key, and names where that came from', async () => {
  const meta = createMeta()
  const [key, other] = [randomBytes(32), randomBytes(32)]
  const config = { masterKey: null, dataDir: '/srv', isLoopback: true }
  await verifyMasterKey(config, { meta, sealing: createSealing(key) })
  await verifyMasterKey(config, { meta, sealing: createSealing(key) })
  const verify = (masterKey: string | null) =>
    refusal(verifyMasterKey({ ...config, masterKey }, { meta, sealing: createSealing(other) }))
  const rule = / is \(not shown\), but it is different from the one the data was made with/
  assert.match(await verify('x'), new RegExp(`^MASTER_KEY${rule.source}`))
  assert.match(await verify(null), new RegExp(`^The master key in /srv/master\\.key${rule.source}`))
})

test('CR-04 makes no new key where the data was made with one', async () => {
  const meta = createMeta()
  await verifyMasterKey(
    { masterKey: null, dataDir: folder, isLoopback: true },
    { meta, sealing: createSealing(randomBytes(32)) },
  )
  const dataDir = join(folder, 'lost')
  const config = { masterKey: null, dataDir, isLoopback: true }
  assert.match(
    await refusal(loadMasterKey(config, meta.find)),
    /lost\/master\.key is missing, but the data was made with the key in it; restore it from your copy, or set/,
  )
  assert.equal(existsSync(dataDir), false)
})

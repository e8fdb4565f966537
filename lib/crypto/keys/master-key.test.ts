import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isConfigError } from '#lib/errors/config-error.ts'
import { keyCheckName, loadMasterKeys } from './master-key.ts'

const folder = await mkdtemp(join(tmpdir(), 'latchkey-key-'))
after(() => rm(folder, { recursive: true }))

const nothing = async () => null

test('reads MASTER_KEY in any of its spellings', async () => {
  const key = randomBytes(40)
  for (const encoding of ['base64', 'base64url', 'hex'] as const) {
    const config = { masterKey: key.toString(encoding), dataDir: '/nowhere', isLoopback: false }
    const { current, next } = await loadMasterKeys(
      { ...config, masterKeyCommand: null, nextMasterKey: null },
      nothing,
    )
    assert.deepEqual([current, next], [{ bytes: key, subject: 'MASTER_KEY' }, null])
  }
})

test('creates a key once for a loopback issuer, readable only by its owner', async () => {
  const config = {
    masterKey: null,
    masterKeyCommand: null,
    nextMasterKey: null,
    dataDir: join(folder, 'fresh'),
    isLoopback: true,
  }
  const load = async () => (await loadMasterKeys(config, nothing)).current.bytes
  const [first, second] = await Promise.all([load(), load()])
  assert.deepEqual(first, second)
  assert.deepEqual(await load(), first)
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
    refusal(
      loadMasterKeys(
        { masterKey, masterKeyCommand: null, nextMasterKey: null, dataDir, isLoopback },
        nothing,
      ),
    )
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

test('CR-04 makes no new key where the data was made with one', async () => {
  const dataDir = join(folder, 'lost')
  const config = { masterKey: null, masterKeyCommand: null, nextMasterKey: null, dataDir, isLoopback: true }
  assert.match(
    await refusal(loadMasterKeys(config, async name => (name === keyCheckName ? 'stored' : null))),
    /lost\/master\.key is missing, but the data was made with the key in it; restore it from your copy, or set/,
  )
  assert.equal(existsSync(dataDir), false)
})

test('MK-02 reads MASTER_KEY_NEXT, and ignores one that is the present key in another spelling', async () => {
  const [key, next] = [randomBytes(32), randomBytes(32)]
  const load = (nextMasterKey: string) =>
    loadMasterKeys(
      {
        masterKey: key.toString('base64'),
        masterKeyCommand: null,
        nextMasterKey,
        dataDir: folder,
        isLoopback: false,
      },
      nothing,
    )
  assert.deepEqual((await load(next.toString('hex'))).next, { bytes: next, subject: 'MASTER_KEY_NEXT' })
  const { current, next: none } = await load(key.toString('hex'))
  assert.deepEqual([current.bytes, none], [key, null])
  assert.match(await refusal(load('c2hvcnQ=')), /^MASTER_KEY_NEXT is \(not shown\), but it has 5 bytes /)
})

test('MK-03 reads the master key from the output of a program, which is started without a shell', async () => {
  const key = randomBytes(32).toString('base64')
  const load = (script: string, ...given: readonly string[]) => {
    const masterKeyCommand = [process.execPath, '-e', script, ...given]
    const config = {
      masterKey: null,
      masterKeyCommand,
      nextMasterKey: null,
      dataDir: '/nowhere',
      isLoopback: true,
    }
    return loadMasterKeys(config, nothing)
  }
  const { current } = await load('console.log(process.argv[1])', key)
  assert.deepEqual(current, {
    bytes: Buffer.from(key, 'base64'),
    subject: 'The output of MASTER_KEY_COMMAND',
  })
  assert.match(
    await refusal(load('console.log(process.argv[1])', '$HOME')),
    /^The output of MASTER_KEY_COMMAND is \(not shown\), but it is neither base64 nor hex; it must print the key and nothing else\.$/,
  )
  assert.match(
    await refusal(load('process.exit(3)')),
    /^MASTER_KEY_COMMAND is \(not shown\), but it ended with exit code 3; /,
  )
  const config = {
    masterKey: null,
    masterKeyCommand: ['/no/such/program'],
    nextMasterKey: null,
    dataDir: '/',
    isLoopback: true,
  }
  assert.match(
    await refusal(loadMasterKeys(config, nothing)),
    /but it cannot be started; run it as this user/,
  )
})

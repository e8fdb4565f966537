import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { passwordHashing, secretHashing } from '#lib/config/limits.ts'

/** Begins as many hashes as may be under way, then signs, and says how many were done by then. */
const busyProcess = `
  import { argon2, generateKeyPairSync, sign } from 'node:crypto'
  import { widenThreadPool } from '#lib/server/thread-pool.ts'
  widenThreadPool(process.env)
  const hashing = { message: 'a', nonce: Buffer.alloc(16), parallelism: 1, tagLength: 32, memory: ${passwordHashing.memoryKiB}, passes: 6 }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let done = 0
  for (let begun = 0; begun < ${passwordHashing.inFlight + secretHashing.inFlight}; begun++)
    argon2('argon2id', hashing, () => { done += 1 })
  sign('sha256', Buffer.from('input'), privateKey, () => { console.log(done); process.exit() })
`

function hashesDoneBefore(environment: Readonly<Record<string, string>> = {}): string {
  const { UV_THREADPOOL_SIZE: _, ...env } = process.env
  const options = { env: { ...env, ...environment }, encoding: 'utf8' } as const
  return spawnSync(process.execPath, ['--input-type=module', '--eval', busyProcess], options).stdout.trim()
}

test('a signature does not wait for the hashes that may be under way', () => {
  assert.equal(hashesDoneBefore(), '0')
})

test('an operator may have another number of threads', () => {
  assert.notEqual(hashesDoneBefore({ UV_THREADPOOL_SIZE: '1' }), '0')
})

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import * as jose from 'jose'
import type { SigningJob } from './quick-signature.ts'
import { createSigningQueue } from './signing-queue.ts'

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
}
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** By turns with each key. */
function jobs(count: number): readonly SigningJob[] {
  return Array.from({ length: count }, (_, index) => {
    const algorithm = index % 2 === 0 ? 'ES256' : 'EdDSA'
    const input = `${part({ alg: algorithm })}.${part({ index })}`
    return { algorithm, key: pairs[algorithm].privateKey, input }
  })
}

/** Each signature belongs to what it was asked for. */
async function assertSigned(given: readonly SigningJob[], signatures: readonly string[]): Promise<void> {
  assert.equal(signatures.length, given.length)
  for (const [index, { algorithm, input }] of given.entries()) {
    await jose.compactVerify(`${input}.${signatures[index]}`, pairs[algorithm].publicKey, {
      algorithms: [algorithm],
    })
  }
}

/** A queue whose thread has come; `answers` counts what it said since. */
async function queueWithThread() {
  const queue = createSigningQueue({ processors: 2 })
  const started = once(process, 'worker')
  const asked = Promise.all(jobs(4).map(queue))
  const [thread]: Worker[] = await started
  assert.ok(thread)
  const ready = once(thread, 'message')
  await assertSigned(jobs(4), await asked)
  await ready
  const answers = { count: 0 }
  thread.on('message', () => {
    answers.count += 1
  })
  return { queue, thread, answers }
}

describe('the signing queue', () => {
  for (const { many, processors } of [
    { many: 3, processors: 2 },
    { many: 64, processors: 1 },
  ]) {
    test(`makes ${many} of one turn without a thread, processors: ${processors}`, async context => {
      const onWorker = context.mock.fn()
      process.on('worker', onWorker)
      context.after(() => process.off('worker', onWorker))
      const queue = createSigningQueue({ processors })
      await assertSigned(jobs(many), await Promise.all(jobs(many).map(queue)))
      assert.equal(onWorker.mock.callCount(), 0)
    })
  }

  test('rejects with the error of a key that cannot sign so, and signs the others', async () => {
    const queue = createSigningQueue()
    await assertRefusesOne(queue, jobs(2))
  })

  test('lets a thread make many, each for its own input and by its own key', async () => {
    const { queue, answers } = await queueWithThread()
    const [first, second] = [jobs(64), jobs(9).toReversed()]
    const both = await Promise.all([
      Promise.all(first.map(queue)),
      new Promise(setImmediate).then(() => Promise.all(second.map(queue))),
    ])
    await assertSigned(first, both[0])
    await assertSigned(second, both[1])
    assert.equal(answers.count, 2)
  })

  test('rejects with the error of a key that the thread could not sign with, and keeps the thread', async () => {
    const { queue, answers } = await queueWithThread()
    await assertRefusesOne(queue, jobs(8))
    await assertSigned(jobs(8), await Promise.all(jobs(8).map(queue)))
    assert.equal(answers.count, 2)
  })

  test('signs itself what the thread leaves behind when it ends, and everything after', async () => {
    const { queue, thread, answers } = await queueWithThread()
    const left = Promise.all(jobs(800).map(queue))
    await new Promise(setImmediate)
    await thread.terminate()
    await assertSigned(jobs(800), await left)
    await assertSigned(jobs(8), await Promise.all(jobs(8).map(queue)))
    assert.equal(answers.count, 0)
  })
})

async function assertRefusesOne(queue: (job: SigningJob) => Promise<string>, given: readonly SigningJob[]) {
  const wrong = { algorithm: 'ES256', key: pairs.EdDSA.privateKey, input: 'e30.e30' } as const
  const [refused, ...settled] = await Promise.allSettled([wrong, ...given].map(queue))
  assert.ok(refused?.status === 'rejected' && refused.reason instanceof Error)
  await assertSigned(
    given,
    settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : [])),
  )
}

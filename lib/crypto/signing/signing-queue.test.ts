import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { describe, mock, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import * as jose from 'jose'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'
import { makeSignature, type SigningJob } from './signature.ts'
import { createSigningQueue } from './signing-queue.ts'

const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
}
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Makes jobs with these algorithms in turn. */
function jobs(
  count: number,
  algorithms: readonly SigningAlgorithm[] = ['ES256', 'EdDSA'],
): readonly SigningJob[] {
  return Array.from({ length: count }, (_, index) => {
    const algorithm = algorithms[index % algorithms.length] ?? 'ES256'
    const input = `${part({ alg: algorithm })}.${part({ index })}`
    return { algorithm, key: pairs[algorithm].privateKey, input }
  })
}

/** Asserts that each signature matches its job. */
async function assertSigned(given: readonly SigningJob[], signatures: readonly string[]): Promise<void> {
  assert.equal(signatures.length, given.length)
  for (const [index, { algorithm, input }] of given.entries()) {
    await jose.compactVerify(`${input}.${signatures[index]}`, pairs[algorithm].publicKey, {
      algorithms: [algorithm],
    })
  }
}

/**
 * Creates a queue whose thread has started, after signatures that did not wait for it; `answers` counts the thread's
 * messages since then.
 */
async function queueWithThread() {
  const queue = createSigningQueue({ processors: 2 })
  const started = once(process, 'worker')
  const asked = Promise.all(jobs(4).map(queue))
  const [thread]: Worker[] = await started
  assert.ok(thread)
  const ready = once(thread, 'message')
  assert.notEqual(await Promise.race([asked, ready.then(() => 'ready')]), 'ready')
  await assertSigned(jobs(4), await asked)
  await ready
  const answers = { count: 0 }
  thread.on('message', () => {
    answers.count += 1
  })
  return { queue, thread, answers }
}

describe('the signing queue', { timeout: 60_000 }, () => {
  for (const { many, processors } of [
    { many: 3, processors: 2 },
    { many: 64, processors: 1 },
  ]) {
    test(`computes ${many} signatures of one event loop turn on the main thread, processors: ${processors}`, async context => {
      const onWorker = context.mock.fn()
      process.on('worker', onWorker)
      context.after(() => process.off('worker', onWorker))
      const queue = createSigningQueue({ processors })
      await assertSigned(jobs(many), await Promise.all(jobs(many).map(queue)))
      assert.equal(onWorker.mock.callCount(), 0)
    })
  }

  for (const { processors, computed } of [
    { processors: 1, computed: 'in the same event loop turn on the main thread' },
    { processors: 2, computed: 'later by the thread pool' },
  ]) {
    test(`RS256 is computed ${computed}, processors: ${processors}`, async () => {
      const queue = createSigningQueue({ processors })
      const given = jobs(3, ['RS256'])
      const signing = Promise.all(given.map(queue))
      // The queue was called first, so its immediate runs first
      const first = await Promise.race([signing.then(() => 'main thread'), setImmediate('thread pool')])
      assert.equal(first, processors === 1 ? 'main thread' : 'thread pool')
      await assertSigned(given, await signing)
    })
  }

  test('rejects with the error of a key of the wrong type, and signs the others', async () => {
    const queue = createSigningQueue()
    await assertRefusesOne(queue, jobs(2))
  })

  test('computes many signatures on the thread, each with the right input and key', async () => {
    const { queue, answers } = await queueWithThread()
    const [first, second] = [jobs(64), jobs(9).toReversed()]
    const both = await Promise.all([
      Promise.all(first.map(queue)),
      setImmediate().then(() => Promise.all(second.map(queue))),
    ])
    await assertSigned(first, both[0])
    await assertSigned(second, both[1])
    assert.equal(answers.count, 5, 'four times sixteen, and nine')
  })

  test('sends sixteen to the thread before the turn ends, and signs the remaining few here', async () => {
    const { queue, thread, answers } = await queueWithThread()
    const sent = mock.method(thread, 'postMessage')
    const signing = Promise.all(jobs(18).map(queue))
    assert.equal(sent.mock.callCount(), 1)
    await assertSigned(jobs(18), await signing)
    assert.equal(answers.count, 1)
  })

  test('computes a few signatures on the main thread although the other thread runs', async () => {
    const { queue, answers } = await queueWithThread()
    await assertSigned(jobs(3), await Promise.all(jobs(3).map(queue)))
    assert.equal(answers.count, 0)
  })

  test('rejects with the error of a key that the thread cannot use, and keeps the thread', async () => {
    const { queue, answers } = await queueWithThread()
    await assertRefusesOne(queue, jobs(8))
    await assertSigned(jobs(8), await Promise.all(jobs(8).map(queue)))
    assert.equal(answers.count, 2)
  })

  test('signs on the main thread, with a warning, after the thread has ended', async () => {
    const { queue, thread, answers } = await queueWithThread()
    const left = jobs(4000)
    const signing = Promise.all(left.map(queue))
    const warning = once(process, 'warning')
    await thread.terminate()
    const signatures = await signing
    const answered = answers.count
    assert.ok(answered < left.length / 16)
    const isSample = (_: unknown, index: number) => index % 99 === 0
    await assertSigned(left.filter(isSample), signatures.filter(isSample))
    await assertSigned(jobs(8), await Promise.all(jobs(8).map(queue)))
    assert.equal(answers.count, answered)
    assert.match(String(await warning), /No thread signs tokens: it left with code 1/)
  })

  test('signs on the main thread, with a warning, if no thread can be started', () => {
    const { status, stdout, stderr } = runAlone(signTwice, ['--permission', '--allow-fs-read=*'])
    assert.deepEqual({ status, stdout }, { status: 0, stdout: '8 0\n8 0\n' })
    assert.match(stderr, /Warning: No thread signs tokens: Error: Access to this API has been restricted/)
  })

  test('keeps the process alive until the thread has answered, and no longer', () => {
    const { status, stdout } = runAlone(signTwice)
    assert.deepEqual({ status, stdout }, { status: 0, stdout: '8 1\n8 1\n' })
  })
})

/** A program that signs before the thread has started, and again after it has, if there is one. */
const signTwice = `
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createSigningQueue } from ${JSON.stringify(import.meta.resolve('./signing-queue.ts'))}
const { privateKey: key } = generateKeyPairSync('ed25519')
const queue = createSigningQueue({ processors: 2 })
const sign = async () => (await Promise.all(Array(8).fill({ algorithm: 'EdDSA', key, input: 'e30.e30' }).map(queue))).length
const threads = []
process.on('worker', thread => threads.push(thread))
console.log(await sign(), threads.length)
for (const thread of threads) {
  thread.ref()
  await once(thread, 'message')
  thread.unref()
}
console.log(await sign(), threads.length)`

/** Runs a process that no other work keeps alive. */
function runAlone(script: string, options: readonly string[] = []) {
  return spawnSync(process.execPath, [...options, '--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 20_000,
  })
}

/** Asserts that an invalid job fails with the error that `makeSignature` throws, and that the other jobs are signed. */
async function assertRefusesOne(queue: (job: SigningJob) => Promise<string>, given: readonly SigningJob[]) {
  const wrong = { algorithm: 'ES256', key: pairs.EdDSA.privateKey, input: 'e30.e30' } as const
  const [refused, ...settled] = await Promise.allSettled([wrong, ...given].map(queue))
  assert.throws(
    () => {
      throw refused?.status === 'rejected' ? refused.reason : null
    },
    errorOf(() => makeSignature(wrong)),
  )
  await assertSigned(
    given,
    settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : [])),
  )
}

function errorOf(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('No error was thrown.')
}

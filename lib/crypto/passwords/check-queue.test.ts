import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFailures, checkQueue } from '#lib/config/limits.ts'
import { callerAt } from '#lib/ports/check-caller.ts'
import { type CheckQueueLimits, createCheckQueue, createNetworkFailures } from './check-queue.ts'

const settled = () => new Promise(setImmediate)

/** Creates a queue whose checks end when the test ends them. */
function openQueue(changes: Partial<CheckQueueLimits> = {}, processors = 4) {
  const limits = { inFlight: 2, waiting: 8, busyFrom: 2, ...changes }
  const failures = createNetworkFailures()
  const queue = createCheckQueue({
    limits,
    failures,
    share: { workers: 1, processors },
    refuse: () => new Error('full'),
  })
  const running: { readonly name: string; readonly end: (isWrong: boolean) => void }[] = []
  const refused: string[] = []
  const check = (name: string, address: string, isKnown = false): void => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const work = () => {
      running.push({ name, end: resolve })
      return promise
    }
    queue.run(callerAt(address, isKnown), work, isWrong => isWrong).catch(() => refused.push(name))
  }
  const end = async (isWrong: boolean) => {
    running.shift()?.end(isWrong)
    await settled()
    await settled()
  }
  const occupy = () => void queue.run(callerAt('203.0.113.1', true), () => new Promise(() => {}))
  return { check, end, occupy, refused, failures, names: () => running.map(({ name }) => name) }
}

/** Occupies one of two lanes with a check that does not end. */
function withOneLane(opened: ReturnType<typeof openQueue>) {
  opened.occupy()
  return opened
}

const flood = '198.51.100.1'

test('LIM-05 checks of a network that has many leave a lane to all others', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { check, end, names } = openQueue({ busyFrom: 1 }, 2)
  for (let count = 0; count < 6; count += 1) check(`flood ${count}`, flood)
  await settled()
  check('alice', '192.0.2.1')
  await settled()
  assert.deepEqual(names(), ['flood 0', 'alice'])
  await end(true)
  assert.deepEqual(names(), ['alice'], 'the failed check is followed by its rest')
  t.mock.timers.tick(checkQueue.longestWaitMs - 1)
  await settled()
  assert.deepEqual(names(), ['alice', 'flood 1'])
})

test('LIM-05 a network that failed stays behind those that did not, and is forgotten after a while', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let time = 1
  t.mock.method(performance, 'now', () => time)
  const { check, end, failures, names } = openQueue()
  for (let count = 0; count < 2; count += 1) {
    check('flood', flood)
    await settled()
    await end(true)
    t.mock.timers.tick(0)
  }
  assert.equal(failures.of(flood), 2)
  for (const name of ['first', 'second']) check(name, flood)
  check('alice', '192.0.2.1')
  await settled()
  assert.deepEqual(names(), ['first', 'alice'])
  await end(false)
  await end(false)
  time += 2 * checkFailures.forgetOneMs
  assert.equal(failures.of(flood), 0)
})

test('LIM-05 networks take turns, however many checks of one wait', async () => {
  const { check, end, names } = withOneLane(openQueue({ busyFrom: 100 }))
  for (let count = 0; count < 4; count += 1) check(`a${count}`, '192.0.2.1')
  for (let count = 0; count < 2; count += 1) check(`b${count}`, '192.0.2.2')
  const order: string[] = []
  for (let count = 0; count < 6; count += 1) {
    await settled()
    order.push(...names())
    await end(false)
  }
  assert.deepEqual(order, ['a0', 'b0', 'a1', 'b1', 'a2', 'a3'])
})

test('AU-08 known browsers come first, even from the network of a flood', async () => {
  const { check, end, names } = withOneLane(openQueue({ busyFrom: 100 }))
  check('running', '192.0.2.9')
  check('alice', '192.0.2.1')
  for (let count = 0; count < 3; count += 1) check('flood', flood)
  check('known', flood, true)
  await settled()
  await end(false)
  assert.deepEqual(names(), ['known'])
})

test('LIM-05 the check that is pushed out of a full queue is the newest of the network that fills it', async () => {
  const { check, refused } = openQueue({ inFlight: 2, waiting: 4, busyFrom: 1 })
  for (let count = 0; count < 5; count += 1) check(`flood ${count}`, flood)
  await settled()
  assert.deepEqual(refused, [])
  for (let host = 1; host <= 2; host += 1)
    for (const count of [0, 1]) check(`${host}.${count}`, `192.0.2.${host}`)
  check('known', flood, true)
  await settled()
  assert.deepEqual(refused, ['flood 4', 'flood 3', 'flood 2', 'flood 1'])
  check('flood 5', flood)
  await settled()
  assert.deepEqual(refused.slice(4), ['flood 5'])
})

test('LIM-05 a failed check of a busy network is followed by a rest, so that its share of a processor is kept', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let time = 1
  t.mock.method(performance, 'now', () => time)
  const { check, end, names } = openQueue({ inFlight: 2, busyFrom: 0 }, 1)
  for (const name of ['first', 'second', 'third']) check(name, flood)
  await settled()
  assert.deepEqual(names(), ['first'])
  time += 100
  await end(true)
  t.mock.timers.tick(299)
  await settled()
  assert.deepEqual(names(), [], 'a quarter of a processor: three times as long')
  t.mock.timers.tick(1)
  await settled()
  assert.deepEqual(names(), ['second'])
  time += 100
  await end(false)
  t.mock.timers.tick(0)
  await settled()
  assert.deepEqual(names(), ['third'], 'a right password needs no rest')
})

test('LIM-05 a check that waits too long is refused, and the others go on', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { check, end, names, refused } = withOneLane(openQueue())
  check('slow', '192.0.2.1')
  check('waits', '192.0.2.2')
  await settled()
  t.mock.timers.tick(checkQueue.longestWaitMs)
  await settled()
  assert.deepEqual([names(), refused], [['slow'], ['waits']])
  check('next', '192.0.2.2')
  await end(false)
  assert.deepEqual(names(), ['next'])
})

test('the failures of ever new networks do not grow without bound', () => {
  const failures = createNetworkFailures()
  failures.add('old')
  for (let count = 0; count <= 2 * checkFailures.networks; count += 1) failures.add(`2001:db8:${count}::/48`)
  assert.equal(failures.of('old'), 0)
  for (let count = 0; count < 2 * checkFailures.most; count += 1) failures.add('new')
  assert.ok(failures.of('new') <= checkFailures.most)
})

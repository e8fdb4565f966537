import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate } from './gate.ts'

test('lets everybody through while nobody holds it', async () => {
  const gate = createGate()
  assert.deepEqual(await Promise.all([gate.pass(async () => 1), gate.pass(async () => 2)]), [1, 2])
})

test('makes others wait for its holder, and lets them in as they came', async () => {
  const gate = createGate()
  const order: string[] = []
  const release = await gate.hold()
  const first = gate.pass(async () => order.push('first'))
  const holder = gate.hold()
  const second = gate.pass(async () => order.push('second'))
  order.push('released')
  release()
  await first
  const releaseAgain = await holder
  order.push('held again')
  releaseAgain()
  await second
  assert.deepEqual(order, ['released', 'first', 'held again', 'second'])
})

test('a second release does not open it for somebody else’s holder', async () => {
  const gate = createGate()
  const release = await gate.hold()
  release()
  const other = await gate.hold()
  release()
  let isIn = false
  const waiting = gate.pass(async () => {
    isIn = true
  })
  await Promise.resolve()
  assert.equal(isIn, false)
  other()
  await waiting
})

test('work that fails fails its own caller', async () => {
  const gate = createGate()
  const release = await gate.hold()
  const failing = gate.pass(() => Promise.reject(new Error('mine')))
  const fine = gate.pass(async () => 'fine')
  release()
  await assert.rejects(failing, /mine/)
  assert.equal(await fine, 'fine')
})

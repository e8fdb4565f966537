import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate } from './sqlite-adapter.ts'

test('runs work immediately while the gate is free', async () => {
  const gate = createGate()
  assert.deepEqual(await Promise.all([gate.pass(async () => 1), gate.pass(async () => 2)]), [1, 2])
})

test('makes others wait until the gate is released, in the order of their calls', async () => {
  const gate = createGate()
  const order: string[] = []
  const release = await gate.acquire()
  const first = gate.pass(async () => order.push('first'))
  const holder = gate.acquire()
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

test('a second release does not release the gate of the next owner', async () => {
  const gate = createGate()
  const release = await gate.acquire()
  release()
  const other = await gate.acquire()
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
  const release = await gate.acquire()
  const failing = gate.pass(() => Promise.reject(new Error('mine')))
  const fine = gate.pass(async () => 'fine')
  release()
  await assert.rejects(failing, /mine/)
  assert.equal(await fine, 'fine')
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import Database from 'better-sqlite3'
import { createGate, sqliteAdapter } from './sqlite-adapter.ts'

test('a connection that fails halfway leaves nothing open', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-adapter-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const adapter = sqliteAdapter(join(folder, 'latchkey.db'))
  t.mock.method(PrismaBetterSqlite3.prototype, 'connect', () => Promise.reject(new Error('no connection')))
  const closed = t.mock.method(Database.prototype, 'close')
  await assert.rejects(adapter.connect(), /no connection/)
  assert.equal(closed.mock.callCount(), 1)
  assert.throws(() => adapter.first({ sql: 'SELECT 1', keys: 0 }, []), /not open/)
})

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

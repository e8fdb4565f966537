import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupCommit } from './group-commit.ts'

const underWay = 3

/** Creates a table that refuses the row `bad`, by itself and in a batch, and records each write. */
function table(size: number) {
  const writes: string[][] = []
  const write = async (rows: readonly string[]) => {
    writes.push([...rows])
    if (rows.includes('bad')) throw new Error('constraint failed')
  }
  return { writes, store: groupCommit<string>({ many: write, one: row => write([row]) }, { size, underWay }) }
}

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

test('a lone row is written without waiting for others', async () => {
  const { writes, store } = table(10)
  await store('single')
  assert.deepEqual(writes, [['single']])
})

/** Creates a table whose writes do not complete until `release` is called. */
function slowTable(size: number) {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const writes: string[][] = []
  const many = async (rows: readonly string[]) => {
    writes.push([...rows])
    await promise
  }
  return {
    writes,
    release,
    store: groupCommit<string>({ many, one: row => many([row]) }, { size, underWay }),
  }
}

test('rows that come while others are on their way are written together after them', async () => {
  const { writes, store, release } = slowTable(10)
  const lone = ['1', '2', '3']
  const stored: Promise<void>[] = []
  for (const row of lone) {
    stored.push(store(row))
    await turn()
  }
  stored.push(store('4'), store('5'))
  await turn()
  const onTheirWay = lone.map(row => [row])
  assert.deepEqual(writes, onTheirWay)
  release()
  await Promise.all(stored)
  assert.deepEqual(writes, [...onTheirWay, ['4', '5']])
})

test('all rows of one turn are written in one batch', async () => {
  const { writes, store, release } = slowTable(10)
  const stored = Promise.all(['1', '2', '3', '4', '5', '6', '7', '8'].map(store))
  await turn()
  assert.deepEqual(writes, [['1', '2', '3', '4', '5', '6', '7', '8']])
  release()
  await stored
})

test('a full batch does not wait for those before it', async () => {
  const { writes, store, release } = slowTable(2)
  const rows = Array.from({ length: 19 }, (_, index) => String(index))
  const stored = Promise.all(rows.map(store))
  await turn()
  assert.equal(writes.length, 9)
  assert.ok(writes.every(batch => batch.length === 2))
  release()
  await stored
  assert.deepEqual(writes.at(-1), ['18'])
})

test('no write has more rows than allowed', async () => {
  const { writes, store } = table(2)
  await Promise.all(['one', 'two', 'three'].map(store))
  assert.deepEqual(writes, [['one', 'two'], ['three']])
})

test('a row that cannot be stored fails only its own caller', async () => {
  const { writes, store } = table(10)
  const answers = await Promise.allSettled(['one', 'bad', 'two'].map(store))
  assert.deepEqual(
    answers.map(answer => answer.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(writes, [['one', 'bad', 'two'], ['one'], ['bad'], ['two']])
})

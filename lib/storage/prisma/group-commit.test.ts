import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupCommit } from './group-commit.ts'

/** Refuses the row `bad`, alone and in company; notes each write. */
function table(size: number) {
  const writes: string[][] = []
  const write = async (rows: readonly string[]) => {
    writes.push([...rows])
    if (rows.includes('bad')) throw new Error('constraint failed')
  }
  return { writes, store: groupCommit<string>({ many: write, one: row => write([row]) }, size) }
}

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

test('a lone row is written at the next turn', async () => {
  const { writes, store } = table(10)
  await store('alone')
  assert.deepEqual(writes, [['alone']])
})

test('rows that come while others are on their way are written together', async () => {
  const { writes, store } = table(10)
  const first = [store('one'), store('two')]
  await turn()
  await Promise.all([...first, store('three'), store('four')])
  assert.deepEqual(writes, [
    ['one', 'two'],
    ['three', 'four'],
  ])
})

test('a full batch does not wait for the one before it', async () => {
  const slow = Promise.withResolvers<void>()
  const writes: string[][] = []
  const many = async (rows: readonly string[]) => {
    writes.push([...rows])
    await slow.promise
  }
  const store = groupCommit<string>({ many, one: row => many([row]) }, 2)
  const stored = Promise.all(['one', 'two', 'three', 'four', 'five'].map(store))
  await turn()
  assert.deepEqual(writes, [
    ['one', 'two'],
    ['three', 'four'],
  ])
  slow.resolve()
  await stored
  assert.deepEqual(writes.at(-1), ['five'])
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

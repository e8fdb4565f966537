import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchedRead } from './batched-read.ts'

/** Finds the length of every word, except `unknown`; fails for `broken`. Records each query. */
function lengths(size: number) {
  const queries: string[][] = []
  const read = batchedRead(async words => {
    queries.push(words)
    if (words.includes('broken')) throw new Error('the database is away')
    return new Map(words.filter(word => word !== 'unknown').map(word => [word, word.length]))
  }, size)
  return { queries, read }
}

test('one query reads all keys asked for in the same turn, each key once', async () => {
  const { queries, read } = lengths(10)
  assert.deepEqual(await Promise.all(['one', 'three', 'one', 'unknown'].map(read)), [3, 5, 3, null])
  assert.deepEqual(queries, [['one', 'three', 'unknown']])
})

test('a call after a query began starts a new query', async () => {
  const { queries, read } = lengths(10)
  await read('one')
  await read('one')
  assert.deepEqual(queries, [['one'], ['one']])
})

test('a query has no more keys than allowed, and its failure affects only its own callers', async () => {
  const { queries, read } = lengths(2)
  const answers = await Promise.allSettled(['one', 'two', 'broken', 'four'].map(read))
  assert.deepEqual(
    answers.map(answer => answer.status),
    ['fulfilled', 'fulfilled', 'rejected', 'rejected'],
  )
  assert.equal(queries.length, 2)
})

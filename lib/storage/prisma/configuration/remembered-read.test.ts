import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rememberedRead } from './remembered-read.ts'

function counted() {
  const loads: string[] = []
  const load = async (key: string) => {
    loads.push(key)
    return `${key}${loads.length}`
  }
  return { loads, load }
}

test('reads once until it is told to forget', async () => {
  const { load } = counted()
  const { read, forget } = rememberedRead(load, 10)
  assert.deepEqual([await read('a'), await read('a')], ['a1', 'a1'])
  forget(['a'])
  assert.equal(await read('a'), 'a2')
})

test('forgets one key and keeps the others, or forgets everything', async () => {
  const { load } = counted()
  const { read, forget } = rememberedRead(load, 10)
  await read('a')
  await read('b')
  forget(['a'])
  assert.equal(await read('b'), 'b2')
  forget()
  assert.equal(await read('b'), 'b3')
})

test('a read that began before a write ended is not remembered', async () => {
  const slow = Promise.withResolvers<string>()
  let answer: Promise<string> = slow.promise
  const { read, forget } = rememberedRead(() => answer, 10)
  const old = read('a')
  forget(['a'])
  answer = Promise.resolve('new')
  slow.resolve('old')
  assert.equal(await old, 'old')
  assert.equal(await read('a'), 'new')
})

test('made-up keys take no more than their room', async () => {
  const { loads, load } = counted()
  const { read } = rememberedRead(load, 2)
  for (const key of ['a', 'b', 'c', 'c', 'a']) await read(key)
  assert.deepEqual(loads, ['a', 'b', 'c', 'a'])
})

test('a failed read is asked again', async () => {
  let isAway = true
  const { read } = rememberedRead(async () => {
    if (isAway) throw new Error('away')
    return 'there'
  }, 10)
  await assert.rejects(read('a'))
  isAway = false
  assert.equal(await read('a'), 'there')
})

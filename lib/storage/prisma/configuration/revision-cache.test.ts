import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRevisionCache, sharedRead } from './revision-cache.ts'

test('loads once in a revision and again in the next', async () => {
  let revision = 1
  let loads = 0
  const shelf = createRevisionCache(async () => revision).shelf<number>(10)
  const load = async () => {
    loads += 1
    return loads
  }
  assert.deepEqual([await shelf('a', load), await shelf('a', load)], [1, 1])
  revision = 2
  assert.equal(await shelf('a', load), 2)
})

test('does not keep null', async () => {
  const shelf = createRevisionCache(async () => 1).shelf<string>(10)
  assert.equal(await shelf('a', async () => null), null)
  assert.equal(await shelf('a', async () => 'made since'), 'made since')
})

test('a load that began before a change is not kept after it', async () => {
  let revision = 1
  const shelf = createRevisionCache(async () => revision).shelf<string>(10)
  const slow = Promise.withResolvers<string>()
  const began = Promise.withResolvers<void>()
  const old = shelf('a', () => {
    began.resolve()
    return slow.promise
  })
  await began.promise
  revision = 2
  await shelf('b', async () => 'other')
  slow.resolve('old')
  assert.equal(await old, 'old')
  assert.equal(await shelf('a', async () => 'new'), 'new')
})

test('forgets the least recently used first', async () => {
  const loaded: string[] = []
  const shelf = createRevisionCache(async () => 1).shelf<string>(2)
  const get = (key: string) =>
    shelf(key, async () => {
      loaded.push(key)
      return key
    })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key)
  assert.deepEqual(loaded, ['a', 'b', 'c', 'b'])
})

test('all who ask in one turn share one read of the revision', async () => {
  let reads = 0
  const current = sharedRead(async () => {
    reads += 1
    return 1
  })
  const shelf = createRevisionCache(current).shelf<string>(10)
  await Promise.all(['a', 'b', 'c'].map(key => shelf(key, async () => key)))
  assert.equal(reads, 1)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cachedRead, sharedRead } from './reads.ts'

function counted() {
  const loads: string[] = []
  const load = async (key: string) => {
    loads.push(key)
    return `${key}${loads.length}`
  }
  return { loads, load }
}

describe('a cached read', () => {
  let current = 1
  const revision = async () => current

  test('loads once in a revision and again in the next', async () => {
    const { load } = counted()
    const read = cachedRead({ load, size: 10, revision })
    assert.deepEqual([await read('a'), await read('a')], ['a1', 'a1'])
    current += 1
    assert.equal(await read('a'), 'a2')
  })

  test('keeps that a key has no value, until the revision changes', async () => {
    const loads: string[] = []
    const before = current
    const load = async (key: string) => {
      loads.push(key)
      return current === before ? null : 'made since'
    }
    const read = cachedRead({ load, size: 10, revision })
    assert.deepEqual([await read('a'), await read('a')], [null, null])
    assert.deepEqual(loads, ['a'])
    current += 1
    assert.equal(await read('a'), 'made since')
  })

  for (const old of ['old', null]) {
    test(`does not keep a load that began before a change and returned ${old}`, async () => {
      const slow = Promise.withResolvers<string | null>()
      const began = Promise.withResolvers<void>()
      let load = () => {
        began.resolve()
        return slow.promise
      }
      const read = cachedRead({ load: () => load(), size: 10, revision })
      const reading = read('a')
      await began.promise
      current += 1
      load = async () => 'new'
      await read('b')
      slow.resolve(old)
      assert.equal(await reading, old)
      assert.equal(await read('a'), 'new')
    })
  }

  test('forgets the least recently used result first', async () => {
    const { loads, load } = counted()
    const read = cachedRead({ load, size: 2, revision })
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await read(key)
    assert.deepEqual(loads, ['a', 'b', 'c', 'b'])
  })

  test('new keys push out the least recently used result and take no more room', async () => {
    const { loads, load } = counted()
    const read = cachedRead({ load, size: 2, revision })
    for (const key of ['a', 'b', 'c', 'c', 'a']) await read(key)
    assert.deepEqual(loads, ['a', 'b', 'c', 'a'])
  })

  test('keys without a value push out only each other', async () => {
    const loads: string[] = []
    const load = async (key: string) => {
      loads.push(key)
      return key === 'real' ? key : null
    }
    const read = cachedRead({ load, size: 2, revision })
    for (const key of ['real', 'a', 'b', 'c', 'real', 'c', 'b', 'a']) await read(key)
    assert.deepEqual(loads, ['real', 'a', 'b', 'c', 'a'])
  })

  test('loads again after a failure', async () => {
    let isAway = true
    const load = async () => {
      if (isAway) throw new Error('away')
      return 'there'
    }
    const read = cachedRead({ load, size: 10, revision })
    await assert.rejects(read('a'))
    isAway = false
    assert.equal(await read('a'), 'there')
  })
})

/** Creates a shared read that returns 1, fails the second time, and then returns 3 and so on. */
function failingSecond() {
  let count = 0
  return sharedRead(async () => {
    count += 1
    if (count === 2) throw new Error('the database is away')
    return count
  })
}

test('one load answers all calls of the same turn, and its failure affects only them', async () => {
  const read = failingSecond()
  assert.deepEqual(await Promise.all([read(), read()]), [1, 1])
  const failures = await Promise.allSettled([read(), read()])
  assert.deepEqual(
    failures.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await read(), 3)
})

test('a call after a shared load began starts a new load', async () => {
  const loads: PromiseWithResolvers<string>[] = []
  const read = sharedRead(() => {
    const load = Promise.withResolvers<string>()
    loads.push(load)
    return load.promise
  })
  const early = read()
  await new Promise(setImmediate)
  const late = read()
  await new Promise(setImmediate)
  assert.equal(loads.length, 2)
  loads[1]?.resolve('new')
  loads[0]?.resolve('old')
  assert.deepEqual([await early, await late], ['old', 'new'])
})

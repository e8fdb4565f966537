import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataHandler } from './respond-json.ts'

test('a metadata document is written once, and again when what it is made of has changed', async () => {
  const [first, second] = [{ name: 'a' }, { name: 'b' }]
  let registered = [first]
  let count = 0
  const handler = metadataHandler<null>({
    basis: async () => [...registered],
    write: async () => {
      count += 1
      return registered
    },
  })
  const ask = async () => (await handler({ services: null })).body
  assert.deepEqual([await ask(), await ask(), count], ['[{"name":"a"}]', '[{"name":"a"}]', 1])
  registered = [first, second]
  assert.deepEqual([await ask(), count], ['[{"name":"a"},{"name":"b"}]', 2])
  registered = [{ name: 'a' }, second]
  assert.deepEqual([await ask(), count], ['[{"name":"a"},{"name":"b"}]', 3])
  registered = [second]
  assert.deepEqual([await ask(), count], ['[{"name":"b"}]', 4])
})

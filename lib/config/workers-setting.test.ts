import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './env.ts'
import { shareOf } from './node-share.ts'

test('the number of workers is known on SQLite, and measured on PostgreSQL unless it is set', () => {
  const postgresql = { DATABASE_URL: 'postgresql://latchkey@localhost/latchkey' }
  assert.equal(readConfig({ LATCHKEY_WORKERS: 'auto' }).workers, 1)
  assert.equal(readConfig(postgresql).workers, 'auto')
  assert.equal(readConfig({ ...postgresql, LATCHKEY_WORKERS: '3' }).workers, 3)
  assert.throws(
    () => readConfig({ LATCHKEY_WORKERS: '2' }),
    /LATCHKEY_WORKERS is "2", but only one process.*SQLite/,
  )
  assert.throws(
    () => readConfig({ ...postgresql, LATCHKEY_WORKERS: '65' }),
    /auto or a whole number from 1 to 64/,
  )
})

test('the connections to PostgreSQL are enough for the workers', () => {
  const eight = { DATABASE_URL: 'postgresql://latchkey@localhost/latchkey', LATCHKEY_WORKERS: '8' }
  assert.equal(readConfig(eight).databaseConnections, 24)
  assert.equal(readConfig({ ...eight, LATCHKEY_DATABASE_CONNECTIONS: '40' }).databaseConnections, 40)
  assert.throws(
    () => readConfig({ ...eight, LATCHKEY_DATABASE_CONNECTIONS: '20' }),
    /LATCHKEY_DATABASE_CONNECTIONS is "20", but each of the 8 workers needs 3; use 24 or more/,
  )
})

test('the workers of a node never have more than its limit together, except that each has one', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 8].map(workers => shareOf(4, { workers })),
    [4, 2, 1, 1, 1],
  )
  assert.equal(shareOf(10, { workers: 3 }), 3)
})

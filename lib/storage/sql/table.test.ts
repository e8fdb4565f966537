import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeOf } from './table.ts'

test('times of SQLite and of PostgreSQL', () => {
  assert.equal(timeOf('2030-01-02T03:04:05.678+00:00')?.toISOString(), '2030-01-02T03:04:05.678Z')
  assert.equal(timeOf('2030-01-02 03:04:05.678')?.toISOString(), '2030-01-02T03:04:05.678Z')
  assert.equal(timeOf(null), null)
})

test('a time in a different DateStyle is an error: it would never expire', () => {
  for (const text of ['02.01.2030 03:04:05.678', '02/01/2030 03:04:05.678', 'Wed 02 Jan 03:04:05.678 2030'])
    assert.throws(() => timeOf(text), TypeError)
})

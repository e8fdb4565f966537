import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statement } from './statement.ts'
import { changeName, statementName } from './statement-names.ts'

test('TL-02 statements are named by their verb and table, without columns and values', () => {
  const read = statement(
    'SELECT u."id", s."id" FROM "User" u JOIN "Session" s ON s."subject" = u."id" WHERE u."id" = $1',
  )
  const write = statement('UPDATE "RefreshToken" SET "usedAt" = $2 WHERE "digest" = $1')
  const insert = statement('INSERT INTO "Grant" ("id") VALUES ($1)')
  assert.equal(statementName(read), 'SELECT User')
  assert.equal(statementName(read), 'SELECT User')
  assert.equal(
    changeName({
      conditions: { known: [read, ['1']] },
      writes: [
        [write, ['1', null]],
        [insert, ['2']],
      ],
    }),
    'UPDATE RefreshToken',
  )
  assert.equal(changeName({ writes: [[insert, ['2']]] }), 'INSERT Grant')
  assert.equal(changeName({ writes: [] }), 'SELECT')
})

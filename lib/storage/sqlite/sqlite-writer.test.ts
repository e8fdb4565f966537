import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { isDriverAdapterError } from '@prisma/driver-adapter-utils'
import Database from 'better-sqlite3'
import { storage } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { refusingWhenUnavailable } from '../database-errors.ts'
import { batchChanges } from './change-batches.ts'
import { openSqliteWriter } from './sqlite-writer.ts'

const isTimeout = (error: unknown) => isDriverAdapterError(error) && error.cause.kind === 'SocketTimeout'

/** Locks the file as soon as a transaction on it has ended. Returns the time. Blocks this thread. */
function lockBetween(database: Database.Database): number {
  for (let isLocked = false; ; ) {
    try {
      database.exec('BEGIN IMMEDIATE')
      if (isLocked) return performance.now()
      database.exec('ROLLBACK')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    } catch {
      isLocked = true
    }
  }
}

const statement = (sql: string) => ({ sql, args: [], argTypes: [] })

describe('the thread that writes a SQLite file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-writer-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const fileOf = (name: string) => ({
    file: join(folder, name),
    timeout: 100,
    pragmas: 'PRAGMA foreign_keys = ON',
  })

  test('writes, reads back, and hands on what the database refuses as the adapter would', async () => {
    const writer = await openSqliteWriter(fileOf('words'))
    await writer.executeScript('CREATE TABLE words (word TEXT PRIMARY KEY)')
    assert.equal(await writer.executeRaw(statement(`INSERT INTO words VALUES ('one'), ('two')`)), 2)
    const { rows } = await writer.queryRaw(statement('SELECT word FROM words ORDER BY word'))
    assert.deepEqual(rows, [['one'], ['two']])
    await assert.rejects(
      writer.executeRaw(statement(`INSERT INTO words VALUES ('one')`)),
      error => isDriverAdapterError(error) && error.cause.kind === 'UniqueConstraintViolation',
    )
    await writer.close()
  })

  test('each of several concurrent lists is written completely or not at all', async () => {
    const writer = await openSqliteWriter(fileOf('together'))
    await writer.executeScript('CREATE TABLE words (word TEXT PRIMARY KEY)')
    const put = (...words: readonly string[]) =>
      writer.insertTogether(
        words.map(word => ({ sql: 'INSERT INTO words VALUES (?)', rows: JSON.stringify([[word]]) })),
        { canWait: words.includes('d') },
      )
    const settled = await Promise.allSettled([
      put('a', 'b'),
      put('c', 'a'),
      put('d'),
      put('d', 'e'),
      put('f'),
    ])
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
    )
    const refused = settled.find(({ status }) => status === 'rejected')
    assert.ok(refused?.status === 'rejected' && isDriverAdapterError(refused.reason))
    const { rows } = await writer.queryRaw(statement('SELECT word FROM words ORDER BY word'))
    assert.deepEqual(rows, [['a'], ['b'], ['d'], ['f']])
    await writer.close()
  })

  test('a list that cannot be committed does not fail concurrent ones', async () => {
    const writer = await openSqliteWriter(fileOf('deferred'))
    await writer.executeScript(
      'CREATE TABLE words (word TEXT PRIMARY KEY, next TEXT REFERENCES words DEFERRABLE INITIALLY DEFERRED)',
    )
    const put = (word: string, next: string) =>
      writer.insertTogether(
        [{ sql: 'INSERT INTO words VALUES (?, ?)', rows: JSON.stringify([[word, next]]) }],
        { canWait: false },
      )
    const settled = await Promise.allSettled([put('first', 'first'), put('b', 'nowhere'), put('c', 'c')])
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    await put('last', 'last')
    const { rows } = await writer.queryRaw(statement('SELECT word FROM words ORDER BY word'))
    assert.deepEqual(rows.flat(), ['c', 'first', 'last'])
    await writer.close()
  })

  test('a statement that cannot be prepared fails by itself, and its number stays its own', async () => {
    const writer = await openSqliteWriter(fileOf('unprepared'))
    await writer.executeScript('CREATE TABLE words (word TEXT PRIMARY KEY)')
    const change = batchChanges(writer.change)
    const insert = (table: string) => ({ sql: `INSERT INTO ${table} VALUES ($1)`, keys: 0 })
    const [words, later] = [insert('words'), insert('later')]
    const put = (into: typeof words, word: string) => change({ writes: [[into, [word]]] })
    const other = { sql: 'INSERT INTO words VALUES ($1 || $1)', keys: 0 }
    const settled = await Promise.allSettled([put(words, 'a'), put(later, 'b'), put(other, 'c')])
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    await writer.executeScript('CREATE TABLE later (word TEXT PRIMARY KEY)')
    await put(later, 'd')
    const { rows } = await writer.queryRaw(
      statement('SELECT word FROM words UNION ALL SELECT word FROM later'),
    )
    assert.deepEqual(rows.flat(), ['a', 'cc', 'd'])
    await writer.close()
  })

  for (const processors of [1, 2]) {
    test(`changes of neighboring turns of the event loop share messages on one processor; processors: ${processors}`, async () => {
      const writer = await openSqliteWriter(fileOf(`turns-${processors}`))
      await writer.executeScript('CREATE TABLE words (word TEXT PRIMARY KEY)')
      let messages = 0
      const send: typeof writer.change = sent => {
        messages += 1
        return writer.change(sent)
      }
      const change = batchChanges(send, processors)
      const insert = { sql: 'INSERT INTO words VALUES ($1)', keys: 0 }
      const changes: Promise<string | null>[] = []
      for (let turn = 0; turn < storage.changesTogether + 5; turn++) {
        changes.push(change({ writes: [[insert, [`word ${turn}`]]] }))
        await setImmediate()
      }
      await Promise.all(changes)
      assert.equal(messages, processors === 1 ? 2 : changes.length)
      const { rows } = await writer.queryRaw(statement('SELECT count(*) FROM words'))
      assert.deepEqual(rows, [[changes.length]])
      await writer.close()
    })
  }

  test('DB-01 what does not fit into a full database is refused as not writable, and the rest is written', async () => {
    const writer = await openSqliteWriter({ ...fileOf('full'), pragmas: 'PRAGMA max_page_count = 4' })
    await writer.executeScript('CREATE TABLE words (word TEXT PRIMARY KEY)')
    const change = batchChanges(writer.change)
    const insert = { sql: 'INSERT INTO words VALUES ($1)', keys: 0 }
    const ways = refusingWhenUnavailable({
      change: (word: string) => change({ writes: [[insert, [word]]] }),
      together: (word: string) =>
        writer.insertTogether([{ sql: 'INSERT INTO words VALUES (?)', rows: JSON.stringify([[word]]) }], {
          canWait: false,
        }),
      statement: (word: string) => writer.executeRaw(statement(`INSERT INTO words VALUES ('${word}')`)),
    })
    for (const [name, write] of Object.entries(ways)) {
      const refused = assert.rejects(write('x'.repeat(50_000)), error => {
        assert.ok(isOauthError(error), String(error))
        return error.reason === 'database_not_writable' && error.retryAfterSeconds !== null
      })
      await Promise.all([refused, write(name)])
    }
    const { rows } = await writer.queryRaw(statement('SELECT word FROM words ORDER BY word'))
    assert.deepEqual(rows.flat(), ['change', 'statement', 'together'])
    await writer.close()
  })

  test('calls that failed together wait only once for a locked file when they are repeated', async () => {
    const given = { ...fileOf('locked'), timeout: 300 }
    const writer = await openSqliteWriter(given)
    await writer.executeScript('CREATE TABLE words (word TEXT PRIMARY KEY)')
    const change = batchChanges(writer.change)
    const slowly = `(WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT max(i) FROM n)`
    const write = { sql: `INSERT INTO words SELECT $1 WHERE ${slowly} > 0`, keys: 0 }
    const put = (word: string) =>
      writer.insertTogether([{ sql: 'INSERT INTO words VALUES (?)', rows: JSON.stringify([[word]]) }], {
        canWait: false,
      })
    const other = new Database(given.file, { timeout: 0 })
    let refused = 0
    for (let round = 0; refused < 5; round += 1) {
      // The thread is busy until all calls have arrived, so that it carries them out together
      const begun = writer.queryRaw(statement(`SELECT ${slowly.replace('100000', '1000000')}`))
      const words = Array.from({ length: 20 }, (_, index) => `${round} ${index}`)
      const calls = [...words, 'twice', 'twice'].map(word => change({ writes: [[write, [word]]] }))
      const lists = words.slice(0, 3).map(word => put(`list ${word}`))
      await begun
      const lockedAt = lockBetween(other)
      const settled = await Promise.allSettled([...calls, ...lists])
      const tookMs = performance.now() - lockedAt
      other.exec('ROLLBACK')
      refused = settled.filter(each => each.status === 'rejected' && isTimeout(each.reason)).length
      assert.ok(tookMs < 2 * given.timeout, `${refused} calls waited one after the other, ${tookMs} ms`)
    }
    other.close()
    await writer.close()
  })

  test('refuses writes after the thread has ended', async () => {
    const writer = await openSqliteWriter(fileOf('ended'))
    await writer.close()
    await assert.rejects(async () => {
      for (;;) await writer.executeRaw(statement('SELECT 1'))
    }, /has ended/)
  })

  test('a file in a missing folder is reported immediately', async () => {
    await assert.rejects(
      openSqliteWriter({ ...fileOf('none'), file: join(folder, 'missing', 'file') }),
      /directory/,
    )
  })

  test('keeps the process alive only while a caller waits', () => {
    const script = `
      const { openSqliteWriter } = await import(${JSON.stringify(new URL('./sqlite-writer.ts', import.meta.url).href)})
      const writer = await openSqliteWriter({ file: process.argv[1], timeout: 100, pragmas: '' })
      console.log('open')`
    const given = ['--input-type=module', '-e', script, join(folder, 'alive')]
    const run = spawnSync(process.execPath, given, { encoding: 'utf8', timeout: 20_000 })
    assert.deepEqual([run.status, run.stdout], [0, 'open\n'], run.stderr)
  })
})

/** The thread that writes a SQLite file, with one statement or commit at a time. `sqlite-writer.ts` starts it. */

import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { DriverAdapterError, isDriverAdapterError, type SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import Database, { type Statement } from 'better-sqlite3'
import type { SentBound, SentChange, SentChanges } from './sqlite-statements.ts'
import type {
  Answer,
  Call,
  CallOf,
  ChangeResult,
  RowByRow,
  SqliteWriter,
  WriterFile,
} from './sqlite-writer.ts'

const opening = open(workerData)
const waiting: Call[] = []
const patient: CallOf<'insertTogether'>[] = []
/** The texts of statements, each at the index of its number. They are prepared at their first use. */
const texts: string[] = []
let isWorking = false

parentPort?.on('message', (call: Call) => {
  // A text is sent only once, so it is kept even if the call is refused
  if (call.name === 'change') texts.push(...call.given[0].texts)
  if (call.name === 'insertTogether' && call.given[1].canWait) patient.push(call)
  else waiting.push(call)
  if (!isWorking) void work()
})

/** The two connections. Both belong to this thread, so they never write at the same time. */
type Opened = { readonly adapter: SqlDriverAdapter; readonly inserter: SqliteInserter }

async function open(given: WriterFile): Promise<Opened> {
  const { file, timeout, pragmas } = given
  const adapter = await new PrismaBetterSqlite3({ url: file, timeout }).connect()
  await adapter.executeScript(pragmas)
  return { adapter, inserter: openSqliteInserter(given) }
}

/** The calls that can share a commit. */
type Shared = CallOf<'insertTogether'> | CallOf<'change'>

/**
 * Alternates between all changes that a request waits for, and one list of rows that can wait. Other calls wait for
 * both, since such a call may begin a transaction. NOTE: messages that arrived while the disk was busy are in the port
 * until the next turn of the event loop.
 */
async function work(): Promise<void> {
  isWorking = true
  for (; waiting.length + patient.length > 0; await setImmediate()) {
    const together = takeTogether()
    if (together.length > 0) await commitAll(together)
    const one = patient.splice(0, 1)
    if (one.length > 0) await commitAll(one)
    else if (together.length === 0) await carryOutNext()
  }
  isWorking = false
}

function takeTogether(): readonly Shared[] {
  const together: Shared[] = []
  for (const call of waiting) {
    if (call.name !== 'insertTogether' && call.name !== 'change') break
    together.push(call)
  }
  waiting.splice(0, together.length)
  return together
}

async function carryOutNext(): Promise<void> {
  const next = waiting.shift()
  if (next === undefined) return
  await carryOut(next)
  if (next.name === 'close') parentPort?.close()
}

async function carryOut(call: Call): Promise<void> {
  try {
    const result: unknown = await Reflect.apply(functions[call.name], null, call.given)
    answer({ id: call.id, kind: 'done', result })
  } catch (error) {
    answer(failureOf(call.id, error))
    if (isTimeout(error)) await refuseWaiting(error)
  }
}

/**
 * Refuses the reads and writes that arrived while one call waited for a locked file in vain: each of them would wait as
 * long again. Rows that can wait are not refused.
 */
async function refuseWaiting(error: DriverAdapterError): Promise<void> {
  // Calls that arrived while this thread was blocked are still in the port
  await setImmediate()
  const stuck = waiting.filter(({ name }) => name !== 'open' && name !== 'close' && name !== 'executeScript')
  for (const call of stuck) {
    waiting.splice(waiting.indexOf(call), 1)
    answer(failureOf(call.id, error))
  }
}

function isTimeout(error: unknown): error is DriverAdapterError {
  return isDriverAdapterError(error) && error.cause.kind === 'SocketTimeout'
}

/**
 * Makes the answer for an error. NOTE: an error loses its class and its own members when it is sent to another thread.
 */
function failureOf(id: number, error: unknown): Answer {
  return isDriverAdapterError(error)
    ? { id, kind: 'refused', cause: error.cause }
    : { id, kind: 'failed', error }
}

function answer(given: Answer): void {
  parentPort?.postMessage(given)
}

const functions: SqliteWriter = {
  open: async () => void (await opening),
  queryRaw: async query => (await opening).adapter.queryRaw(query),
  executeRaw: async query => (await opening).adapter.executeRaw(query),
  insertTogether: async insertions => (await opening).inserter.insert(insertions),
  change: async sent => {
    const { inserter } = await opening
    return changesIn(sent).map(inserter.change)
  },
  executeScript: async script => (await opening).adapter.executeScript(script),
  close: async () => {
    const { adapter, inserter } = await opening
    inserter.close()
    await adapter.dispose()
  },
}

/**
 * Carries out all calls with one commit, and one wait for the disk. If it fails, each call is carried out separately.
 * If another process keeps the file locked, all remaining calls are refused: each would wait as long again.
 */
async function commitAll(calls: readonly Shared[]): Promise<void> {
  const { inserter } = await opening
  try {
    const results = inserter.together(calls)
    for (const [index, call] of calls.entries())
      if (results === null) await carryOut(call)
      else answer({ id: call.id, kind: 'done', result: results[index] })
  } catch (error) {
    for (const { id } of calls) answer(failureOf(id, error))
    if (isTimeout(error)) await refuseWaiting(error)
  }
}

type SqliteInserter = {
  /**
   * Carries out the calls with one commit and returns the result of each. `null`: a call failed, and nothing is
   * written.
   * @throws DriverAdapterError when another process has the file locked for longer than the timeout
   */
  readonly together: (calls: readonly Shared[]) => readonly unknown[] | null
  /**
   * Carries out one change or list of rows of calls that failed together. After one has waited in vain for a locked
   * file, the next ones fail immediately, until the next calls are carried out together.
   */
  readonly change: (change: SentChange) => ChangeResult
  readonly insert: (insertions: readonly RowByRow[]) => void
  readonly close: () => void
}

/**
 * Opens a separate connection that writes by prepared statements while no other connection has a transaction open.
 * NOTE: prepared statements are kept: preparing one takes as long as inserting a row.
 */
function openSqliteInserter({ file, timeout, pragmas }: WriterFile): SqliteInserter {
  const database = new Database(file, { timeout })
  database.exec(pragmas)
  const prepared = new Map<string, Statement>()
  const prepare = (sql: string) => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const insert = (insertions: readonly RowByRow[]) => {
    for (const { sql, rows } of insertions) {
      const statement = prepare(sql)
      for (const row of rowsOf(rows)) statement.run(row)
    }
  }
  const statementOf = (number: number) => {
    const sql = texts[number]
    if (sql === undefined) throw new Error('A statement has a number without a text.')
    return prepare(sql)
  }
  const isMet = ([number, values]: SentBound) => statementOf(number).get(values) !== undefined
  const change = ({ conditions, writes }: SentChange): ChangeResult => {
    const failed = conditions.findIndex(condition => !isMet(condition))
    // Earlier conditions may have written something, so the change must be rolled back
    if (failed > 0) throw new UnmetCondition(failed)
    if (failed === 0) return failed
    for (const [number, values] of writes) statementOf(number).run(values)
    return 'written'
  }
  // NOTE: only the beginning of a transaction waits for another process; a transaction that has already read fails at
  // its first write
  const { immediate: together } = database.transaction((calls: readonly Shared[]) =>
    calls.map(call =>
      call.name === 'change' ? changesIn(call.given[0]).map(change) : insert(call.given[0]),
    ),
  )
  const { immediate: changeAlone } = database.transaction(change)
  const { immediate: insertAlone } = database.transaction(insert)
  const attempts = createAttempts()
  return {
    together: calls => {
      attempts.reset()
      try {
        return attempts.run(() => together(calls))
      } catch (error) {
        if (isTimeout(error)) throw error
        return null
      }
    },
    change: sent => {
      try {
        return attempts.run(() => changeAlone(sent))
      } catch (error) {
        if (error instanceof UnmetCondition) return error.index
        if (isDriverAdapterError(error)) return { cause: error.cause }
        throw error
      }
    },
    insert: insertions => attempts.run(() => insertAlone(insertions)),
    close: () => {
      database.close()
    },
  }
}

/** Runs writes. After one has waited in vain for a locked file, the next ones fail with its error, until the reset. */
function createAttempts() {
  let timeoutError: DriverAdapterError | null = null
  return {
    reset: () => {
      timeoutError = null
    },
    run: <T>(write: () => T): T => {
      if (timeoutError !== null) throw timeoutError
      try {
        return write()
      } catch (error) {
        const reported = reportedError(error)
        if (isTimeout(reported)) timeoutError = reported
        throw reported
      }
    },
  }
}

/** Thrown to roll back a change, because its condition with this index is not met. */
class UnmetCondition extends Error {
  readonly index: number
  constructor(index: number) {
    super('A condition is not met.')
    this.index = index
  }
}

type SqliteFailure = { readonly code: string; readonly message: string }

/** Converts an error of SQLite to the one that Prisma's adapter would report. */
function reportedError(error: unknown): unknown {
  return error instanceof Database.SqliteError ? new DriverAdapterError(causeOf(error)) : error
}

function causeOf({ code, message }: SqliteFailure): DriverAdapterError['cause'] {
  if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code)) return { kind: 'UniqueConstraintViolation' }
  if (code.startsWith('SQLITE_BUSY')) return { kind: 'SocketTimeout' }
  return { originalCode: code, kind: 'sqlite', extendedCode: 1, message: `${code}: ${message}` }
}

/** Parses changes without checks: only this process writes these texts. */
function changesIn({ changes }: SentChanges): readonly SentChange[] {
  return JSON.parse(changes)
}

/** Parses rows without checks: only this process writes these texts. */
function rowsOf(rows: string): readonly (readonly (string | number | null)[])[] {
  return JSON.parse(rows)
}

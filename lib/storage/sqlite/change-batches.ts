/**
 * Sends the changes of requests that arrive together to SQLite's thread in one message, so that they share a commit.
 */
import { availableParallelism } from 'node:os'
import { DriverAdapterError } from '@prisma/driver-adapter-utils'
import { storage } from '#lib/config/limits.ts'
import { type Change, conditionsOf } from '../sql/statement.ts'
import { createSender, type SentChange } from './sqlite-statements.ts'
import type { ChangeResult, SqliteWriter } from './sqlite-writer.ts'

type Waiting = PromiseWithResolvers<ChangeResult> & { readonly sent: SentChange }

/** Returns the name of the condition that failed; `null` when everything is written and committed. */
export type ApplyChange = (change: Change) => Promise<string | null>

export function batchChanges(send: SqliteWriter['change'], processors = availableParallelism()): ApplyChange {
  const sender = createSender()
  let waiting: Waiting[] = []

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const results = await send(sender.all(batch.map(({ sent }) => sent)))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] ?? 'written')
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /**
   * Sends the batch. With one processor, a batch that is not full waits for a turn of the event loop without a new
   * change: the other thread could not commit sooner without interrupting this one. Decision 086 has the figures.
   */
  function flushAfterTurn(known: number): void {
    const isFull = waiting.length >= storage.changesTogether
    if (processors > 1 || isFull || waiting.length === known) void flush()
    else setImmediate(flushAfterTurn, waiting.length)
  }

  return async change => {
    const asked = { ...Promise.withResolvers<ChangeResult>(), sent: sender.change(change) }
    if (waiting.length === 0) setImmediate(flushAfterTurn, 0)
    waiting.push(asked)
    const result = await asked.promise
    if (result === 'written') return null
    if (typeof result === 'number') return conditionsOf(change)[result]?.[0] ?? null
    throw new DriverAdapterError(result.cause)
  }
}

/** Changes of one turn of the event loop travel to SQLite's thread in one message. */
import { DriverAdapterError } from '@prisma/driver-adapter-utils'
import { type Change, conditionsOf } from '../sql/statement.ts'
import { createSender, type SentChange } from './sqlite-statements.ts'
import type { ChangeResult, SqliteWriter } from './sqlite-writer.ts'

type Waiting = PromiseWithResolvers<ChangeResult> & { readonly sent: SentChange }

/** Returns the name of the condition that failed; `null` when everything is written and committed. */
export type ApplyChange = (change: Change) => Promise<string | null>

export function batchChanges(send: SqliteWriter['change']): ApplyChange {
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

  return async change => {
    const asked = { ...Promise.withResolvers<ChangeResult>(), sent: sender.change(change) }
    if (waiting.length === 0) setImmediate(() => void flush())
    waiting.push(asked)
    const result = await asked.promise
    if (result === 'written') return null
    if (typeof result === 'number') return conditionsOf(change)[result]?.[0] ?? null
    throw new DriverAdapterError(result.cause)
  }
}

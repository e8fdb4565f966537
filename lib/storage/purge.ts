/**
 * Deletes expired rows and erases expired values. NOTE: SQLite has one writer, so rows are deleted in short steps with
 * pauses, and other writes run between them: decision 056.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { purge as limits } from '#lib/config/limits.ts'
import { purgedMetric } from '#lib/ports/aggregates.ts'
import { hourOf } from '#lib/protocol/time.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database, Dialect } from './database.ts'
import { purgedAt, setMeta } from './prisma/configuration/meta.ts'
import { aggregateInsertions } from './prisma/events/aggregates.ts'
import type { PurgeRule } from './store.ts'

/** The time and the abort signal of a purge. `signal`: ends the purge after the current step. */
export type PurgeOptions = { readonly now: Date; readonly signal: AbortSignal }

/**
 * Purges by all rules, or until `signal` aborts. Stores the counts and, unless aborted, the time. Returns the number of
 * deleted rows.
 */
export async function purge(
  database: Database,
  rules: readonly PurgeRule[],
  { now, signal }: PurgeOptions,
): Promise<number> {
  const removed: { readonly label: string; readonly count: number }[] = []
  const began = performance.now()
  for (const rule of rules) {
    if (signal.aborted) break
    const count = await applyRule(database, rule, { now, signal, began })
    if (rule.label !== null && count > 0) removed.push({ label: rule.label, count })
  }
  const counts = removed.map(each => ({ ...each, hour: hourOf(now), metric: purgedMetric }))
  await database.$insertTogether(aggregateInsertions(database.dialect)({ counts }))
  if (!signal.aborted) await setMeta(database, purgedAt, now.toISOString())
  return removed.reduce((sum, { count }) => sum + count, 0)
}

async function applyRule(
  database: Database,
  rule: PurgeRule,
  { now, signal, began }: PurgeOptions & { readonly began: number },
): Promise<number> {
  let removed = 0
  for (let rows: number = limits.rows.first; ; ) {
    const stepBegan = performance.now()
    const step = { now, rows }
    const count = await (rule.remove?.(database, step) ??
      database.$executeRaw(purgeStatement(database.dialect, rule, step)))
    removed += count
    if (count < rows || signal.aborted) return removed
    const ended = performance.now()
    const next = nextStep({ rows, tookMs: ended - stepBegan, runningMs: ended - began })
    await delay(next.pauseMs)
    rows = next.rows
  }
}

type Step = { readonly rows: number; readonly tookMs: number; readonly runningMs: number }

/**
 * Plans the next step. Steps are as large as is possible in a short time, and pauses leave most of the time to other
 * writes. The longer a purge has been running, the shorter its pauses: it must delete rows faster than they expire.
 */
export function nextStep({
  rows,
  tookMs,
  runningMs,
}: Step): Pick<Step, 'rows'> & { readonly pauseMs: number } {
  const { stepMs, longestPauseMs, hurryAfterMs } = limits
  const pauseFactor = limits.pauseFactor / (1 + Math.floor(runningMs / hurryAfterMs))
  const wanted = tookMs > stepMs ? rows / 2 : tookMs < stepMs / 2 ? rows * 2 : rows
  return {
    rows: Math.min(limits.rows.most, Math.max(limits.rows.least, Math.floor(wanted))),
    pauseMs: Math.min(longestPauseMs, tookMs * pauseFactor),
  }
}

/**
 * The statement for one step of a rule. It deletes or erases at most `rows` rows, found by their physical position
 * without a look-up by key. If the rule has an `owner`, it deletes the owners of these rows instead. NOTE: PostgreSQL
 * locks the rows and their owners, and reads rows again that another transaction has changed, so a row whose expiry was
 * extended is kept. It skips locked rows, so two nodes that purge at the same time never wait for each other.
 */
export function purgeStatement(
  dialect: Dialect,
  rule: PurgeRule,
  { now, rows }: { readonly now: Date; readonly rows: number },
): Prisma.Sql {
  const { table, column, condition, owner } = rule
  const place = dialect === 'sqlite' ? 'rowid' : 'ctid'
  const key = owner === undefined ? place : `"${owner.key}"`
  const found = owner === undefined ? place : `"${owner.foreignKey}"`
  const from = owner === undefined ? '' : `JOIN "${owner.table}" ON "${owner.table}".${key} = ${found}`
  const also = condition === undefined ? '' : `AND ${condition}`
  const [before, after] = dialect === 'sqlite' ? ['IN (', ')'] : ['= ANY(ARRAY(', ' FOR UPDATE SKIP LOCKED))']
  const first = `${actionOf(rule)} WHERE ${key} ${before}SELECT ${found} FROM "${table}" ${from} WHERE "${table}"."${column}" <= `
  return Prisma.sql`${Prisma.raw(first)}${rule.until(now)}${Prisma.raw(` ${also} LIMIT `)}${rows}${Prisma.raw(after)}`
}

function actionOf({ table, erases, owner }: PurgeRule): string {
  return erases === undefined
    ? `DELETE FROM "${owner?.table ?? table}"`
    : `UPDATE "${table}" SET ${erases.map(each => `"${each}" = NULL`).join(', ')}`
}

/** Separates the indexes of existing tables from a new migration, because PostgreSQL makes each on its own while others write. */
import { kindOf } from './migration-rules.ts'

/** The statements of a migration for both databases. */
export type Scripts = Readonly<Record<'sqlite' | 'postgresql', string>>

/**
 * Returns the migrations for these statements: those of existing indexes last, each in a separate one. There is one migration if
 * the others are of the kind `contract`, for which all nodes stop.
 */
export function separateIndexes(scripts: Scripts): readonly Scripts[] {
  const created = new Set([...scripts.sqlite.matchAll(/CREATE TABLE "(\w+)"/g)].map(([, table]) => table))
  const isSeparate = (block: string) => {
    const table = /^(?:--.*\n)?CREATE INDEX "\w+" ON "(\w+)"/.exec(block)?.[1]
    return table !== undefined && !created.has(table)
  }
  const blocksOf = (script: string) => script.trim().split(/\n{2,}/)
  const others = (script: string) =>
    blocksOf(script)
      .filter(block => !isSeparate(block))
      .join('\n\n')
  const rest = { sqlite: others(scripts.sqlite), postgresql: others(scripts.postgresql) }
  if (kindOf(rest) === 'contract') return [scripts]
  const indexes = blocksOf(scripts.sqlite).filter(isSeparate)
  return [...(rest.sqlite === '' ? [] : [rest]), ...indexes.map(withConcurrentIndex)].map(endingWithLine)
}

function withConcurrentIndex(sqlite: string): Scripts {
  return { sqlite, postgresql: sqlite.replace('CREATE INDEX ', 'CREATE INDEX CONCURRENTLY IF NOT EXISTS ') }
}

function endingWithLine({ sqlite, postgresql }: Scripts): Scripts {
  return { sqlite: `${sqlite}\n`, postgresql: `${postgresql}\n` }
}

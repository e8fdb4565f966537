/** The rules for migrations: which statements may expand a database while the release before is using it. */
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import type { Migration } from './migration-files.ts'
import { type MigrationKind, readMigrationName, releaseNumber } from './migration-names.ts'

type Product = DatabaseLocation['kind']

/** Names that are lower than this one were given before names contained the kind. */
const firstNameWithKind = '20261127182500'

/** Returns a sentence for each migration that breaks a rule. */
export function migrationProblems(product: Product, migrations: readonly Migration[]): readonly string[] {
  const problems: string[] = []
  let newest = 1
  for (const migration of migrations.filter(({ name }) => name >= firstNameWithKind)) {
    const problem = problemOf(product, migration, newest)
    if (problem !== null) problems.push(`${migration.name} (${product}): ${problem}.`)
    newest = readMigrationName(migration.name)?.release ?? newest
  }
  return problems
}

/** `newest`: the release of the migration before. */
function problemOf(product: Product, { name, script }: Migration, newest: number): string | null {
  const read = readMigrationName(name)
  if (read === null) return 'its name has no release and no kind; npm run migration:new makes names'
  if (read.release < newest || read.release > releaseNumber)
    return `its release must be from ${newest} to ${releaseNumber}`
  return read.kind === 'expand' ? expandProblem(product, script) : null
}

export function kindOf(scripts: Readonly<Record<Product, string>>): MigrationKind {
  const isExpand = (product: Product) => expandProblem(product, scripts[product]) === null
  return isExpand('sqlite') && isExpand('postgresql') ? 'expand' : 'contract'
}

/** Returns why a script does not expand the database only; `null` if it does. */
export function expandProblem(product: Product, script: string): string | null {
  const statements = statementsOf(script)
  const created = new Set(statements.flatMap(statement => nameIn(/^CREATE TABLE "(\w+)"/, statement) ?? []))
  const isAlone = statements.length === 1
  const problem = statements.find(statement => !isExpanding(statement, { product, created, isAlone }))
  return problem === undefined ? null : `the release before cannot work with ${problem.slice(0, 120)}`
}

type Place = {
  readonly product: Product
  /** The tables that the script creates. */
  readonly created: ReadonlySet<string>
  readonly isAlone: boolean
}

const literal = String.raw`(?:'(?:[^']|'')*'|-?\d+(?:\.\d+)?|true|false)`
const column = new RegExp(
  String.raw`^ADD COLUMN\s+"\w+" [A-Z]+(?: PRECISION)?(?:\(\d+(?:,\d+)?\))?(?: COLLATE "C")?(?: NOT NULL(?= DEFAULT))?(?: DEFAULT ${literal})?$`,
)

/**
 * Whether the release before works as before after this statement: it creates tables, columns that statements without them leave
 * empty or at a constant, and indexes that refuse no row and are made while others write.
 */
function isExpanding(statement: string, { product, created, isAlone }: Place): boolean {
  const table = nameIn(/^(?:ALTER TABLE|INSERT INTO|CREATE (?:UNIQUE )?INDEX "\w+" ON) "(\w+)"/, statement)
  if (statement.startsWith('CREATE TABLE ')) return leavesDeletions(statement)
  if (table !== null && created.has(table)) return leavesDeletions(statement)
  if (concurrentIndexOf(statement) !== null) return product === 'postgresql' && isAlone
  if (/^CREATE INDEX "\w+" ON /.test(statement)) return product === 'sqlite'
  const changes = /^ALTER TABLE "\w+" (?<changes>.*)$/s.exec(statement)?.groups?.changes
  return changes?.split(/,\s*(?=ADD )/).every(change => column.test(change)) ?? false
}

/** Whether the earlier release can still delete rows to which a new foreign key refers. */
function leavesDeletions(statement: string): boolean {
  const references = statement.split(/\bREFERENCES\b/).slice(1)
  return references.every(reference =>
    /^[^,]*?(?:\([^)]*\))[^,]*ON DELETE (?:CASCADE|SET NULL)/.test(reference),
  )
}

/** Returns the name of the index that a script creates while others write to its table; `null` for any other script. */
export function concurrentIndexOf(script: string): string | null {
  const [statement = '', ...others] = statementsOf(script)
  if (others.length > 0) return null
  return nameIn(/^CREATE INDEX CONCURRENTLY IF NOT EXISTS "(\w+)" ON /, statement)
}

function nameIn(pattern: RegExp, statement: string): string | null {
  return pattern.exec(statement)?.[1] ?? null
}

/** Returns the statements of a script without comments. */
function statementsOf(script: string): readonly string[] {
  const parts = script.matchAll(/'(?:[^']|'')*'|"[^"]*"|--[^\n]*|;|[^'";-]+|-/g)
  const statements = ['']
  for (const [part] of parts) {
    if (part === ';') statements.push('')
    else if (!part.startsWith('--')) statements.push(`${statements.pop() ?? ''}${part}`)
  }
  return statements.map(statement => statement.trim()).filter(statement => statement !== '')
}

/** Assembles the objects of an export: a row of a main table, with the rows of the other tables as its lists. */
import { getHeapStatistics } from 'node:v8'
import { ConfigError } from '#lib/errors/config-error.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { findJsonFault, parseStrictJson } from '#lib/protocol/text/json-text.ts'
import type { ExportRow } from './row-scanner.ts'

/** A table whose rows belong to rows of a main table. */
export type ChildTable = {
  readonly table: string
  /** The name of the table in an earlier version of the product. */
  readonly earlierName?: string | undefined
  /** The column with the key of the row in the main table. */
  readonly foreignKey: string
  readonly earlierForeignKey?: string
  /** The list that contains the rows in the object, named as in the product's own class. */
  readonly member: string
  /** The column whose value is the entry of the list; absent if the whole row is the entry. */
  readonly value?: string | undefined
}

/** A table whose rows are the objects to import. */
export type MainTable = {
  readonly table: string
  /** The column that its children refer to. */
  readonly key: string
  readonly children: readonly ChildTable[]
}

/** Members by name in lower case without `_`, because naming conventions of databases differ. */
export type Fields = ReadonlyMap<string, unknown>

/** An object of the export. `place`: its position, such as `Clients[3]`. */
export type SourceObject = { readonly place: string; readonly fields: Fields }

/** A row that cannot be read. `problem` is the end of a sentence. */
export type RowProblem = { readonly place: string; readonly problem: string }

export type CollectedExport = {
  /** Returns the objects of a main table in the order of the export, and removes their rows from the other tables. */
  readonly objectsOf: (table: string) => Generator<SourceObject>
  readonly problems: readonly RowProblem[]
  /** Tables that are not read, with the number of their rows. */
  readonly unknown: ReadonlyMap<string, number>
  /**
   * Returns, for each other table, the number of rows that belong to no object. Must be called after all objects were
   * read.
   */
  readonly orphans: () => ReadonlyMap<string, number>
}

/** Returns the name of a column or table in a form that is the same for all naming conventions. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}

type Row = { readonly index: number; readonly text: string }

/**
 * The maximum number of characters of the rows: an eighth of the memory of the process in bytes, because processing the
 * rows needs several times their length.
 */
const mostCharacters = getHeapStatistics().heap_size_limit / 8

/**
 * Collects the rows as text, which is their smallest form. Throws a ConfigError when there are too many: a process that
 * is out of memory crashes, and it can be the running server.
 */
export async function collectExport(
  rows: AsyncIterable<ExportRow>,
  tables: readonly MainTable[],
  most: number = mostCharacters,
): Promise<CollectedExport> {
  let kept = 0
  const mains = byName(tables)
  const children = byName(tables.flatMap(main => main.children))
  const rowsOf = new Map<MainTable, Row[]>()
  const rowsOfChild = new Map<ChildTable, Map<string, Row[]>>()
  const problems: RowProblem[] = []
  const unknown = new Map<string, number>()
  for await (const { table, index, line, text } of rows) {
    const main = mains.get(plainName(table))
    const child = children.get(plainName(table))
    const owner = main ?? child
    const parsed = owner === undefined ? null : readRow({ place: `${owner.table}[${index}]`, line, text })
    kept += owner === undefined ? 0 : (text?.length ?? 0)
    if (kept > most) throw new ConfigError(tooLarge)
    if (parsed === null) unknown.set(table, (unknown.get(table) ?? 0) + 1)
    else if ('problem' in parsed) problems.push(parsed)
    else if (main !== undefined && noList(main, parsed.fields) !== undefined)
      problems.push({
        place: `${main.table}[${index}]`,
        problem: `has no list as ${noList(main, parsed.fields)}`,
      })
    else if (main !== undefined) listed(rowsOf, main).push({ index, text: parsed.text })
    else if (child !== undefined) {
      const groups = rowsOfChild.get(child) ?? new Map<string, Row[]>()
      rowsOfChild.set(child, groups)
      listed(groups, ownerIn(parsed.fields, child)).push({ index, text: parsed.text })
    }
  }
  return {
    problems,
    unknown,
    *objectsOf(table) {
      const main = tables.find(one => one.table === table)
      if (main === undefined) return
      for (const { index, text } of rowsOf.get(main) ?? [])
        yield {
          place: `${table}[${index}]`,
          fields: withChildren(main, fieldsOf(JSON.parse(text)), rowsOfChild),
        }
    },
    orphans: () => {
      const counts = [...rowsOfChild].map(
        ([child, groups]) => [child.table, [...groups.values()].flat().length] as const,
      )
      return new Map(counts.filter(([, count]) => count > 0))
    },
  }
}

/** Returns the key of the row in the main table that a child row belongs to. */
function ownerIn(fields: Fields, { foreignKey, earlierForeignKey = foreignKey }: ChildTable): string {
  return keyOf(fields.get(plainName(foreignKey)) ?? fields.get(plainName(earlierForeignKey)))
}

const tooLarge =
  'The export is too large for the memory of the process. Stop the server, and run the import with a larger NODE_OPTIONS=--max-old-space-size.'

function byName<T extends MainTable | ChildTable>(tables: readonly T[]): ReadonlyMap<string, T> {
  return new Map(tables.flatMap(one => namesOf(one).map(name => [name, one] as const)))
}

/** The names of a table, each in the form of `plainName`. */
export function namesOf({ table, earlierName = table }: Pick<ChildTable, 'table' | 'earlierName'>) {
  return [table, earlierName].map(plainName)
}

/** Returns the first member that must be a list and is not. Properties are ignored, because they are not read. */
function noList({ children }: MainTable, fields: Fields): string | undefined {
  const isOther = (value: unknown) => value !== undefined && value !== null && !Array.isArray(value)
  const wrong = children.find(
    ({ member }) => member !== 'Properties' && isOther(fields.get(plainName(member))),
  )
  return wrong?.member
}

function listed<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

type PlacedRow = Pick<ExportRow, 'line' | 'text'> & { readonly place: string }
type ReadRow = RowProblem | { readonly text: string; readonly fields: Fields }

function readRow({ place, line, text }: PlacedRow): ReadRow {
  const refuse = (problem: string) => ({
    place,
    problem: line === null ? problem : `${problem} (line ${line})`,
  })
  if (text === null) return refuse('is longer than a million characters')
  try {
    const parsed = parseStrictJson(text)
    if ('repeatedKey' in parsed) return refuse(`names ${JSON.stringify(parsed.repeatedKey)} twice`)
    if (!isRecord(parsed.value)) return refuse('is not an object')
    const fields = fieldsOf(parsed.value)
    const other = Object.entries(parsed.value).find(([name, value]) => fields.get(plainName(name)) !== value)
    if (other === undefined) return { text, fields }
    return refuse(`has two values for ${JSON.stringify(other[0])}, under names that mean the same`)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const { position, problem } = findJsonFault(text) ?? { position: 0, problem: 'this is not JSON' }
    return refuse(`is not JSON, at its character ${position + 1}: ${problem}`)
  }
}

/** Returns the fields of a row, or of an entry of a list. */
export function fieldsOf(row: unknown): Fields {
  return new Map(isRecord(row) ? Object.entries(row).map(([name, value]) => [plainName(name), value]) : [])
}

/**
 * Adds the child rows to an object and removes them from `rowsOfChild`, so that the remaining rows belong to no object.
 */
function withChildren(
  { key, children }: MainTable,
  fields: Fields,
  rowsOfChild: ReadonlyMap<ChildTable, Map<string, Row[]>>,
): Fields {
  const complete = new Map(fields)
  const ownKey = keyOf(fields.get(plainName(key)))
  for (const child of children) {
    const groups = rowsOfChild.get(child)
    const rows = groups?.get(ownKey)
    if (rows === undefined) continue
    groups?.delete(ownKey)
    const entries = rows.map(({ text }): unknown => {
      const entry: unknown = JSON.parse(text)
      return child.value === undefined ? entry : fieldsOf(entry).get(plainName(child.value))
    })
    complete.set(plainName(child.member), entries)
  }
  return complete
}

/**
 * Converts a key to a text in lower case, because exports differ in the letter case of GUIDs, and have a text where a
 * number would be too long.
 */
function keyOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : ''
}

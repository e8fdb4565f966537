/** Reads the SQL of the documentation, and emulates SQL Server on the rows of a PostgreSQL database. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type pg from 'pg'

const document = readFileSync(new URL('../../../docs/import-identityserver.md', import.meta.url), 'utf8')

/** The statements by their title, such as `PostgreSQL, IdentityServer3`. */
export const documentedStatements: ReadonlyMap<string, string> = new Map(
  [...document.matchAll(/```sql\n-- (.+)\n([^`]+)```/g)].map(([, title = '', statement = '']) => [
    title,
    statement,
  ]),
)

export function documentedStatement(title: string): string {
  return documentedStatements.get(title) ?? assert.fail(`the documentation has no statement for ${title}`)
}

/** Returns the parameters that the documented `psql` command adds to the address of a database. */
export function documentedParameters(): string {
  const [, parameters] = /^psql .*"postgresql:[^?"]+\?([^"]+)"$/m.exec(document) ?? []
  return parameters ?? assert.fail('the documentation has no psql command')
}

/** Returns a statement for IdentityServer4 with the changes that the documentation lists for its versions before 4. */
export function beforeVersion4(statement: string): string {
  const [, sentence = ''] = /^Before version 4 of IdentityServer4, (.+?):/ms.exec(document) ?? []
  const replaced = [...sentence.matchAll(/`(\w+)` was\s+`(\w+)`/g)]
  const [, missing] = /there is no `(\w+)`/.exec(sentence) ?? []
  assert.equal(replaced.length, 3)
  assert.ok(missing)
  const remaining = statement.split('\n').filter(line => !line.includes(missing))
  return replaced.reduce((text, [, now = '', then = '']) => text.replaceAll(now, then), remaining.join('\n'))
}

type Column = { readonly name: string; readonly dataTypeID: number }

/** The number of characters in one row of SQL Server's result. */
const partLength = 2033

/**
 * Returns the result of a documented statement for SQL Server in rows, as `FOR JSON PATH` writes it: each subquery is a
 * list, a subquery without rows is NULL and its member is left out, `/` is escaped, and GUIDs are in upper case.
 */
export async function forJson(database: pg.Client, statement: string): Promise<readonly string[]> {
  const [, ...lines] = statement.trim().split('\n')
  assert.equal(lines.pop(), 'FOR JSON PATH, WITHOUT_ARRAY_WRAPPER')
  const members: string[] = []
  for (const [index, line] of lines.entries()) {
    const [, columns = '', table = '', name, comma] =
      /^ {2}\(SELECT \*(.*) FROM \[(\w+)\] FOR JSON PATH, INCLUDE_NULL_VALUES\) AS \[(\w+)\](,?)$/.exec(
        line,
      ) ?? assert.fail(line)
    assert.deepEqual([name, comma], [table, index === lines.length - 1 ? '' : ','])
    const rows = await rowsOf(database, table, columns)
    if (rows.length > 0) members.push(`${jsonText(table)}:[${rows.join(',')}]`)
  }
  const all = `{${members.join(',')}}`
  return Array.from({ length: Math.ceil(all.length / partLength) }, (_, part) =>
    all.slice(part * partLength, (part + 1) * partLength),
  )
}

async function rowsOf(database: pg.Client, table: string, columns: string): Promise<readonly string[]> {
  const asText = { getTypeParser: () => (value: string) => value }
  const { rows, fields } = await database.query<Record<string, string | null>>({
    text: `SELECT * FROM "${table}"`,
    types: asText,
  })
  const typeColumns = typesIn(columns, fields)
  return rows.map(row => {
    const own = fields.map(field => `${jsonText(field.name)}:${valueText(row[field.name] ?? null, field)}`)
    return `{${[...own, ...typeColumns].join(',')}}`
  })
}

/** Returns the additional column of a statement as a member: the type of a column. */
function typesIn(columns: string, fields: readonly Column[]): readonly string[] {
  if (columns === '') return []
  const [, column, name = ''] =
    /^, CONVERT\(nvarchar\(128\), SQL_VARIANT_PROPERTY\(\[(\w+)\], 'BaseType'\)\) AS \[(\w+)\]$/.exec(
      columns,
    ) ?? assert.fail(columns)
  const { dataTypeID } = fields.find(field => field.name === column) ?? assert.fail(column)
  return [`${jsonText(name)}:${jsonText(dataTypeID === types.uuid ? 'uniqueidentifier' : 'nvarchar')}`]
}

const types = {
  boolean: 16,
  bigint: 20,
  smallint: 21,
  integer: 23,
  timestamp: 1114,
  timestamptz: 1184,
  uuid: 2950,
}
const numbers: readonly number[] = [types.bigint, types.smallint, types.integer]

function valueText(value: string | null, { dataTypeID: type }: Column): string {
  if (value === null) return 'null'
  if (numbers.includes(type)) return value
  if (type === types.boolean) return value === 't' ? 'true' : 'false'
  if (type === types.uuid) return jsonText(value.toUpperCase())
  if (type === types.timestamp) return jsonText(value.replace(' ', 'T'))
  if (type === types.timestamptz) return jsonText(offsetTime(value))
  return jsonText(value)
}

/** Formats a `datetimeoffset`, in which UTC is `Z`. */
function offsetTime(value: string): string {
  const [, time = '', offset = ''] = /^(.+)([+-].+)$/.exec(value.replace(' ', 'T')) ?? assert.fail(value)
  return offset === '+00' ? `${time}Z` : `${time}${offset.length === 3 ? `${offset}:00` : offset}`
}

function jsonText(text: string): string {
  return JSON.stringify(text).replaceAll('/', '\\/')
}

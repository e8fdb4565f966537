/** Names statements for traces, by what they do and to which table. */
import type { Change, Statement } from './statement.ts'

const names = new WeakMap<Statement, string>()

/** Returns the name of a statement, such as `SELECT User`. It is made once from the text, which has no values. */
export function statementName(statement: Statement): string {
  const known = names.get(statement)
  if (known !== undefined) return known
  const [verb = 'SELECT'] = /\b(?:SELECT|INSERT|UPDATE|DELETE)\b/.exec(statement.sql) ?? []
  const [, table = ''] = /\b(?:FROM|INTO|UPDATE)\s+"(\w+)"/.exec(statement.sql) ?? []
  const name = `${verb} ${table}`.trim()
  names.set(statement, name)
  return name
}

/** Returns the name of a transaction, which is the name of its first write. */
export function changeName({ writes }: Change): string {
  const [first] = writes
  return first === undefined ? 'SELECT' : statementName(first[0])
}

/** Stored records in the format of the API: the same names in snake case, and times as text. */
import type { z } from 'zod'

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** What a record has for a value of its view. */
type Stored<Value> = Value extends string
  ? Value | Date
  : Value extends (infer Item)[]
    ? readonly Item[]
    : Value

type RecordOf<View> = {
  readonly [Name in keyof View as CamelCase<Name & string>]: Stored<View[Name]>
}

/**
 * The fields of `schema`, from the record; those that it has in another form or under another name, from `own`. NOTE: the types
 * compare them with the schema, and nothing parses them again: a value that a newer release stored must not hide a whole list.
 */
export function viewOf<S extends z.ZodObject, Own extends Partial<z.output<S>>>(
  schema: S,
  record: RecordOf<Omit<z.output<S>, keyof Own>>,
  own: Own,
): z.output<S> {
  const fields = Object.keys(schema.shape).map(name => {
    const value: unknown = Object.hasOwn(own, name) ? own[name] : Reflect.get(record, camelCase(name))
    return [name, value instanceof Date ? value.toISOString() : value]
  })
  return Object.fromEntries(fields) as z.output<S>
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
}

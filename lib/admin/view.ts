/** Converts stored records to the format of the API: names in snake case, and times as text. */
import type { z } from 'zod'

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** The type that a record has for a value of the view. */
type Stored<Value> = Value extends string
  ? Value | Date
  : Value extends (infer Item)[]
    ? readonly Item[]
    : Value

type RecordOf<View> = {
  readonly [Name in keyof View as CamelCase<Name & string>]: Stored<View[Name]>
}

/**
 * Builds a view from `record`. `own` contains the members that the record does not have in this form. NOTE: TypeScript
 * compares the types with the schema, but values are not parsed: one value of a newer release must not make a whole
 * list fail.
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

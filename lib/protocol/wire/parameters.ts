import { parameterLengths, unknownParameterLength } from '#lib/config/limits.ts'

/** The parameters of one protocol request, from a query or a form. */
export type Parameters = {
  /** The value, the first of several; `null` when it is absent or empty, which are the same (RFC 6749 3.1). */
  readonly one: (name: string) => string | null
  /** All values as they were sent, in order, empty ones included. */
  readonly all: (name: string) => readonly string[]
  /** Each name once, in the order of the request. */
  readonly names: readonly string[]
}

export function parametersOf(pairs: Iterable<readonly [name: string, value: string]>): Parameters {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [value])
    else earlier.push(value)
  }
  return {
    one: name => values.get(name)?.find(value => value !== '') ?? null,
    all: name => values.get(name) ?? [],
    names: [...values.keys()],
  }
}

/** The same from an object, each name once. */
export function parametersFrom(values: Readonly<Record<string, string>>): Parameters {
  return parametersOf(Object.entries(values))
}

/** The maximum length of a parameter, in characters. */
export function parameterLimit(name: string): number {
  const limit = Object.hasOwn(parameterLengths, name) ? parameterLengths[name] : undefined
  return limit ?? unknownParameterLength
}

export function isTooLong(name: string, value: string): boolean {
  return value.length > parameterLimit(name)
}

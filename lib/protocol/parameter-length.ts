import { parameterLengths, unknownParameterLength } from '#lib/config/limits.ts'

/** Whether a parameter is longer than its limit in `limits.ts`. */
export function isTooLong(name: string, value: string): boolean {
  const limit = Object.hasOwn(parameterLengths, name) ? parameterLengths[name] : undefined
  return value.length > (limit ?? unknownParameterLength)
}

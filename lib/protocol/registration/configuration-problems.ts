/** Converts problems of a configuration to sentences for the operator. */
import type { z } from 'zod'
import { meantName } from '../text/similar-names.ts'

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/** Returns the message of a rule whose schema has none. `undefined` keeps the message of the library. */
export function plainMessage(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(issue.expected, issue.input)
    case 'invalid_value':
      return wordProblem(issue.values.map(String), issue.input)
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum)
    case 'too_big':
      return tooBig(issue.origin, issue.maximum)
    case 'invalid_format':
      return 'is not of the right form'
    case 'invalid_key':
      return 'contains a name that is empty or too long'
    case 'unrecognized_keys':
      return `contains the unknown ${issue.keys.map(key => JSON.stringify(key)).join(', ')}`
    case 'invalid_union':
      return 'has none of the forms it may have'
    default:
      return undefined
  }
}

/** Describes a problem: `clients[2].redirect_uris[0]: must not have a fragment.` */
export function describeProblem(issue: Issue): readonly string[] {
  const inner = fittingForm(issue)
  if (inner !== null) return inner.flatMap(describeProblem)
  return [sentence(`${placeInFile(issue.path) || 'the file'}: ${issue.message}`)]
}

export function placeInFile(path: readonly PropertyKey[]): string {
  const steps = path.map(step => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  return steps.join('').replace(/^\./, '')
}

export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** Returns the issues of the allowed form that was probably meant: the one whose outermost type matches. */
function fittingForm(issue: Issue): readonly Issue[] | null {
  if (issue.code !== 'invalid_union') return null
  const form = issue.errors.find(
    errors => !errors.some(error => error.code === 'invalid_type' && error.path.length === 0),
  )
  return form?.map(error => ({ ...error, path: [...issue.path, ...error.path] })) ?? null
}

const shapes: Readonly<Record<string, string>> = {
  string: 'a text in double quotes',
  number: 'a number without quotes',
  int: 'a whole number without quotes',
  boolean: 'true or false, without quotes',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
}

function typeProblem(expected: string, input: unknown): string {
  if (input === undefined) return 'is missing'
  const shape = shapes[expected] ?? `of type ${expected}`
  if (expected === 'int' && typeof input === 'number') return 'must be a whole number'
  return input === null ? `must be ${shape}, or be left out` : `must be ${shape}`
}

function wordProblem(words: readonly string[], input: unknown): string {
  if (input === undefined) return 'is missing'
  const list = words.map(word => `"${word}"`).join(', ')
  if (typeof input !== 'string' || input === '') return `must be one of ${list}`
  const meant = meantName(input, words)
  const shown = JSON.stringify(input.slice(0, 60))
  return `${shown} is not known; ${meant === null ? `use one of ${list}` : `did you mean "${meant}"?`}`
}

function tooSmall(origin: string, minimum: number | bigint): string {
  if (origin === 'string')
    return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} characters`
  return origin === 'array' ? `must have at least ${minimum} entries` : `must be at least ${minimum}`
}

function tooBig(origin: string, maximum: number | bigint): string {
  if (origin === 'string') return `must not be longer than ${maximum} characters`
  return origin === 'array' ? `must not have more than ${maximum} entries` : `must be at most ${maximum}`
}

/**
 * Parses JSON and finds the faults in it. Parsers differ in which of two equal keys they use (RFC 8259 4), so strict
 * JSON has no repeated keys.
 */
import { jsonDepth } from '#lib/config/limits.ts'
import type { JsonValue } from '../claims.ts'

/** Parses JSON; `undefined` if the text is invalid. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the parsed value, or the first duplicate key of an object. Throws a SyntaxError for invalid or too deeply
 * nested JSON.
 */
export function parseStrictJson(
  text: string,
): { readonly value: JsonValue } | { readonly repeatedKey: string } {
  const value: JsonValue = JSON.parse(text)
  const fault = findJsonFault(text)
  if (fault === null) return { value }
  if (fault.repeatedKey === undefined) throw new SyntaxError(fault.problem)
  return { repeatedKey: fault.repeatedKey }
}

type JsonFault = {
  /** The position, counted from 0. */
  readonly position: number
  /** The end of a sentence about that place. It never quotes a value. */
  readonly problem: string
  /** The name of the key, if it is repeated. */
  readonly repeatedKey?: string
}

type Reader = { readonly text: string; at: number; depth: number }

const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 7 forbids them unescaped
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: ends before one
const textStart = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y

/** Matches common beginnings of YAML documents, after comments; no JSON begins like this. */
const yaml = /^(?:[ \t]*#.*\r?\n|[ \t]*\r?\n)*(?:---\s|%YAML|- |[A-Za-z_][\w-]*:(?:\s|$))/

/** Returns the first fault of a text, or the first duplicate key of an object; `null` for strict JSON. */
export function findJsonFault(text: string): JsonFault | null {
  const reader = { text, at: 0, depth: 0 }
  if (yaml.test(text)) return fault(reader, 'this looks like YAML; write it as JSON')
  return value(reader, '') ?? ending(reader)
}

/** Returns the line and the column of a position, both counted from 1. */
export function placeInText(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}

function value(reader: Reader, path: string): JsonFault | null {
  const next = peek(reader)
  if (next === '{' || next === '[') return nested(reader, path, next === '{' ? object : list)
  if (next === '"') return textValue(reader)
  return take(reader, literal) === null ? fault(reader, wrongValue(reader)) : null
}

function nested(reader: Reader, path: string, read: typeof object): JsonFault | null {
  if (reader.depth === jsonDepth) return fault(reader, `more than ${jsonDepth} brackets are open`)
  reader.depth++
  const wrong = read(reader, path)
  reader.depth--
  return wrong
}

function object(reader: Reader, path: string): JsonFault | null {
  const keys = new Set<string>()
  const start = reader.at++
  if (peek(reader) === '}') return past(reader)
  for (;;) {
    const wrong = key(reader, path, keys)
    if (wrong !== null) return wrong
    const ended = afterEntry(reader, start, '}')
    if (ended !== 'more') return ended
  }
}

function list(reader: Reader, path: string): JsonFault | null {
  const start = reader.at++
  if (peek(reader) === ']') return past(reader)
  for (let index = 0; ; index++) {
    const wrong = value(reader, `${path}[${index}]`)
    if (wrong !== null) return wrong
    const ended = afterEntry(reader, start, ']')
    if (ended !== 'more') return ended
  }
}

function key(reader: Reader, path: string, keys: Set<string>): JsonFault | null {
  if (peek(reader) !== '"') return fault(reader, unexpected(reader, 'a name in double quotes'))
  const start = reader.at
  const wrong = textValue(reader)
  if (wrong !== null) return wrong
  const name: string = JSON.parse(reader.text.slice(start, reader.at))
  const place = path === '' ? name : `${path}.${name}`
  if (keys.has(name))
    return { position: start, problem: `the key "${place.slice(-200)}" appears twice`, repeatedKey: name }
  keys.add(name)
  if (peek(reader) !== ':') return missing(reader, 'a colon')
  reader.at++
  return value(reader, place)
}

/** Reads the character after an entry. `start`: the place of the bracket that `end` closes. */
function afterEntry(reader: Reader, start: number, end: '}' | ']'): JsonFault | null | 'more' {
  const next = peek(reader)
  if (next === end) return past(reader)
  if (next !== ',') {
    const line = reader.text.slice(0, start).split('\n').length
    return missing(reader, `a comma, or "${end}" for the "${reader.text[start]}" of line ${line},`)
  }
  const comma = reader.at
  reader.at++
  if (peek(reader) !== end) return 'more'
  return { position: comma, problem: `remove this comma: nothing follows it before the "${end}"` }
}

function textValue(reader: Reader): JsonFault | null {
  const { text, at } = reader
  if (take(reader, string) !== null) return null
  textStart.lastIndex = at
  const position = at + (textStart.exec(text)?.[0] ?? '').length
  const wrong = text[position] ?? '\n'
  if (wrong === '\\') return { position, problem: 'write a backslash as "\\\\"' }
  if (/[\r\n]/.test(wrong)) return fault(reader, 'the text that begins here is not closed in its line')
  return { position, problem: 'write a control character as an escape, such as "\\t"' }
}

function ending(reader: Reader): JsonFault | null {
  return peek(reader) === ''
    ? null
    : fault(reader, foreign(reader) ?? 'nothing may follow the end of the document')
}

/** Returns a fault at the end of the previous entry or name, which can be some lines before the next character. */
function missing(reader: Reader, wanted: string): JsonFault {
  const other = foreign(reader)
  if (other !== null) return fault(reader, other)
  return { position: reader.text.slice(0, reader.at).trimEnd().length, problem: endOr(reader, wanted) }
}

function unexpected(reader: Reader, wanted: string): string {
  return foreign(reader) ?? endOr(reader, wanted)
}

function wrongValue(reader: Reader): string {
  const next = reader.text.charAt(reader.at)
  if (/[\d.+-]/.test(next)) return 'this is not a number as JSON has it'
  return /[\p{L}_]/u.test(next) ? 'put texts into double quotes' : unexpected(reader, 'a value')
}

function endOr({ text, at }: Reader, wanted: string): string {
  return text.length === at ? `the file ends, but ${wanted} is missing` : `${wanted} is missing`
}

/** Returns advice about comments and single quotes, which other languages allow. */
function foreign({ text, at }: Reader): string | null {
  const next = text.slice(at, at + 2)
  if (next === '//' || next === '/*' || next.startsWith('#')) return 'remove this comment: JSON has none'
  return next.startsWith("'") ? 'put names and texts into double quotes' : null
}

/** Returns the next character that is not a space; `''` at the end. */
function peek(reader: Reader): string {
  while (/[ \t\r\n]/.test(reader.text.charAt(reader.at))) reader.at++
  return reader.text.charAt(reader.at)
}

function past(reader: Reader): null {
  reader.at++
  return null
}

function take(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)?.[0] ?? null
  if (found !== null) reader.at += found.length
  return found
}

function fault({ at }: Reader, problem: string): JsonFault {
  return { position: at, problem }
}

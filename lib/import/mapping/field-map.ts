/** Converts the fields of another server: one rule for each field, in a table. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import { type Fields, fieldsOf, plainName } from '../source/tables.ts'

export type Document = Readonly<Record<string, JsonValue>>

/**
 * A note about a field. `kept`: a setting keeps the old behavior. `changed`: the behavior differs from now on.
 * `left_out`: a part is not imported. `refused`: the whole object is not imported. `text` is a sentence without its
 * final period.
 */
export type Note = {
  readonly kind: 'kept' | 'changed' | 'left_out' | 'refused'
  readonly field: string
  readonly text: string
}

export function note(kind: Note['kind'], field: string, sentence: string): Note {
  return { kind, field, text: sentence }
}

export type Reading = { readonly fields?: Document; readonly notes?: readonly Note[] }

export type FieldRule = {
  /** The name in the class of the product. */
  readonly field: string
  /** Other names of the field: in the tables of the product's store, or in earlier versions. */
  readonly aliases?: readonly string[]
  /** The fields of this server that get the value; empty: there are none. */
  readonly becomes: readonly string[]
  /** An explanation for the guide, if the names are not sufficient. */
  readonly why?: string
  readonly read: (value: unknown, all: Fields) => Reading
}

/** A value of the wrong form. The message is the end of a sentence about the field. */
export class WrongValue extends Error {}

export type Mapped = { readonly document: Document; readonly notes: readonly Note[] }

/** Converts an object by its table of rules. A value of the wrong form is noted as a refusal. */
export function mapFields(rules: readonly FieldRule[], all: Fields): Mapped {
  const notes: Note[] = []
  let document: Document = {}
  for (const rule of rules) {
    try {
      const reading = rule.read(fieldIn(all, rule.field, ...(rule.aliases ?? [])), all)
      document = { ...document, ...reading.fields }
      notes.push(...(reading.notes ?? []))
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      notes.push(note('refused', rule.field, error.message))
    }
  }
  return { document, notes }
}

/** Returns the names of fields that have a value and no rule. */
export function unreadNames(rules: readonly FieldRule[], all: Fields): readonly string[] {
  const known = new Set(rules.flatMap(({ field, aliases = [] }) => [field, ...aliases]).map(plainName))
  return [...all].filter(([name, value]) => !known.has(name) && isValue(value)).map(([name]) => name)
}

/**
 * Returns the first value under one of these names; `null` if there is none. The text `NULL` is not a value: tools
 * write it into CSV, which is then converted to JSON.
 */
export function fieldIn(all: Fields, ...names: readonly string[]): unknown {
  return names.map(name => all.get(plainName(name)) ?? null).find(isValue) ?? null
}

function isValue(value: unknown): boolean {
  return value !== null && value !== 'NULL'
}

type Read<T> = (value: unknown) => T

/** Extends a reader: a field that is missing, or empty as in CSV, has the value `fallback`. */
export function or<T>(read: Read<T>, fallback: T): Read<T> {
  return value => (value === null || value === '' ? fallback : read(value))
}

/** Reads a Boolean. Databases without this type export 0 and 1, other tools texts. */
export const flag: Read<boolean> = value => {
  const word = plainWord(value)
  const isTrue = ['true', 't', '1'].includes(word)
  if (isTrue || ['false', 'f', '0'].includes(word)) return isTrue
  throw new WrongValue('must be true or false')
}

function plainWord(value: unknown): string {
  return typeof value === 'object' ? '' : String(value).toLowerCase()
}

export const text: Read<string> = value => {
  if (typeof value === 'string') return value
  throw new WrongValue('must be a text')
}

export const wholeNumber: Read<number> = value => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw new WrongValue('must be a whole number')
}

export const list: Read<readonly unknown[]> = value => {
  if (Array.isArray(value)) return value
  throw new WrongValue('must be a list')
}

export const texts: Read<readonly string[]> = value => [...new Set(list(value).map(text))]

/** Reads a binary column: in base64, as `FOR JSON` and JSON serializers write it, or in hexadecimal. */
export const base64: Read<string> = value => {
  const [, digits] = /^(?:0x|\\x)((?:[0-9a-f]{2})+)$/i.exec(text(value)) ?? []
  return digits === undefined ? text(value) : Buffer.from(digits, 'hex').toString('base64')
}

/** PostgreSQL's names for the largest and smallest time of .NET. */
const extremes: ReadonlyMap<string, string> = new Map([
  ['infinity', '9999-12-31T23:59:59.999Z'],
  ['-infinity', '0001-01-01T00:00:00.000Z'],
])

/**
 * Reads a time: a date and time, in UTC if there is no zone; milliseconds in UTC, as an older serializer of .NET writes
 * them; or one of `extremes`.
 */
export const time: Read<Date> = value => {
  const extreme = extremes.get(text(value))
  if (extreme !== undefined) return new Date(extreme)
  const [, milliseconds] = /^\\?\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\\?\/$/.exec(text(value)) ?? []
  if (milliseconds !== undefined) return new Date(Math.min(Number(milliseconds), 253_402_300_799_999))
  const [, day, hours = '', sign = '', hour = '00', minute = '00'] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,7})?)(?:Z|([+-])(\d\d):?(\d\d)?)?$/.exec(text(value)) ??
    []
  const read = new Date(`${day}T${hours.slice(0, 12)}${sign === '' ? 'Z' : `${sign}${hour}:${minute}`}`)
  if (day !== undefined && !Number.isNaN(read.getTime())) return read
  throw new WrongValue('must be a time such as "2027-01-31T12:00:00Z"')
}

/** Reads a value of an enumeration, which is a number or a name. */
export function oneOf<Name extends string>(names: readonly Name[]): Read<Name> {
  return value => {
    const byNumber =
      typeof value === 'number' || /^\d$/.test(String(value)) ? names[Number(value)] : undefined
    const found = byNumber ?? names.find(name => name.toLowerCase() === String(value).toLowerCase())
    if (found === undefined) throw new WrongValue(`must be one of ${names.join(', ')}`)
    return found
  }
}

/** Reads a Boolean field, for rules that read several fields. */
export function flagIn(all: Fields, field: string, otherwise: boolean): boolean {
  return or(flag, otherwise)(fieldIn(all, field))
}

/** Reads a field with a list of texts, for rules that read several fields. Empty if the field is missing. */
export function textsIn(all: Fields, field: string): readonly string[] {
  return or(texts, [])(fieldIn(all, field))
}

/**
 * Groups rows by a text in one of their columns, such as the type of a claim, which has a row for each of its values.
 */
export function groupedBy(
  rows: unknown,
  ...columns: readonly string[]
): ReadonlyMap<string, readonly Fields[]> {
  return Map.groupBy(list(rows ?? []).map(fieldsOf), row => text(fieldIn(row, ...columns)))
}

/** Returns the value of a claim; several values are a list. */
export function claimValue(values: readonly JsonValue[]): JsonValue {
  const [first = '', ...others] = values
  return others.length === 0 ? first : values
}

type Copy<T extends JsonValue> = {
  readonly otherwise?: T
  readonly aliases?: readonly string[]
  readonly why?: string
}

/**
 * The rule for a field that is copied. `otherwise`: the default of the other server; without it, `read` also gets the
 * missing value.
 */
export function copied<T extends JsonValue>(
  field: string,
  ours: string,
  read: Read<T>,
  { otherwise, ...more }: Copy<T> = {},
): FieldRule {
  const complete = otherwise === undefined ? read : or(read, otherwise)
  return { field, becomes: [ours], read: value => ({ fields: { [ours]: complete(value) } }), ...more }
}

/** The rule for an optional text for display, which becomes one line. */
export function optional(field: string, ours: string): FieldRule {
  return {
    field,
    becomes: [ours],
    read: value => {
      const given = or(text, '')(value)
      const line = given.replace(/\s*[\r\n\t]\s*/g, ' ').trim()
      return line === '' ? {} : { fields: { [ours]: line } }
    },
  }
}

type Limited = {
  readonly otherwise: number
  readonly longest: number
  /** Whether 0 means no limit in the other server. */
  readonly isZeroUnlimited?: (all: Fields) => boolean
}

/** The rule for a lifetime. It is reduced to `longest`, and is at least one second. */
export function lifetime(
  field: string,
  ours: string,
  { otherwise, longest, isZeroUnlimited = () => false }: Limited,
): FieldRule {
  return {
    field,
    becomes: [ours],
    why: `at most ${longest} seconds`,
    read: (value, all) => {
      const given = or(wholeNumber, otherwise)(value)
      const seconds = given === 0 && isZeroUnlimited(all) ? Number.POSITIVE_INFINITY : given
      const cut = Math.min(Math.max(seconds, 1), longest)
      const there = Number.isFinite(seconds) ? `is ${seconds} seconds` : 'is 0, without a limit,'
      const cutText = `${there} there; here it is ${cut} ${cut === 1 ? 'second' : 'seconds'}, the ${seconds > cut ? 'most' : 'least'} that "${ours}" may be`
      return {
        fields: { [ours]: cut },
        notes: seconds === cut ? [] : [note('changed', field, cutText)],
      }
    },
  }
}

type Gone = { readonly aliases?: readonly string[]; readonly why: string }

/** The rule for a field without a counterpart. The report mentions it unless it is missing or one of `harmless`. */
export function gone(field: string, harmless: readonly unknown[], { why, aliases = [] }: Gone): FieldRule {
  return {
    field,
    aliases,
    becomes: [],
    why,
    read: value => {
      const isHarmless = value === null || harmless.map(plainWord).includes(plainWord(value))
      return { notes: isHarmless ? [] : [note('changed', field, why)] }
    },
  }
}

/** The rule for a field that does not affect behavior, such as the key or a date of a row. */
export function internal(field: string): FieldRule {
  return readElsewhere(field, [], 'only for its own store')
}

/** The rule for a field that another rule or function reads. */
export function readElsewhere(field: string, becomes: readonly string[], why?: string): FieldRule {
  return { field, becomes, ...(why === undefined ? {} : { why }), read: () => ({}) }
}

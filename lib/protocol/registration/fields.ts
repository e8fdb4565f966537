/**
 * Parts of the registration schemas: strict objects, displayed texts, web addresses, lifetimes, and texts about fields.
 */
import { z } from 'zod'
import { unknownName } from '../text/similar-names.ts'
import { sentence } from './configuration-problems.ts'

/** Matches control characters and marks that reverse or hide text, so that names cannot contain them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const disguising = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

/** An object that refuses unknown fields; the message suggests a known one. */
export function strictFields<S extends z.core.$ZodLooseShape>(
  what: string,
  fields: S,
): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(fields, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map(key => sentence(unknownName(key, what, Object.keys(fields)))).join(' ')
        : undefined,
  })
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Text that is shown to users. */
export function displayTextSchema(longest: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(longest)
    .refine(text => !disguising.test(text), 'must not contain control or direction characters')
    .refine(text => text.isWellFormed(), 'must be valid Unicode')
}

/** An address that users can be sent to or shown: http or https. */
export const webAddressSchema = z
  .string()
  .max(2000)
  .refine(
    text => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be an http or https address',
  )

/** A browser origin as the `Origin` header writes it. */
export const originSchema = z
  .string()
  .max(300)
  .refine(
    text => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text,
    'must be an origin such as "https://app.example": no path, no trailing slash, lower case',
  )

/** A lifetime in whole seconds from 1 to `longest`. */
export function lifetimeSchema(longest: number): z.ZodNumber {
  return z.number().int('must be a whole number of seconds').min(1).max(longest)
}

/**
 * The text about a field on forms, in the JSON Schema and in the documents. It is written next to the field's schema.
 */
export type FieldText = {
  /** The label of its control. */
  readonly label: string
  /** The explanation: one or two sentences in plain text. */
  readonly help: string
  /** The heading of its group on the form; a field without one is not on the form, or is in a separate place. */
  readonly group?: string
  /** The labels of the choices, by their value on the wire. */
  readonly choices?: Readonly<Record<string, string>>
  /** The meaning of a missing value. */
  readonly absent?: string
}

const texts = z.registry<FieldText>()

/** The labels of formats, for the field of clients and that of scopes. */
export const accessTokenFormatLabels = {
  rfc9068: 'RFC 9068',
  'rfc9068-jwt': 'RFC 9068 with typ JWT',
  identityserver3: 'IdentityServer3',
} as const

/** Adds the text to a schema. The JSON Schema has the text as its description. */
export function described<S extends z.ZodType>(schema: S, text: FieldText): S {
  const copy = schema.describe(
    text.absent === undefined ? text.help : `${text.help} Default: ${text.absent}.`,
  )
  texts.add(copy, text)
  return copy
}

/** Returns the text of a schema; `null` if it has none. */
export function textOf(schema: z.ZodType): FieldText | null {
  return texts.get(schema) ?? null
}

/** The kind of a field's value, whether or not it has a default or may be missing. */
export type FieldForm =
  | { readonly kind: 'text' | 'check' | 'number' | 'list' | 'json' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'choices'; readonly options: readonly string[] }

export function formOf(schema: z.core.$ZodType): FieldForm {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodBoolean) return { kind: 'check' }
  if (inner instanceof z.ZodNumber) return { kind: 'number' }
  if (inner instanceof z.ZodEnum) return { kind: 'choice', options: inner.options.map(String) }
  if (inner instanceof z.ZodString) return { kind: 'text' }
  if (!(inner instanceof z.ZodArray)) return { kind: 'json' }
  const element = unwrapped(inner.element)
  return element instanceof z.ZodEnum
    ? { kind: 'choices', options: element.options.map(String) }
    : { kind: 'list' }
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapped =
    schema instanceof z.ZodDefault || schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
  return isWrapped ? unwrapped(schema.unwrap()) : schema
}

/** Returns the default value in JSON; `undefined` if there is none. */
export function defaultOf(schema: z.ZodType): unknown {
  return schema.safeParse(undefined).data
}

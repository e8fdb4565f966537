/** Building blocks of the wire forms: strict objects, texts people read, web addresses, lifetimes. */
import { z } from 'zod'
import { unknownName } from './closest-name.ts'
import { sentence } from './configuration-problems.ts'

/** Control characters and the marks that reverse or hide text: a name must not be able to disguise itself. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const disguising = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

/** An object that refuses fields it does not know, and says which known one was probably meant. */
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

/** Text that is shown to users unchanged. */
export function displayTextSchema(longest: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(longest)
    .refine(text => !disguising.test(text), 'must not contain control or direction characters')
    .refine(text => text.isWellFormed(), 'must be valid Unicode')
}

/** An address people may be sent to or shown: http or https. */
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

/** Whole seconds from 1 to `longest`. */
export function lifetimeSchema(longest: number): z.ZodNumber {
  return z.number().int('must be a whole number of seconds').min(1).max(longest)
}

/** What people read about a field: on forms, in the JSON Schema and in the documents. Written next to the field's schema. */
import { z } from 'zod'

export type FieldText = {
  /** The name of its control. */
  readonly label: string
  /** One or two sentences, in plain text. */
  readonly help: string
  /** The heading of a form that it is under; without one it is on no form. */
  readonly group?: string
  /** How choices read, by their word on the wire. */
  readonly choices?: Readonly<Record<string, string>>
  /** What it means when it is not given. */
  readonly absent?: string
}

const texts = z.registry<FieldText>()

/** The schema with its text. The JSON Schema has the text as its description. */
export function described<S extends z.ZodType>(schema: S, text: FieldText): S {
  const copy = schema.describe(
    text.absent === undefined ? text.help : `${text.help} Default: ${text.absent}.`,
  )
  texts.add(copy, text)
  return copy
}

/** `null`: the schema was given none. */
export function textOf(schema: z.ZodType): FieldText | null {
  return texts.get(schema) ?? null
}

/** The form of a field's value, without the wrappers for defaults and missing values. */
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

/** The default as JSON has it; `undefined` without one. */
export function defaultOf(schema: z.ZodType): unknown {
  return schema.safeParse(undefined).data
}

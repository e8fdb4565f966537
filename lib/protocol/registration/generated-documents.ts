/**
 * Generates documents from the schemas: the tables of the fields of a client and of the policies, and the JSON Schema.
 * `npm run docs:write` writes them.
 */
import { z } from 'zod'
import { clientFields, configurationFileSchema } from './configuration-file.ts'
import { defaultOf, formOf, textOf } from './fields.ts'
import { policyFields } from './policies.ts'

type Fields = Readonly<Record<string, z.ZodType>>

/** The tables of fields, each with its document. */
export const fieldTables: ReadonlyArray<{
  readonly path: string
  readonly name: string
  readonly fields: Fields
}> = [
  { path: 'docs/configuration.md', name: 'fields of a client', fields: clientFields },
  { path: 'docs/policies.md', name: 'fields of the policies', fields: policyFields },
]

/** Replaces a table between its two marks in its document. Throws if the document lacks a mark. */
export function withFieldTable(
  document: string,
  { path, name, fields }: (typeof fieldTables)[number],
): string {
  const marks = [`<!-- ${name} -->`, `<!-- end of the ${name} -->`] as const
  const [start, end] = [document.indexOf(marks[0]), document.indexOf(marks[1])]
  if (start < 0 || end < start) throw new Error(`${path} lacks the marks ${marks.join(' and ')}`)
  return `${document.slice(0, start + marks[0].length)}\n${tableOf(fields)}\n${document.slice(end)}`
}

function tableOf(fields: Fields): string {
  const rows = Object.entries(fields).map(([name, schema]) =>
    [`\`${name}\``, valuesOf(schema), defaultText(schema), meaningOf(schema)].join(' | '),
  )
  return [
    '| field | values | default | meaning |',
    '|---|---|---|---|',
    ...rows.map(row => `| ${row} |`),
  ].join('\n')
}

function meaningOf(schema: z.ZodType): string {
  return textOf(schema)?.help ?? schema.description ?? ''
}

function valuesOf(schema: z.ZodType): string {
  const form = formOf(schema)
  switch (form.kind) {
    case 'check':
      return '`true`, `false`'
    case 'number':
      return rangeOf(schema)
    case 'choice':
      return form.options.map(code).join(', ')
    case 'choices':
      return `list of ${form.options.map(code).join(', ')}`
    case 'list':
      return 'list'
    default:
      return form.kind === 'json' ? 'JSON' : 'text'
  }
}

const rangeSchema = z.object({ minimum: z.number(), maximum: z.number() })

function rangeOf(schema: z.ZodType): string {
  const { anyOf = [], ...plain } = z.toJSONSchema(schema, { io: 'input' })
  const range = [plain, ...anyOf].flatMap(part => rangeSchema.safeParse(part).data ?? [])[0]
  return range === undefined || range.maximum > 1e12 ? 'number' : `${range.minimum} to ${range.maximum}`
}

function defaultText(schema: z.ZodType): string {
  if (!schema.safeParse(undefined).success) return 'required'
  const value = defaultOf(schema)
  const isNone = value === undefined || value === null || ['""', '[]', '{}'].includes(JSON.stringify(value))
  if (isNone) return textOf(schema)?.absent ?? 'none'
  return code(typeof value === 'string' ? value : JSON.stringify(value))
}

function code(text: string): string {
  return `\`${text}\``
}

/**
 * The JSON Schema of the configuration file, `docs/latchkey.schema.json`. It has fields and their types; rules that
 * relate fields to each other are checked only when the file is read.
 */
export function configurationJsonSchema(): z.core.JSONSchema.BaseSchema {
  return {
    title: 'Latchkey configuration',
    description:
      'Clients, scopes, users, identity providers and policies as code; see docs/configuration.md.',
    ...z.toJSONSchema(configurationFileSchema, { io: 'input', target: 'draft-2020-12' }),
  }
}

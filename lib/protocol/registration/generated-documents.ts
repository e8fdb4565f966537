/**
 * Generates documents from the schemas: the table of a client's fields, and the JSON Schema. `npm run docs:write`
 * writes them.
 */
import { z } from 'zod'
import { clientFields, configurationFileSchema } from './configuration-file.ts'
import { defaultOf, formOf, textOf } from './fields.ts'

const tableMarks = ['<!-- fields of a client -->', '<!-- end of the fields of a client -->'] as const

/** Replaces the table between the two marks of a document. Throws if the document has no marks. */
export function withClientTable(document: string): string {
  const [start, end] = tableMarks.map(mark => document.indexOf(mark))
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error(`docs/configuration.md lacks the marks ${tableMarks.join(' and ')}`)
  return `${document.slice(0, start + tableMarks[0].length)}\n${clientTable()}\n${document.slice(end)}`
}

function clientTable(): string {
  const rows = Object.entries(clientFields).map(([name, schema]) =>
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
    description: 'Clients, scopes, users and identity providers as code; see docs/configuration.md.',
    ...z.toJSONSchema(configurationFileSchema, { io: 'input', target: 'draft-2020-12' }),
  }
}

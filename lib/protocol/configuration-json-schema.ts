/** The configuration file's JSON Schema, for editors and for readers of `docs/latchkey.schema.json`. */
import { z } from 'zod'
import { configurationFileSchema } from './configuration-file.ts'

/** Fields and their forms; the rules that tie fields to each other are checked at the start only. */
export function configurationJsonSchema(): z.core.JSONSchema.BaseSchema {
  return {
    title: 'Latchkey configuration',
    description: 'Clients, scopes, people and identity providers as code; see docs/configuration.md.',
    ...z.toJSONSchema(configurationFileSchema, { io: 'input', target: 'draft-2020-12' }),
  }
}

/** Writes docs/latchkey.schema.json from the zod schema: `node docs/write-schema.mjs`. */
import { writeFileSync } from 'node:fs'
import { configurationJsonSchema } from '#lib/protocol/configuration-json-schema.ts'

const file = new URL('latchkey.schema.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`)

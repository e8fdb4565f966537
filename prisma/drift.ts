/** Finds a schema that was changed without the steps that belong to it. `npm run check` prints what this returns. */
import { existsSync, readFileSync } from 'node:fs'
import { derivePostgresSchema, postgresSchema, sqliteSchema } from './derive-postgres.ts'
import { schemaSnapshot } from './migration-files.ts'

/** One sentence for each thing that fell behind; empty when nothing did. */
export function schemaDrift(): readonly string[] {
  return [
    ...(content(postgresSchema) === derivePostgresSchema()
      ? []
      : ['prisma/postgres/schema.prisma is not what prisma/schema.prisma derives to.']),
    ...(content(schemaSnapshot('sqlite')) === content(sqliteSchema)
      ? []
      : ['prisma/schema.prisma changed since the last SQLite migration.']),
    ...(content(schemaSnapshot('postgresql')) === content(postgresSchema)
      ? []
      : ['prisma/postgres/schema.prisma changed since the last PostgreSQL migration.']),
  ].map(sentence => `${sentence} Run node prisma/new-migration.ts <name>.`)
}

function content(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

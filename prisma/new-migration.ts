/** Writes the next migration for both databases: `npm run migration:new -- add-factors`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsFolder } from './migration-files.ts'
import { newMigrationName } from './migration-names.ts'
import { kindOf } from './migration-rules.ts'
import { schemaDifference } from './schema-difference.ts'
import { type Scripts, separateIndexes } from './separate-indexes.ts'

const name = process.argv[2] ?? ''
if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
  process.stderr.write('Usage: npm run migration:new -- <name-in-lower-case>\n')
  process.exit(1)
}

const scripts = await schemaDifference()
if (scripts === null) process.stdout.write('Nothing to migrate.\n')
else separateIndexes(scripts).forEach(write)
process.stdout.write('Now run: npm run setup\n')

/** Writes a migration. `index`: its place among those that are written together. */
function write(written: Scripts, index: number): void {
  const kind = kindOf(written)
  const folderName = newMigrationName(name, kind, new Date(Date.now() + index * 1000))
  for (const product of ['sqlite', 'postgresql'] as const) {
    const folder = join(migrationsFolder(product), folderName)
    mkdirSync(folder)
    writeFileSync(join(folder, 'migration.sql'), written[product])
    process.stdout.write(`${folder}\n`)
  }
  if (kind === 'contract')
    process.stdout.write(
      'The release before does not work with these tables: an upgrade must stop all nodes. See docs/decisions/118-rolling-upgrades.md.\n',
    )
}

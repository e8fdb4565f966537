/** Writes the next migration for both databases: `npm run migration:new -- add-factors`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsFolder } from './migration-files.ts'
import { schemaDifference } from './schema-difference.ts'

const name = process.argv[2] ?? ''
if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
  process.stderr.write('Usage: npm run migration:new -- <name-in-lower-case>\n')
  process.exit(1)
}

const scripts = await schemaDifference()
if (scripts === null) {
  process.stdout.write('Nothing to migrate.\n')
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  for (const kind of ['sqlite', 'postgresql'] as const) {
    const folder = join(migrationsFolder(kind), `${stamp}_${name.replaceAll('-', '_')}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'migration.sql'), scripts[kind])
    process.stdout.write(`${folder}\n`)
  }
}
process.stdout.write('Now run: npm run setup\n')

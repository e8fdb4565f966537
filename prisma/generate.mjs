/**
 * Generates both Prisma clients without network. Plain JavaScript, because it runs before anything is set up.
 * `node prisma/generate.mjs`; the exit code is that of the first generator that failed.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

const root = dirname(import.meta.dirname)
const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js')

for (const schema of ['prisma/schema.prisma', 'prisma/postgres/schema.prisma']) generate(schema)

function generate(schema) {
  const run = spawnSync(process.execPath, [prisma, 'generate', '--schema', schema, '--no-hints'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      // NOTE: generating never runs the schema engine; naming any executable stops Prisma from downloading one.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  })
  if (run.status === 0) return
  process.stderr.write(
    `prisma generate --schema ${schema} failed:\n${run.stdout}${run.stderr}${run.error ?? ''}\n`,
  )
  process.exit(run.status ?? 1)
}

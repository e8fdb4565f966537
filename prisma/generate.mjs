/**
 * Generates both Prisma clients without network, for `npm run setup`. Exits with 1 if a generator fails. It is plain
 * JavaScript, because it runs before anything is set up.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { postgresSchema } from './postgres-schema.mjs'

const root = dirname(import.meta.dirname)
const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js')
const run = promisify(execFile)

const derived = 'prisma/generated/postgres.prisma'
mkdirSync(join(root, 'prisma/generated'), { recursive: true })
writeFileSync(join(root, derived), postgresSchema())
await Promise.all(['prisma/schema.prisma', derived].map(generate))

async function generate(schema) {
  try {
    await run(process.execPath, [prisma, 'generate', '--schema', schema, '--no-hints'], {
      cwd: root,
      env: {
        ...process.env,
        // NOTE: generating never runs the schema engine, and naming any executable keeps Prisma from downloading one
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
    })
  } catch ({ stdout, message }) {
    // The message contains the standard error output
    process.stderr.write(`prisma generate --schema ${schema} failed:\n${stdout}${message}\n`)
    process.exitCode = 1
  }
}

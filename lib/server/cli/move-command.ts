/** `npm run move`: moves the data of a SQLite database to PostgreSQL while no server runs. */
import '../start/restrict-new-files.mjs'
import { readFile } from 'node:fs/promises'
import { checkDatabase } from '#lib/backup/check-database.ts'
import { type Moved, type MoveRequest, moveDatabase } from '#lib/backup/move-database.ts'
import { readDatabase } from '#lib/config/database-url.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { loadMasterKeys } from '#lib/crypto/keys/master-key.ts'
import { ConfigError, isConfigError } from '#lib/errors/config-error.ts'
import { migrate } from '#prisma/migrate.ts'
import { readMigrations } from '#prisma/migration-files.ts'
import { reportBackupFailure } from './backup-failure.ts'
import { flag, readArguments, refuseArguments, runCommandLine, text } from './command-line.ts'
import { say } from './command-output.ts'

const usage = `Usage: npm run move -- <postgresql address> | --target-file <file>

Moves all data of the SQLite database of the settings into an empty PostgreSQL
database. Stop the server first. After an interruption, run the command again: it
continues. The SQLite database is not changed. docs/backup.md.

  <postgresql address>  Such as postgresql://latchkey@db.internal/latchkey
  --target-file <file>  Read the address from the first line of this file: other
                        accounts of this machine can see arguments, and with them
                        a password in the address.
  --json                Print the result as JSON.

Exits with 0 when done, 1 when it failed or was interrupted, 2 when the command or a
setting is wrong.
`

type Asked = { readonly address: string | null; readonly file: string | null; readonly isJson: boolean }

process.exitCode = await runCommandLine({
  usage,
  run,
  needsArguments: true,
  report: error => reportBackupFailure(namingTarget(error)),
})

async function run(given: readonly string[]): Promise<number> {
  const asked = readAsked(given)
  const moved = await moveDatabase(await requestOf(readConfig(process.env), asked))
  return say(asked.isJson ? `${JSON.stringify(moved)}\n` : sentences(moved))
}

function readAsked(given: readonly string[]): Asked {
  const options = { 'target-file': text, json: flag } as const
  const { values, positionals } = readArguments(given, options, { allowPositionals: true })
  const [address = null, ...others] = positionals
  const { 'target-file': file = null, json: isJson } = values
  if (others.length > 0 || (address === null) === (file === null))
    return refuseArguments('Name one PostgreSQL database, by its address or with --target-file.')
  return { address, file, isJson }
}

async function requestOf(config: Config, asked: Asked): Promise<MoveRequest> {
  const { database: source } = config
  if (source.kind === 'postgresql')
    throw new ConfigError(
      'The settings name a PostgreSQL database: DATABASE_URL must be the SQLite database to move.',
    )
  const target = readDatabase(asked.address ?? (await firstLine(asked.file ?? '')), config.dataDir)
  if (target.kind === 'sqlite') throw new ConfigError('The target must be a PostgreSQL database.')
  // The data was made with a key, so that a missing key file is not replaced by a new key
  const masterKeys = await loadMasterKeys(config, async () => 'move')
  return {
    source,
    target,
    migrate: (location, whileLocked) => migrate(location, readMigrations(location.kind), whileLocked),
    knownMigrations: readMigrations('sqlite').map(({ name }) => name),
    check: location => checkDatabase(location, masterKeys),
    onTable: (name, rows) => process.stderr.write(`${name}: ${rows}\n`),
  }
}

async function firstLine(file: string): Promise<string> {
  const content = await readFile(file, 'utf8').catch(() => {
    throw new ConfigError(`The file ${file} cannot be read.`)
  })
  return content.split(/\r?\n/, 1)[0] ?? ''
}

/** Names the target in an error about its address, which is an argument and not DATABASE_URL. */
function namingTarget(error: unknown): unknown {
  if (!isConfigError(error)) return error
  return new ConfigError(error.message.replace(/^DATABASE_URL\b/, 'The PostgreSQL address'))
}

function sentences({ counts, changes, isRepeated }: Moved): string {
  const { User: users = 0, Client: clients = 0 } = counts
  const done = isRepeated
    ? 'This data was moved before; nothing was done.'
    : `Moved all data: ${users} users, ${clients} clients, ${changes} changes. The number of rows of each table is equal, and so is the end of the audit log, which is intact.`
  return `${done}\nSet DATABASE_URL to the PostgreSQL address, and start the server. Keep the SQLite file until the new server runs, and then delete it: it has the same secrets.\n`
}

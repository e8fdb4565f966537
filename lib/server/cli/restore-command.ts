/** `npm run restore`: restores a backup into an empty SQLite database, or checks it. */
import '../start/restrict-new-files.mjs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { BackupProblem } from '#lib/backup/backup-problem.ts'
import { checkDatabase } from '#lib/backup/check-database.ts'
import { type Restored, restoreBackup } from '#lib/backup/restore-backup.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { loadMasterKey } from '#lib/crypto/keys/master-key.ts'
import { migrate } from '#prisma/migrate.ts'
import { readMigrations } from '#prisma/migration-files.ts'
import { reportBackupFailure } from './backup-failure.ts'
import { refuse, say } from './command-output.ts'
import { askPassphrase, readPassphrase } from './passphrase.ts'

const usage = `Usage: npm run restore -- <backup> [--revoke-grants | --keep-grants] [--passphrase-file <file>]
       npm run restore -- <backup> --check [--passphrase-file <file>]

Restores a backup into an empty database, with the master key of the server that
made it. Stop the server first. docs/backup.md.

  --revoke-grants           Revoke all grants and tokens, and sign all users out,
                            because what was revoked after the backup would be
                            valid again. This is the default.
  --keep-grants             Keep them: users stay signed in.
  --check                   Only check the backup: restores nothing, and the
                            database need not be empty. Exits with 3 if the
                            backup could not be restored.
  --passphrase-file <file>  The first line of this file is the passphrase of an
                            encrypted backup. Without it, you are asked.
  --json                    Print the result as JSON.

Codes, links in mails, invitations, planned changes of accounts and mails that wait
end in any case. Exits with 0 when done, 1 when it failed, 2 when the command or a
setting is wrong.
`

type Asked = {
  readonly file: string
  readonly isCheck: boolean
  /** The choice; `null`: it is to be asked. */
  readonly revokesGrants: boolean | null
  readonly passphraseFile: string | null
  readonly isJson: boolean
}

process.exitCode = await main(process.argv.slice(2)).catch(reportBackupFailure)

async function main(given: readonly string[]): Promise<number> {
  if (given.length === 0 || given.includes('--help') || given[0] === 'help') return say(usage)
  const asked = readArguments(given)
  if (typeof asked === 'string') return refuse(`${asked}\n\n${usage}`, 2)
  const config = readConfig(process.env)
  try {
    const restored = await restore(config, asked)
    if (typeof restored === 'string') return refuse(`${restored}\n`, 2)
    return say(asked.isJson ? `${JSON.stringify(restored)}\n` : sentences(restored, asked))
  } catch (error) {
    if (asked.isCheck && error instanceof BackupProblem) return refuse(`${error.message}\n`, 3)
    throw error
  }
}

/** Parses the arguments. Returns a message for the operator if they are invalid. */
function readArguments(given: readonly string[]): Asked | string {
  const flag = { type: 'boolean', default: false } as const
  const choices = { 'keep-grants': flag, 'revoke-grants': flag, check: flag } as const
  const options = { ...choices, json: flag, 'passphrase-file': { type: 'string' } } as const
  try {
    const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true })
    const [file, ...others] = positionals
    if (file === undefined || others.length > 0) return 'Name one backup.'
    const { check, json, 'keep-grants': keeps, 'revoke-grants': revokes } = values
    if ([check, keeps, revokes].filter(Boolean).length > 1)
      return 'Choose one of --check, --revoke-grants and --keep-grants.'
    const { 'passphrase-file': passphraseFile = null } = values
    const revokesGrants = keeps || revokes ? revokes : null
    return { file: resolve(file), isCheck: check, revokesGrants, passphraseFile, isJson: json }
  } catch (error) {
    return error instanceof Error ? error.message : 'The arguments cannot be read.'
  }
}

/** Restores or checks. Returns a message for the operator if the database is PostgreSQL. */
async function restore(config: Config, asked: Asked): Promise<Restored | string> {
  const { database } = config
  if (database.kind === 'postgresql')
    return 'DATABASE_URL is a PostgreSQL database: use pg_restore, as docs/backup.md describes.'
  // A backup has data of a key, so that a missing key file is not replaced by a new key
  const masterKey = await loadMasterKey(config, async () => 'backup')
  const { file, passphraseFile } = asked
  return restoreBackup({
    file,
    target: database.file,
    masterKey,
    askPassphrase: () =>
      passphraseFile === null ? askPassphrase('Passphrase: ') : readPassphrase(passphraseFile),
    revokesGrants: asked.isCheck ? null : (asked.revokesGrants ?? (await isRevocationWanted())),
    now: new Date(),
    knownMigrations: readMigrations('sqlite').migrationDirectories.map(({ path }) => path),
    migrate,
    check: location => checkDatabase(location, masterKey, config),
  })
}

/** Asks in a terminal. A script gets the safe default. */
async function isRevocationWanted(): Promise<boolean> {
  if (!process.stdin.isTTY) return true
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const question =
    'Grants and sessions that ended after the backup would be valid again.\nRevoke all grants and sign all users out? [Y/n] '
  try {
    return !/^n(o)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}

function sentences({ header, changes, migrated, ended }: Restored, { isCheck }: Asked): string {
  const { createdAt, counts } = header
  const content = `${counts.User ?? 0} users, ${counts.Client ?? 0} clients, ${changes} changes in an intact audit log`
  const upgraded = migrated === 0 ? '' : ` It is of an earlier release: ${migrated} migrations were applied.`
  if (isCheck) return `The backup of ${createdAt} can be restored: ${content}.${upgraded}\n`
  const { Grant: grants = 0, Session: sessions = 0 } = ended
  const revoked = `Revoked grants: ${grants}; ended sessions: ${sessions}.`
  return `Restored the state of ${createdAt}: ${content}.${upgraded}\n${revoked} Start the server now.\n`
}

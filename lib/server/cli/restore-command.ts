/** `npm run restore`: restores a backup into an empty SQLite database, or checks it. */
import '../start/restrict-new-files.mjs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { BackupProblem } from '#lib/backup/backup-problem.ts'
import { type CheckedDatabase, checkDatabase } from '#lib/backup/check-database.ts'
import { type Restored, restoreBackup } from '#lib/backup/restore-backup.ts'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { loadMasterKeys } from '#lib/crypto/keys/master-key.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { openAuditTrail } from '#lib/storage/open-audit-trail.ts'
import { endRestoredState } from '#lib/storage/restored-state.ts'
import { migrate } from '#prisma/migrate.ts'
import { readMigrations } from '#prisma/migration-files.ts'
import { reportBackupFailure } from './backup-failure.ts'
import { flag, readArguments, refuseArguments, runCommandLine, text } from './command-line.ts'
import { refuse, say } from './command-output.ts'
import { askPassphrase, readPassphrase } from './passphrase.ts'

const usage = `Usage: npm run restore -- <backup> [--revoke-grants | --keep-grants] [--passphrase-file <file>]
       npm run restore -- [<backup>] --check [--passphrase-file <file>]
       npm run restore -- --finish [--revoke-grants | --keep-grants]

Restores a backup into an empty database, with the master key of the server that
made it. Stop the server first. docs/backup.md.

  --revoke-grants           Revoke all grants and tokens, and sign all users out,
                            because what was revoked after the backup would be
                            valid again. This is the default.
  --keep-grants             Keep them: users stay signed in.
  --check                   Only check the backup, or without one the database of
                            the settings; changes nothing. Exits with 3 if it
                            finds a problem.
  --finish                  After pg_restore into a PostgreSQL database, before a
                            server is started: check it, and end what a restore
                            ends. A script also names one of the two choices.
  --passphrase-file <file>  The first line of this file is the passphrase of an
                            encrypted backup. Without it, you are asked.
  --json                    Print the result as JSON.

Codes, links in mails, invitations, planned changes of accounts and mails that wait
end in any case. Exits with 0 when done, 1 when it failed, 2 when the command or a
setting is wrong.
`

type Asked = {
  /** The backup; `null`: the database of the settings. */
  readonly file: string | null
  readonly isCheck: boolean
  /** The choice; `null`: it is to be asked. */
  readonly revokesGrants: boolean | null
  readonly passphraseFile: string | null
  readonly isJson: boolean
}

process.exitCode = await runCommandLine({ usage, run, needsArguments: true, report: reportBackupFailure })

async function run(given: readonly string[]): Promise<number> {
  const asked = readAsked(given)
  const config = readConfig(process.env)
  try {
    const restored = await restore(config, asked)
    return say(asked.isJson ? `${JSON.stringify(restored)}\n` : sentences(restored, asked))
  } catch (error) {
    if (asked.isCheck && error instanceof BackupProblem) return refuse(`${error.message}\n`, 3)
    throw error
  }
}

function readAsked(given: readonly string[]): Asked {
  const choices = { 'keep-grants': flag, 'revoke-grants': flag, check: flag, finish: flag } as const
  const options = { ...choices, json: flag, 'passphrase-file': text } as const
  const { values, positionals } = readArguments(given, options, { allowPositionals: true })
  const [file, ...others] = positionals
  const { check, finish, json, 'keep-grants': keeps, 'revoke-grants': revokes } = values
  if (others.length > 0) return refuseArguments('Name one backup.')
  if (file === undefined && !check && !finish)
    return refuseArguments('Name a backup, or choose --check or --finish.')
  if (file !== undefined && finish)
    return refuseArguments('--finish is for a database that pg_restore has restored: name no file.')
  if ([check, keeps, revokes].filter(Boolean).length > 1 || (check && finish))
    return refuseArguments('Choose one of --check, --revoke-grants and --keep-grants.')
  const { 'passphrase-file': passphraseFile = null } = values
  const revokesGrants = keeps || revokes ? revokes : null
  const path = file === undefined ? null : resolve(file)
  return { file: path, isCheck: check, revokesGrants, passphraseFile, isJson: json }
}

/** `header`, `migrated`: only of a backup. */
type Result = Pick<Restored, 'changes' | 'signingKeys' | 'ended'> & Partial<Restored>

async function restore(config: Config, { file, ...asked }: Asked): Promise<Result> {
  const { database } = config
  const target = file === null ? null : requireSqlite(database)
  // A backup has data of a key, so that a missing key file is not replaced by a new key
  const masterKeys = await loadMasterKeys(config, async () => 'backup')
  const check = (location: DatabaseLocation) => checkDatabase(location, masterKeys)
  if (file === null || target === null) {
    if (asked.isCheck) return { ...(await check(database)), ended: {} }
    return finishRestore(config, { check, revokesGrants: await decideForFinish(asked) })
  }
  const { passphraseFile } = asked
  return restoreBackup({
    file,
    target,
    masterKeys,
    askPassphrase: () =>
      passphraseFile === null ? askPassphrase('Passphrase: ') : readPassphrase(passphraseFile),
    revokesGrants: asked.isCheck ? null : await decideRevocation(asked),
    now: new Date(),
    knownMigrations: readMigrations('sqlite').map(({ name }) => name),
    migrate,
    check,
  })
}

function requireSqlite(database: DatabaseLocation): string {
  if (database.kind === 'sqlite') return database.file
  throw new ConfigError(
    'DATABASE_URL is a PostgreSQL database: use pg_restore and then --finish, as docs/backup.md describes.',
  )
}

type Finishing = {
  readonly check: (location: DatabaseLocation) => Promise<CheckedDatabase>
  readonly revokesGrants: boolean
}

/** Migrates, checks and ends state in a PostgreSQL database that another program has restored. */
async function finishRestore({ database }: Config, { check, revokesGrants }: Finishing): Promise<Result> {
  if (database.kind === 'sqlite')
    throw new ConfigError('--finish is for PostgreSQL; for SQLite, name a backup of npm run backup.')
  // Refuses a database without tables, which a migration would otherwise fill
  await (await openAuditTrail(database)).close()
  const migrated = await migrate(database)
  const checked = await check(database)
  return { ...checked, migrated, ended: await endRestoredState(database, { now: new Date(), revokesGrants }) }
}

async function decideRevocation({ revokesGrants }: Pick<Asked, 'revokesGrants'>): Promise<boolean> {
  return revokesGrants ?? (await isRevocationWanted())
}

/**
 * Requires the choice of a script. Unlike a backup file, whose target must be empty, the database may be the wrong one, in use by
 * a server: then the default would sign everyone out.
 */
async function decideForFinish({ revokesGrants }: Pick<Asked, 'revokesGrants'>): Promise<boolean> {
  if (revokesGrants === null && !process.stdin.isTTY)
    throw new ConfigError(
      'Name --revoke-grants or --keep-grants with --finish; docs/backup.md says what they do.',
    )
  return decideRevocation({ revokesGrants })
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

function sentences({ header, changes, migrated = 0, ended }: Result, { isCheck }: Asked): string {
  const log = `the audit log is intact, with ${counted(changes, 'change')}`
  const rows =
    header && `${counted(header.counts.User ?? 0, 'user')}, ${counted(header.counts.Client ?? 0, 'client')}; `
  const upgraded =
    migrated === 0 ? '' : ` It was of an earlier release: applied ${counted(migrated, 'migration')}.`
  const content = `${rows ?? 'the master key is right; '}${log}.${upgraded}`
  if (isCheck && header === undefined) return `The database can be used: ${content}\n`
  if (isCheck) return `The backup of ${header?.createdAt} can be restored: ${content}\n`
  const { Grant: grants = 0, Session: sessions = 0 } = ended
  const revoked = `Revoked ${counted(grants, 'grant')}, ended ${counted(sessions, 'session')}.`
  const of = header === undefined ? 'Finished the restore' : `Restored the state of ${header.createdAt}`
  return `${of}: ${content}\n${revoked} Start the server now.\n`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

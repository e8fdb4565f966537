/** `npm run backup`: makes a backup of the SQLite database, with or without a running server. */
import '../start/restrict-new-files.mjs'
import { join, resolve } from 'node:path'
import { keepNewest, type MadeBackup, makeBackup } from '#lib/backup/make-backup.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { openDataKeys } from '#lib/crypto/keys/data-keys.ts'
import { loadMasterKeys, type MasterKeys } from '#lib/crypto/keys/master-key.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { findMeta, openAuditTrail } from '#lib/storage/open-audit-trail.ts'
import { reportBackupFailure } from './backup-failure.ts'
import { flag, readArguments, refuseArguments, runCommandLine, text } from './command-line.ts'
import { refuse, say } from './command-output.ts'
import { askPassphrase, readPassphrase, requireLongEnough } from './passphrase.ts'

const usage = `Usage: npm run backup -- [<folder>] [--encrypt | --passphrase-file <file>] [--keep <number>]

Makes a backup of the SQLite database in one file. The server may be running.
The master key is not in it: keep it in another place. docs/backup.md.

  <folder>                  Where to write the backup. Default: DATA_DIR/backups

  --encrypt                 Ask for a passphrase, and encrypt the backup with it.
  --passphrase-file <file>  Encrypt with the first line of this file.
  --keep <number>           Then delete all backups in the folder except so many
                            of the newest.
  --json                    Print the result as JSON.

Reads the same settings as the server. Exits with 0 when done, 1 when it failed,
2 when the command or a setting is wrong.
`

type Asked = {
  readonly folder: string | null
  readonly encrypts: boolean
  readonly passphraseFile: string | null
  readonly keep: number | null
  readonly isJson: boolean
}

process.exitCode = await runCommandLine({ usage, run, report: reportBackupFailure })

async function run(given: readonly string[]): Promise<number> {
  const asked = readAsked(given)
  const config = readConfig(process.env)
  const { database } = config
  if (database.kind === 'postgresql')
    return refuse('DATABASE_URL is a PostgreSQL database: use pg_dump, as docs/backup.md describes.\n', 2)
  const masterKeys = await provenMasterKeys(config)
  const passphrase = await passphraseOf(asked)
  const folder = resolve(asked.folder ?? join(config.dataDir, 'backups'))
  const made = await makeBackup({ database: database.file, folder, masterKeys, passphrase, now: new Date() })
  const deleted = asked.keep === null ? 0 : await keepNewest(folder, asked.keep)
  return say(asked.isJson ? `${JSON.stringify({ ...made, deleted })}\n` : sentences(made, deleted))
}

function readAsked(given: readonly string[]): Asked {
  const options = { encrypt: flag, json: flag, 'passphrase-file': text, keep: text } as const
  const { values, positionals } = readArguments(given, options, { allowPositionals: true })
  const [folder = null, ...others] = positionals
  const { encrypt, json, keep = null, 'passphrase-file': passphraseFile = null } = values
  if (others.length > 0) return refuseArguments('Name one folder.')
  if (encrypt && passphraseFile !== null)
    return refuseArguments('Choose one of --encrypt and --passphrase-file.')
  if (keep !== null && !/^[1-9]\d{0,5}$/.test(keep)) return refuseArguments('--keep needs a number from 1.')
  const count = keep === null ? null : Number(keep)
  return { folder, encrypts: encrypt, passphraseFile, keep: count, isJson: json }
}

/** Returns the master keys after opening the data keys: a backup with another key could not be restored. */
async function provenMasterKeys(config: Config): Promise<MasterKeys> {
  const { meta, close } = await openAuditTrail(config.database)
  try {
    const masterKeys = await loadMasterKeys(config, name => findMeta(config.database, name))
    await openDataKeys(masterKeys, meta)
    return masterKeys
  } finally {
    await close()
  }
}

async function passphraseOf({ encrypts, passphraseFile }: Asked): Promise<string | null> {
  if (passphraseFile !== null) return requireLongEnough(await readPassphrase(passphraseFile))
  if (!encrypts) return null
  const passphrase = requireLongEnough(await askPassphrase('Passphrase: '))
  if ((await askPassphrase('The same passphrase again: ')) === passphrase) return passphrase
  throw new ConfigError('The two passphrases are different.')
}

function sentences({ file, header }: MadeBackup, deleted: number): string {
  const { counts, audit, encryption } = header
  const users = `${counts.User ?? 0} users, ${counts.Client ?? 0} clients, ${audit?.seq ?? 0} changes`
  const removed = deleted === 0 ? '' : `Deleted ${deleted} older ${deleted === 1 ? 'backup' : 'backups'}.\n`
  const readable = encryption === null ? 'It is not encrypted, and contains password hashes.' : 'Encrypted.'
  return `${file}\n${users}. ${readable} The master key is not in it.\n${removed}`
}

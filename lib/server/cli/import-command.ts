/** `npm run import -- identityserver3 <file>`: imports the data of another server, with or without a running server. */
import '../start/restrict-new-files.mjs'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Config, readConfig } from '#lib/config/env.ts'
import { importNames } from '#lib/import/products.ts'
import type { ImportResult } from '#lib/import/run-import.ts'
import { isPostgresAddress } from '#lib/import/source/postgres-source.ts'
import type { Command } from './command.ts'
import { flag, readArguments, refuseArguments, runCommandLine } from './command-line.ts'
import { refuse, say } from './command-output.ts'
import { carryOut } from './send-command.ts'

const usage = `Usage: npm run import -- <product> <file> [--dry-run | --yes]

Takes over the data of another server from a JSON export. The server may be
running or not. docs/import-identityserver.md and docs/import-users.md say how to
make the export.

  <product>       ${importNames.join(', ')}
  <file>          The export; of IdentityServer also the address of its PostgreSQL
                  database.

  --dry-run       Only report what would be taken over.
  --yes           Import without asking. Without --yes you read the report
                  first and are asked; a script is not asked and imports nothing.
  --skip-refused  Import the rest when something is refused or left out.
                  Otherwise nothing is imported then.
  --replace       Also overwrite what differs here, although it was changed here
                  or was here before.

An import is one transaction, and can be repeated: what is here already stays.
Reads the same settings as the server. Exits with 0 when done, 1 when something
was refused or failed, 2 when the command or a setting is wrong.
`

type Importing = Extract<Command, { kind: 'import' }>
type Asked = { readonly command: Importing; readonly isConfirmed: boolean }

process.exitCode = await runCommandLine({ usage, run, needsArguments: true })

async function run(given: readonly string[]): Promise<number> {
  const asked = readAsked(given)
  const config = readConfig(process.env)
  const { command, isConfirmed } = asked
  if (isConfirmed) return carryOutAndReport(config, command)
  const planned = await importing(config, { ...command, isDryRun: true })
  if (typeof planned === 'string') return refuse(`${planned}\n`, 1)
  say(planned.report)
  if (command.isDryRun || planned.outcome !== 'planned' || !process.stdin.isTTY)
    return sayOutcome(planned, { isDryRun: command.isDryRun })
  if (!(await isAgreed())) return say('Nothing was imported.\n')
  return carryOutAndReport(config, { ...command, digest: planned.digest }, { isShown: true })
}

function readAsked(given: readonly string[]): Asked {
  const options = { 'dry-run': flag, yes: flag, 'skip-refused': flag, replace: flag } as const
  const { values, positionals } = readArguments(given, options, { allowPositionals: true })
  const [name, file, ...others] = positionals
  const product = importNames.find(known => known === name)
  if (product === undefined)
    return refuseArguments(`"${name}" is not a product. The products are ${importNames.join(', ')}.`)
  if (file === undefined || others.length > 0) return refuseArguments('Name one file.')
  const isAddress = isPostgresAddress(file)
  if (!isAddress && !existsSync(file)) return refuseArguments(`There is no file ${file}.`)
  if (values['dry-run'] && values.yes) return refuseArguments('Choose one of --dry-run and --yes.')
  return {
    isConfirmed: values.yes,
    command: {
      kind: 'import',
      product,
      source: isAddress ? file : resolve(file),
      isDryRun: values['dry-run'],
      skipsRefused: values['skip-refused'],
      replaces: values.replace,
      digest: null,
    },
  }
}

async function carryOutAndReport(
  config: Config,
  command: Importing,
  { isShown = false } = {},
): Promise<number> {
  const done = await importing(config, command)
  if (typeof done === 'string') return refuse(`${done}\n`, 1)
  if (!isShown) say(done.report)
  return sayOutcome(done)
}

/** Runs the command. Returns a message for the operator if it fails. */
async function importing(config: Config, command: Importing): Promise<ImportResult | string> {
  const result = await carryOut(config, command)
  return result.import ?? result.problem ?? 'The running server is of another release; restart it first.'
}

async function isAgreed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question('Import this? [y/N] ')).trim())
  } finally {
    terminal.close()
  }
}

function sayOutcome({ outcome }: ImportResult, { isDryRun = false } = {}): number {
  switch (outcome) {
    case 'imported':
      return say('Imported.\n')
    case 'nothing':
      return say('Nothing to import: all of it is here already.\n')
    case 'empty':
      return refuse('Nothing to import: the export has no rows of tables that are imported.\n', 1)
    case 'planned':
      return say('This was a dry run: nothing was imported. Run it with --yes to import.\n')
    case 'refused':
      return refuse(
        `${isDryRun ? 'This was a dry run: nothing was imported. An import would stop, because' : 'Nothing was imported, because'} something is refused or left out. Correct the export, or import the rest with --skip-refused.\n`,
        1,
      )
    case 'changed':
      return refuse('Nothing was imported: the stored data has changed since the report. Run it again.\n', 1)
  }
}

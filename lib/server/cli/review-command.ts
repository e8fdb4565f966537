/** `npm run config:review`: reviews a configuration file by current security guidance. Needs no server and no database. */
import { parseArgs } from 'node:util'
import { loadConfiguration } from '#lib/admin/configuration/load-configuration.ts'
import { readConfigFile } from '#lib/config/env.ts'
import { type Finding, severities } from '#lib/protocol/registration/review/finding.ts'
import { type Review, reviewDocument } from '#lib/protocol/registration/review/review.ts'
import { refuse, reportFailure, say } from './command-output.ts'

const usage = `Usage: npm run config:review -- [FILE] [--fail-on error|warning|note] [--json]

Checks a configuration file, by default that of LATCHKEY_CONFIG, as a start would,
and lists the settings that current security guidance advises against. Accept a
finding with its reason in the section accepted_findings of the file.

  --fail-on   The lowest severity with which the command fails; warning by default.
  --json      Prints one JSON object.

Exits with 3 if there is a finding of that severity or a higher one, otherwise 0,
and with 2 for a wrong command or file.
`

process.exitCode = await main(process.argv.slice(2)).catch(reportFailure)

async function main(given: readonly string[]): Promise<number> {
  const options = readOptions(given)
  if (options === null) return refuse(usage, 2)
  if (options.help) return say(usage)
  const configFile = options.file ?? readConfigFile(process.env).configFile
  if (configFile === null) return refuse('Name a file, or set LATCHKEY_CONFIG.\n', 2)
  const { siteName } = readConfigFile(process.env)
  const { configuration } = await loadConfiguration({ configFile, siteName, demo: false, issuer: '' })
  const review = reviewDocument(configuration)
  say(options.json ? `${JSON.stringify(review, null, 2)}\n` : textOf(review))
  const failing = severities.slice(0, severities.indexOf(options.failOn) + 1)
  return review.findings.some(({ severity }) => failing.includes(severity)) ? 3 : 0
}

function readOptions(given: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: { json: flag, help: flag, 'fail-on': { type: 'string', default: 'warning' } },
    })
    const failOn = severities.find(severity => severity === values['fail-on'])
    if (failOn === undefined || positionals.length > 1) return null
    return { ...values, failOn, file: positionals[0] }
  } catch {
    return null
  }
}

function textOf({ findings, accepted }: Review): string {
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`
  const end = accepted.length === 0 ? '' : `, ${accepted.length} accepted`
  return `${findings.map(paragraphOf).join('')}${count}${end}.\n`
}

function paragraphOf({ severity, kind, id, rule, problem, fix, source }: Finding): string {
  return `${severity.padEnd(7)}  ${kind} ${id}: ${problem}\n         ${fix} (${rule}, ${source})\n`
}

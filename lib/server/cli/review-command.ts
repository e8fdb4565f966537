/** `npm run config:review`: reviews a configuration file by current security guidance. Needs no server and no database. */
import { loadConfiguration } from '#lib/admin/configuration/load-configuration.ts'
import { readConfigFile } from '#lib/config/env.ts'
import { type Finding, severities } from '#lib/protocol/registration/review/finding.ts'
import { type Review, reviewDocument } from '#lib/protocol/registration/review/review.ts'
import { flag, readArguments, refuseArguments, runCommandLine, text } from './command-line.ts'
import { refuse, say } from './command-output.ts'

const usage = `Usage: npm run config:review -- [FILE] [--fail-on error|warning|note] [--json]

Checks a configuration file, by default the file of LATCHKEY_CONFIG, as a start would,
and lists the settings that current security guidance advises against. Accept a
finding with its reason in the section accepted_findings of the file.

  --fail-on   The lowest severity with which the command fails; warning by default.
  --json      Prints one JSON object.

Exits with 3 if there is a finding of that severity or a higher one, otherwise 0,
and with 2 for a wrong command or file.
`

process.exitCode = await runCommandLine({ usage, run })

async function run(given: readonly string[]): Promise<number> {
  const options = readOptions(given)
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
  const known = { json: flag, 'fail-on': { ...text, default: 'warning' } } as const
  const { values, positionals } = readArguments(given, known, { allowPositionals: true })
  const failOn = severities.find(severity => severity === values['fail-on'])
  if (failOn === undefined) return refuseArguments(`--fail-on needs one of ${severities.join(', ')}.`)
  const [file, ...others] = positionals
  if (others.length > 0) return refuseArguments('Name one file.')
  return { json: values.json, failOn, file }
}

function textOf({ findings, accepted }: Review): string {
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`
  const end = accepted.length === 0 ? '' : `, ${accepted.length} accepted`
  return `${findings.map(paragraphOf).join('')}${count}${end}.\n`
}

function paragraphOf({ severity, kind, id, rule, problem, fix, source }: Finding): string {
  return `${severity.padEnd(7)}  ${kind} ${id}: ${problem}\n         ${fix} (${rule}, ${source})\n`
}

/** `npm run doctor`: checks the settings, the database and the public address of an installation, from outside. */
import { readConfig } from '#lib/config/env.ts'
import { checkDatabase } from '../doctor/database.ts'
import type { Finding } from '../doctor/finding.ts'
import { checkPublicAddress } from '../doctor/public-address.ts'
import { checkSettings } from '../doctor/settings.ts'
import { flag, readArguments, runCommandLine } from './command-line.ts'
import { say } from './command-output.ts'

const usage = `Usage: npm run doctor -- [--json]

Checks the settings, the database, and the public address as apps and browsers
reach it: name, certificate, proxy, clock, headers and cookies. Run it where the
server runs, with its settings. It changes nothing.

  --json    Prints one JSON object.

Exits with 0 if all is well, 3 for problems, 2 when the command or a setting is
wrong, 1 when a check failed.
`

process.exitCode = await runCommandLine({ usage, run })

async function run(given: readonly string[]): Promise<number> {
  const { values } = readArguments(given, { json: flag })
  const config = readConfig(process.env)
  const findings = [
    ...checkSettings(config),
    ...(await checkDatabase(config.database)),
    ...(await checkPublicAddress(config.issuer)),
  ]
  say(values.json ? `${JSON.stringify({ findings }, null, 2)}\n` : textOf(findings))
  return findings.some(({ severity }) => severity !== 'good') ? 3 : 0
}

function textOf(findings: readonly Finding[]): string {
  const lines = findings.map(({ severity, text, fix }) => {
    const advice = fix === null ? '' : `\n         ${fix}`
    return `${severity.padEnd(7)}  ${text}${advice}\n`
  })
  const count = findings.filter(({ severity }) => severity !== 'good').length
  const sum = count === 0 ? 'All is well.' : count === 1 ? '1 problem.' : `${count} problems.`
  return `${lines.join('')}${sum}\n`
}

/** `npm run doctor`: checks the settings, the database and the public address of an installation, from outside. */
import type { Finding } from '#lib/admin/status/finding.ts'
import { selfTestNote } from '#lib/admin/status/self-test-note.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { runDoctor } from '../doctor/run-doctor.ts'
import { flag, readArguments, runCommandLine } from './command-line.ts'
import { refuse, reportFailure, say } from './command-output.ts'
import { carryOut } from './send-command.ts'

const usage = `Usage: npm run doctor -- [--json]
       npm run doctor -- --self-test [--json]

Checks the settings, the database, and the public address as apps and browsers
reach it: name, certificate, proxy, clock, headers and cookies. Run it where the
server runs, with its settings. It changes nothing.

  --self-test   Sends about 40 requests to the public address instead, as an app
                does, with a temporary client and user. This is not a certification.
                The server must be running. The audit log gets a row.
  --json        Prints one JSON object.

Exits with 0 if all is well, 3 for problems, 2 when the command or a setting is
wrong, 1 when a check failed.
`

process.exitCode = await runCommandLine({ usage, run })

async function run(given: readonly string[]): Promise<number> {
  const { values } = readArguments(given, { json: flag, 'self-test': flag })
  const config = readConfig(process.env)
  if (values['self-test']) return selfTest(config, values.json)
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const findings = await runDoctor({ config, runningSince: null, now: new Date(), onFailure })
  say(values.json ? `${JSON.stringify({ findings }, null, 2)}\n` : textOf(findings))
  for (const error of failures) reportFailure(error)
  if (failures.length > 0) return 1
  return findings.some(({ severity }) => severity !== 'good') ? 3 : 0
}

async function selfTest(config: Config, isJson: boolean): Promise<number> {
  const { problem, selfTest: results = [] } = await carryOut(config, { kind: 'self_test' })
  if (problem !== null) return refuse(`${problem}\n`, 1)
  say(
    isJson
      ? `${JSON.stringify({ note: selfTestNote, results }, null, 2)}\n`
      : `${textOf(results)}${selfTestNote}\n`,
  )
  return results.some(({ severity }) => severity !== 'good') ? 3 : 0
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

/** `npm run health`: asks the server on this machine whether it is ready. For scripts and container health checks. */
import { readListenAddresses } from '#lib/config/env.ts'
import { askServer, type ServerReport, shownAddress } from '../ask-server.ts'
import { flag, readArguments, runCommandLine } from './command-line.ts'
import { say } from './command-output.ts'

const usage = `Usage: npm run health -- [--alive] [--json]

Asks the server on this machine, at HOST and PORT, whether it should get requests.

  --alive   Only asks whether it is alive, not for its database and its keys.
  --json    Prints one JSON object.

Exits with 0 if so, 1 if not, 2 when the command or a setting is wrong.
`

process.exitCode = await runCommandLine({ usage, run })

async function run(given: readonly string[]): Promise<number> {
  const { values } = readArguments(given, { alive: flag, json: flag })
  const [address] = readListenAddresses(process.env)
  if (address === undefined) throw new Error('There is no address.')
  const path = values.alive ? '/healthz' : '/readyz'
  const report = await askServer(address, path)
  const url = shownAddress(address, path)
  const isHealthy = report.status === 'ready' || report.status === 'ok'
  say(`${values.json ? JSON.stringify(report) : sentenceOf(report, url)}\n`)
  return isHealthy ? 0 : 1
}

function sentenceOf(report: ServerReport, url: string): string {
  if (report.status === 'unreachable') return `Not reachable: no Latchkey answers at ${url}.`
  if (report.status === 'ok') return `Alive: ${url}`
  if (report.status === 'ready') return `Ready: ${url}`
  const failed = Object.entries(report.checks ?? {}).filter(([, result]) => result === 'failed')
  return `Not ready: ${failed.map(([name]) => name).join(', ')} failed at ${url}.`
}

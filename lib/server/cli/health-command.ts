/** `npm run health`: asks the server on this machine whether it is ready. For scripts and container health checks. */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type ListenAddress, readListenAddress } from '#lib/config/env.ts'
import { healthCommandMs } from '#lib/config/limits.ts'
import { refuse, reportFailure, say } from './command-output.ts'

const usage = `Usage: npm run health -- [--alive] [--json]

Asks the server on this machine, at HOST and PORT, whether it should get requests.

  --alive   Only asks whether it is alive, not for its database and its keys.
  --json    Prints one JSON object.

Exits with 0 if so, 1 if not, 2 when the command or a setting is wrong.
`

/** A response of `/readyz` or `/healthz`, of which only the named fields are printed. */
const reportSchema = z.object({
  status: z.enum(['ready', 'not_ready', 'ok']),
  checks: z.record(z.string(), z.enum(['ok', 'failed'])).optional(),
  workers: z.object({ wanted: z.number(), running: z.number() }).optional(),
})

type Report = z.output<typeof reportSchema> | { readonly status: 'unreachable' }

process.exitCode = await main(process.argv.slice(2)).catch(reportFailure)

async function main(given: readonly string[]): Promise<number> {
  const options = readOptions(given)
  if (options === null) return refuse(usage, 2)
  if (options.help) return say(usage)
  const url = addressOf(readListenAddress(process.env), options.alive ? '/healthz' : '/readyz')
  const report = await ask(url)
  const isHealthy = report.status === 'ready' || report.status === 'ok'
  say(`${options.json ? JSON.stringify(report) : sentenceOf(report, url)}\n`)
  return isHealthy ? 0 : 1
}

function readOptions(given: readonly string[]) {
  const option = { type: 'boolean', default: false } as const
  try {
    return parseArgs({ args: [...given], options: { alive: option, json: option, help: option } }).values
  } catch {
    return null
  }
}

/** Returns the address at which a process of this machine reaches the server. */
function addressOf({ host, port }: ListenAddress, path: string): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host.replace(/^(0*:)+0*$/, '::1')
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}${path}`
}

/** Asks the server. Something else that listens there is no server either. */
async function ask(url: string): Promise<Report> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(healthCommandMs) })
    return reportSchema.parse(await response.json())
  } catch {
    return { status: 'unreachable' }
  }
}

function sentenceOf(report: Report, url: string): string {
  if (report.status === 'unreachable') return `Not reachable: no Latchkey answers at ${url}.`
  if (report.status === 'ok') return `Alive: ${url}`
  if (report.status === 'ready') return `Ready: ${url}`
  const failed = Object.entries(report.checks ?? {}).filter(([, result]) => result === 'failed')
  return `Not ready: ${failed.map(([name]) => name).join(', ')} failed at ${url}.`
}

/** `npm run health`: asks the server on this machine whether it is ready. For scripts and container health checks. */
import { type RequestOptions, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { readListenAddresses } from '#lib/config/env.ts'
import { healthCommandMs } from '#lib/config/limits.ts'
import type { ListenAddress } from '#lib/config/listen-address.ts'
import { flag, readArguments, runCommandLine } from './command-line.ts'
import { say } from './command-output.ts'

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

process.exitCode = await runCommandLine({ usage, run })

async function run(given: readonly string[]): Promise<number> {
  const { values } = readArguments(given, { alive: flag, json: flag })
  const [address] = readListenAddresses(process.env)
  if (address === undefined) throw new Error('There is no address.')
  const path = values.alive ? '/healthz' : '/readyz'
  const report = await ask(address, path)
  const url = shown(address, path)
  const isHealthy = report.status === 'ready' || report.status === 'ok'
  say(`${values.json ? JSON.stringify(report) : sentenceOf(report, url)}\n`)
  return isHealthy ? 0 : 1
}

/** Asks the server. Something else that listens there is no server either. */
async function ask(address: ListenAddress, path: string): Promise<Report> {
  try {
    const place = 'file' in address ? { socketPath: address.file } : { ...address, host: reachable(address) }
    return reportSchema.parse(JSON.parse(await get({ ...place, path })))
  } catch {
    return { status: 'unreachable' }
  }
}

/** Returns the body. Rejects for a redirect: what it leads to is not this server. */
function get(options: RequestOptions): Promise<string> {
  const signal = AbortSignal.timeout(healthCommandMs)
  return new Promise((resolve, reject) => {
    request({ ...options, signal, agent: false }, response => {
      const { statusCode = 0 } = response
      if (statusCode >= 300 && statusCode < 400) reject(new Error('A redirect.'))
      else text(response).then(resolve, reject)
    })
      .on('error', reject)
      .end()
  })
}

/** Returns the host at which a process of this machine reaches the server. */
function reachable({ host }: { readonly host: string }): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host.replace(/^(0*:)+0*$/, '::1')
}

function shown(address: ListenAddress, path: string): string {
  if ('file' in address) return `unix:${address.file}`
  const host = reachable(address)
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`
}

function sentenceOf(report: Report, url: string): string {
  if (report.status === 'unreachable') return `Not reachable: no Latchkey answers at ${url}.`
  if (report.status === 'ok') return `Alive: ${url}`
  if (report.status === 'ready') return `Ready: ${url}`
  const failed = Object.entries(report.checks ?? {}).filter(([, result]) => result === 'failed')
  return `Not ready: ${failed.map(([name]) => name).join(', ')} failed at ${url}.`
}

/** Asks the server on this machine, at the address at which it listens, whether it is ready or alive. */
import { type RequestOptions, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { healthCommandMs } from '#lib/config/limits.ts'
import type { ListenAddress } from '#lib/config/listen-address.ts'

/** A response of `/readyz` or `/healthz`, of which only the named fields are read. */
const reportSchema = z.object({
  status: z.enum(['ready', 'not_ready', 'ok']),
  checks: z.record(z.string(), z.enum(['ok', 'failed'])).optional(),
  workers: z.object({ wanted: z.number(), running: z.number() }).optional(),
})

export type ServerReport = z.output<typeof reportSchema> | { readonly status: 'unreachable' }

/** Asks the server. Something else that listens there is no server either. */
export async function askServer(address: ListenAddress, path: string): Promise<ServerReport> {
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

/** Returns the address for messages. */
export function shownAddress(address: ListenAddress, path: string): string {
  if ('file' in address) return `unix:${address.file}`
  const host = reachable(address)
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`
}

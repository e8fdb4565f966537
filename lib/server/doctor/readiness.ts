/** Checks the server on this machine as a load balancer does: whether it is ready, and its workers. */
import type { Config } from '#lib/config/env.ts'
import { askServer, shownAddress } from '../ask-server.ts'
import { type Finding, failure, good, warning } from './finding.ts'

export async function checkReadiness({
  listen: [address],
}: Pick<Config, 'listen'>): Promise<readonly Finding[]> {
  const check = 'readiness'
  if (address === undefined) return []
  const url = shownAddress(address, '/readyz')
  const report = await askServer(address, '/readyz')
  if (report.status === 'unreachable')
    return [failure(check, `No server answers at ${url}.`, 'Start it, or read its log.')]
  const workers = report.workers === undefined ? [] : [workersFinding(report.workers)]
  if (report.status !== 'not_ready') return [good(check, `The server at ${url} is ready.`), ...workers]
  const failed = Object.entries(report.checks ?? {}).filter(([, result]) => result === 'failed')
  const names = failed.map(([name]) => name).join(', ')
  return [failure(check, `The server at ${url} is not ready: ${names}.`, 'Read its log.'), ...workers]
}

function workersFinding({ wanted, running }: { readonly wanted: number; readonly running: number }): Finding {
  const text = `${running} of ${wanted} workers are running.`
  return running < wanted
    ? warning('workers', text, 'Read the log: it names the error with which a worker ended.')
    : good('workers', text)
}

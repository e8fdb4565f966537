/**
 * Starts another product for the comparison. It is fetched from the npm registry into a separate folder and is never a
 * dependency.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fetchSoftware } from '../fixtures/outside/outside-software.ts'
import { introspectionScope } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { benchConfiguration } from './site.ts'

export type Peer = { readonly origin: string; readonly process: ChildProcess }

export const peerName = 'oidc-provider'
const peer = { name: peerName, version: '9.13.3' } as const
export const peerTitle = `node-oidc-provider ${peer.version}`

/** Starts the other product with the Node of this process. All its data is in memory. */
export async function startPeer(): Promise<Peer> {
  const folder = await install()
  const port = await freePort()
  const { clients, users } = benchConfiguration()
  const settings = { folder, packageName: peer.name, port, clients, users, api: introspectionScope }
  const child = spawn(process.execPath, [join(import.meta.dirname, `${peer.name}.mjs`)], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PEER_SETTINGS: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [outcome] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (outcome !== 'ready') throw new Error(`${peerTitle} did not start.`)
  return { origin: `http://localhost:${port}`, process: child }
}

async function install(): Promise<string> {
  const fetched = await fetchSoftware({ registry: 'npm', ...peer })
  if ('missing' in fetched) throw new Error(fetched.missing)
  return fetched.folder
}

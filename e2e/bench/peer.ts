/** Another product for the comparison, fetched from the npm registry into a separate folder: never a dependency. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { introspectionScope } from '../fixtures/configuration.ts'
import { freePort } from '../fixtures/free-port.ts'
import { benchConfiguration } from './site.ts'

export type Peer = { readonly origin: string; readonly process: ChildProcess }

export const peerName = 'oidc-provider'
const peer = { name: peerName, version: '9.13.3' } as const
export const peerTitle = `node-oidc-provider ${peer.version}`

/** On the same Node as this process. Everything is in memory. */
export async function startPeer(): Promise<Peer> {
  const folder = install()
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

function install(): string {
  const root = resolve(import.meta.dirname, '../..')
  const folder = join(root, '.latchkey/peers', `${peer.name}-${peer.version}`)
  if (existsSync(join(folder, 'node_modules', peer.name, 'package.json'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const given = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', [...given, `${peer.name}@${peer.version}`], { cwd: folder, stdio: 'inherit' })
  return folder
}

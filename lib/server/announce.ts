/** Tells whoever started the server where everything is. */
import { readFile } from 'node:fs/promises'
import { loadConfiguration } from '#lib/admin/load-configuration.ts'
import type { Config } from '#lib/config/env.ts'
import type { Resources } from './resources.ts'
import { type Summary, summaryBox } from './summary.ts'

/** Writes the box to standard output. Demo passwords stand in it, and only there. */
export async function announce({ config }: Resources, startMs: number): Promise<void> {
  const summary: Summary = {
    siteName: config.siteName,
    version: await readVersion(),
    issuer: config.issuer,
    data: placeOf(config),
    startMs,
    warnings: warningsOf(config),
    demo: await demoOf(config),
    hasPlayground: config.isLoopback && config.demo,
  }
  process.stdout.write(`\n${summaryBox(summary)}\n\n`)
}

async function readVersion(): Promise<string> {
  const file = new URL('../../package.json', import.meta.url)
  const { version }: { version?: unknown } = JSON.parse(await readFile(file, 'utf8'))
  return typeof version === 'string' ? version : ''
}

/** The database's place without user and password. */
function placeOf({ database }: Config): string {
  if (database.kind === 'sqlite') return database.file
  const { host, pathname } = new URL(database.url)
  return `postgresql://${host}${pathname}`
}

function warningsOf({ insecureHttp, issuer }: Config): readonly string[] {
  return insecureHttp
    ? [`Everybody on the way can read what is sent to ${issuer}. For development only.`]
    : []
}

async function demoOf(config: Config): Promise<Summary['demo']> {
  if (!config.demo) return null
  const { configuration } = await loadConfiguration(config)
  return {
    people: configuration.users.flatMap(({ username, password }) =>
      password === undefined ? [] : [{ username, password }],
    ),
    clients: configuration.clients.map(client => ({
      clientId: client.client_id,
      secret: client.client_secret ?? null,
      use: (client.grant_types ?? ['authorization_code']).join(', '),
    })),
  }
}

/** An installation for tests that apply a configuration: a separate database and cheap hashes. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { createSealing, withOpenedSecrets } from '#lib/crypto/keys/sealing.ts'
import { createPasswords } from '#lib/crypto/passwords/passwords.ts'
import { createSecretHashing, createSecrets } from '#lib/crypto/passwords/secrets.ts'
import { createRandom } from '#lib/crypto/random.ts'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import {
  type ConfigurationFileInput,
  readConfiguration,
} from '#lib/protocol/registration/configuration-file.ts'
import { openSqliteHost } from '#lib/storage/testing/host.ts'
import { applyConfiguration } from '../configuration/apply-configuration.ts'
import type { LoadedConfiguration } from '../configuration/load-configuration.ts'

export const now = new Date('2026-11-20T12:00:00Z')
export const cheap = { memoryKiB: 64, passes: 1, lanes: 1 }

const opened: Array<() => Promise<void>> = []
after(() => Promise.all(opened.map(close => close())))

/** Creates an empty installation, which is closed after the tests. `passwords` replaces the cheap hashes of passwords. */
export async function installation(passwords = createPasswords(cheap)) {
  const { storage, close } = await openSqliteHost()
  opened.push(close)
  const sealing = createSealing(randomBytes(32))
  const secrets = createSecrets(createSecretHashing(cheap))
  const parts = {
    storage,
    sealing,
    secrets,
    passwords,
    random: createRandom(),
    clock: { now: () => now },
  }
  return {
    parts,
    storage,
    secrets,
    providers: withOpenedSecrets(storage.providers, sealing),
    apply: (document: ConfigurationFileInput, source: LoadedConfiguration['source'] = 'file') =>
      applyConfiguration(parts, load(document, source)),
    client: (id: string) => storage.clients.find(clientIdSchema.parse(id)),
    scope: (name: string) => storage.scopes.find(scopeNameSchema.parse(name)),
  }
}

/** Reads a configuration document as if it came from this source. */
export function load(
  document: ConfigurationFileInput,
  source: LoadedConfiguration['source'],
): LoadedConfiguration {
  const read = readConfiguration(JSON.parse(JSON.stringify(document)))
  assert.ok(read.kind === 'valid', JSON.stringify(read))
  return { source, configuration: read.configuration }
}

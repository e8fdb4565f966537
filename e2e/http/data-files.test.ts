/** Tests that no other account can read the files of the data folder while the server or a command runs. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { freePort } from '../fixtures/server/free-port.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-private-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The modes of the data folder and of each file in it that were seen while a command ran. */
async function modesSeen(dataDir: string, command: readonly string[], environment: Record<string, string>) {
  const seen = new Map<string, Set<number>>()
  const look = (path: string) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found !== undefined) seen.set(path, (seen.get(path) ?? new Set()).add(found.mode & 0o777))
    return found?.isDirectory() === true
  }
  // Runs with an empty umask, so that the server's own modes are seen
  const child = spawn('sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, ...command], {
    cwd: root,
    env: { ...process.env, ...environment, DATA_DIR: dataDir },
    stdio: 'ignore',
  })
  const stopped = setTimeout(() => child.kill('SIGTERM'), 60_000)
  while (child.exitCode === null && child.signalCode === null) {
    if (look(dataDir)) for (const name of readdirSync(dataDir)) look(join(dataDir, name))
    if (environment.PORT !== undefined && seen.has(`${join(dataDir, 'latchkey.db')}.sock`))
      child.kill('SIGTERM')
    await setImmediate()
  }
  clearTimeout(stopped)
  return seen
}

function assertPrivate(
  seen: ReadonlyMap<string, ReadonlySet<number>>,
  dataDir: string,
  names: readonly string[],
) {
  for (const name of names) assert.ok(seen.has(join(dataDir, name)), `${name} was not seen`)
  for (const [path, modes] of seen)
    assert.deepEqual([...modes], [path === dataDir ? 0o700 : 0o600], `${path} was readable by others`)
}

test('no file of the first start and of a command is seen to be readable by another account', async () => {
  const dataDir = join(folder, 'first')
  const environment = {
    PORT: String(await freePort()),
    ISSUER: 'http://localhost:3000',
    HOST: '127.0.0.1',
    LATCHKEY_DEMO: 'true',
  }
  const files = ['latchkey.db', 'latchkey.db-wal', 'latchkey.db-shm', 'latchkey.db.lock', 'master.key']
  const seen = await modesSeen(dataDir, ['lib/server/main.ts'], environment)
  assertPrivate(seen, dataDir, ['', ...files, 'latchkey.db.sock'])
  const { PORT: _, ...settings } = environment
  const command = ['lib/server/cli/admin-command.ts', 'create']
  assertPrivate(await modesSeen(dataDir, command, settings), dataDir, ['', 'latchkey.db', 'latchkey.db.lock'])
})

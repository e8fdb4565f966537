import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Database from 'better-sqlite3'
import { isConfigError } from '#lib/errors/config-error.ts'
import { proveAddresses } from './address.ts'
import { environmentFile } from './bootstrap-stamps.mjs'
import { proveDatabaseFile } from './prove-settings.ts'

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-settings-'))
after(() => rmSync(folder, { recursive: true }))
const taken = createServer().listen(0, '127.0.0.1')
await once(taken, 'listening')
after(() => taken.close())
const address = taken.address()
const takenPort = typeof address === 'object' && address !== null ? String(address.port) : ''

const { PATH, NODE_COMPILE_CACHE } = process.env
const common = { NODE_ENV: 'test', PATH, NODE_COMPILE_CACHE, PORT: '38911', DATA_DIR: 'data' } as const

/** Runs the check as the start does, in a folder that may have a `.env` file. */
function check(environment: Readonly<Record<string, string>>): { status: number | null; output: string } {
  const script = join(root, 'lib/server/main.ts')
  const run = spawnSync(process.execPath, [...environmentFile(folder), script, '--check-settings'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...common, ...environment },
    timeout: 30_000,
  })
  return { status: run.status, output: run.stderr }
}

const wrong: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, RegExp]> = [
  ['an invalid port', { PORT: '0' }, /^PORT is "0", but/],
  ['a port in use', { PORT: takenPort }, /^PORT is "\d+", but something else is listening there;/],
  ['an unknown host', { HOST: 'absent.invalid', LATCHKEY_DEMO: 'false' }, /^HOST is .* no address is known/],
  [
    'another machine’s address',
    { HOST: '203.0.113.1', LATCHKEY_DEMO: 'false' },
    /^HOST is .* no such address/,
  ],
  [
    'a missing list of breached passwords',
    { LATCHKEY_BREACHED_PASSWORDS: '/absent/list.txt' },
    /^LATCHKEY_BREACHED_PASSWORDS is "\/absent\/list\.txt", but there is no such file\./,
  ],
  [
    'another file as a list of breached passwords',
    { LATCHKEY_BREACHED_PASSWORDS: import.meta.filename },
    /^LATCHKEY_BREACHED_PASSWORDS is .*, but it has no SHA-1 hash after its byte 0;/,
  ],
  [
    'a data folder in /proc',
    { DATA_DIR: '/proc/x/y' },
    /^DATA_DIR is "\/proc\/x\/y", but it cannot be created \(\w+\); name a folder/,
  ],
  [
    'a data folder below a file',
    { DATA_DIR: `${import.meta.filename}/x` },
    /^DATA_DIR is .* \(ENOTDIR\); name a folder/,
  ],
  [
    'a data folder that is a file',
    { DATA_DIR: import.meta.filename },
    /^DATA_DIR is .* it is a file; name a folder/,
  ],
  [
    'a database that has no folder',
    { DATABASE_URL: 'file:/proc/x/a.db' },
    /^The folder of DATABASE_URL is "\/proc\/x", but/,
  ],
  [
    'a database whose folder does not exist',
    { DATABASE_URL: `file:${folder}/absent/a.db` },
    /^The folder of DATABASE_URL is ".*\/absent", but there is no such folder; create it, or correct the path\.$/m,
  ],
  [
    'a folder as database',
    { DATABASE_URL: 'file:/tmp' },
    /^The database \/tmp is a folder; name a file in it/,
  ],
  [
    'an invalid database',
    { DATABASE_URL: `file:${import.meta.filename}` },
    /^The database .* is not a SQLite database; restore it from the backup/,
  ],
  [
    'no such configuration',
    { LATCHKEY_CONFIG: 'x.json' },
    /^LATCHKEY_CONFIG is ".*\/x\.json", but there is no such file; a relative path begins at/,
  ],
  [
    'a folder as configuration',
    { LATCHKEY_CONFIG: '.' },
    /^LATCHKEY_CONFIG is .* it is a folder; name the file in it\.$/m,
  ],
  [
    'no such extensions',
    { LATCHKEY_EXTENSIONS: 'x.ts' },
    /^LATCHKEY_EXTENSIONS is ".*\/x\.ts", but there is no such file; a relative path begins at/,
  ],
]

for (const [name, environment, sentence] of wrong) {
  test(`the check of the settings refuses with one sentence: ${name}`, () => {
    const { status, output } = check(environment)
    assert.equal(status, 2, output)
    assert.match(output, sentence)
    assert.match(output, /^[^\n]*\.\n$/)
  })
}

test('a mistyped path of the database creates no folder', () => {
  check({ DATABASE_URL: `file:${folder}/absent/a.db` })
  assert.equal(existsSync(join(folder, 'absent')), false)
})

test('valid settings pass, also those of .env, and the environment has precedence', () => {
  assert.deepEqual(check({}), { status: 0, output: '' })
  assert.ok(existsSync(join(folder, 'data')))
  assert.deepEqual(readdirSync(join(folder, 'data')), [])
  writeFileSync(join(folder, '.env'), '# comment\nLOG_LEVEL=loud\n')
  assert.match(check({}).output, /^LOG_LEVEL is "loud", but/)
  assert.equal(check({ LOG_LEVEL: 'warn' }).status, 0)
})

const databases = mkdtempSync(join(tmpdir(), 'latchkey-file-'))
after(() => rmSync(databases, { recursive: true }))
chmodSync(databases, 0o755)

const made = join(databases, 'made.db')
new Database(made).exec('CREATE TABLE a (b)').close()

function refused(file: string, sentence: RegExp): void {
  assert.throws(
    () => proveDatabaseFile(file),
    error => isConfigError(error) && sentence.test(error.message),
  )
}

test('a database, an empty file and a file that does not exist yet pass', () => {
  writeFileSync(join(databases, 'empty.db'), '')
  for (const name of ['made.db', 'empty.db', 'absent.db']) proveDatabaseFile(join(databases, name))
})

test('a folder is distinguished from a file', () => {
  refused(databases, /^The database \S+ is a folder; name a file in it as DATABASE_URL\.$/)
})

test('a file that is not a database is refused by name, also a short one', () => {
  for (const text of ['x', 'SQLite format', 'a text that is longer than sixteen bytes']) {
    writeFileSync(join(databases, 'garbage.db'), text)
    refused(join(databases, 'garbage.db'), /^The database \S+ is not a SQLite database; restore it/)
  }
})

test('a file that this user cannot write is named with the reason', context => {
  chmodSync(made, 0o444)
  // root can write everywhere, so the test changes the account
  if (process.geteuid?.() === 0) {
    process.seteuid?.(65_534)
    context.after(() => process.seteuid?.(0))
  }
  refused(made, /^The database \S+ cannot be written \(EACCES\); give this user the right to, or/)
})

test('a client that connects while the port is checked does not make the start wait', {
  timeout: 10_000,
}, async t => {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  await new Promise(resolve => free.close(resolve))
  const { close } = Server.prototype
  t.mock.method(Server.prototype, 'close', function (this: Server, done: () => void) {
    this.once('connection', () => close.call(this, done))
    const client = connect(port, '127.0.0.1').on('error', () => {})
    t.after(() => client.destroy())
    return this
  })
  await proveAddresses([{ host: '127.0.0.1', port }])
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, afterEach, beforeEach, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Command } from './command.ts'
import { commandSocketOf, openCommandSocket, sendCommand } from './command-socket.ts'

const home = mkdtempSync(join(tmpdir(), 'latchkey-commands-'))
const path = commandSocketOf(join(home, 'test.db'))
const command: Command = { kind: 'appoint', username: 'alice', role: 'auditor' }
const failures: unknown[] = []
const seen: Command[] = []
let close = () => {}

async function open(at = path): Promise<void> {
  close = await openCommandSocket(at, {
    run: async asked => {
      seen.push(asked)
      return { problem: seen.length > 1 ? 'not again' : null }
    },
    onFailure: error => failures.push(error),
  })
}

beforeEach(() => {
  seen.length = 0
  failures.length = 0
})
afterEach(() => close())
after(() => rmSync(home, { recursive: true, force: true }))

test('each command is run once and its result is returned', async () => {
  await open()
  assert.deepEqual(await sendCommand(path, command), { problem: null })
  assert.deepEqual(await sendCommand(path, command), { problem: 'not again' })
  assert.deepEqual(seen, [command, command])
  assert.deepEqual(failures, [])
})

test('a command that takes long shows that it is under way, so that no side stops waiting', {
  timeout: 20_000,
}, async context => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const [started, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  close = await openCommandSocket(path, {
    run: async () => {
      started.resolve()
      await finished.promise
      return { problem: 'done' }
    },
    onFailure: error => failures.push(error),
  })
  const socket = connect(path).setEncoding('utf8')
  socket.end(JSON.stringify(command))
  await started.promise
  context.mock.timers.tick(5000)
  const [first] = await once(socket, 'data')
  assert.match(String(first), /^ +$/)
  finished.resolve()
  assert.deepEqual(JSON.parse(await text(socket)), { problem: 'done' })
})

test('a sender that has gone before the answer does not end the server, which completes the command', async () => {
  const [started, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  close = await openCommandSocket(path, {
    run: async asked => {
      started.resolve()
      await finished.promise
      seen.push(asked)
      return { problem: null }
    },
    onFailure: error => failures.push(error),
  })
  const socket = connect(path)
  socket.end(JSON.stringify(command))
  await started.promise
  socket.destroy()
  await once(socket, 'close')
  finished.resolve()
  await setImmediate()
  await setImmediate()
  assert.deepEqual([seen, failures], [[command], []])
})

test('after an answer that cannot be read, the operator is asked to check whether the command was run', async () => {
  const server = createServer({ allowHalfOpen: true }, socket => socket.resume().end('  {"outcome":"ok"}'))
  await once(server.listen(path), 'listening')
  close = () => server.close()
  assert.match((await sendCommand(path, command))?.problem ?? '', /cannot be read.*Check whether it ran/)
})

test('only the account of the server can use the command socket', async () => {
  await open()
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('a socket that an earlier server left behind is replaced', async () => {
  const killItself = `() => process.kill(process.pid, 'SIGKILL')`
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, ${killItself})`
  spawnSync(process.execPath, ['-e', script])
  assert.ok(statSync(path).isSocket())
  assert.equal(await sendCommand(path, command), null)
  await open()
  assert.deepEqual(await sendCommand(path, command), { problem: null })
})

test('a data folder whose path is too long for a socket has the path of one in the temporary folder', async () => {
  const folder = join(home, 'long'.repeat(40))
  mkdirSync(folder)
  const long = commandSocketOf(join(folder, 'test.db'))
  await open(long)
  const socket = readFileSync(long, 'utf8')
  assert.equal(statSync(long).mode & 0o777, 0o600)
  assert.equal(statSync(socket).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(socket)).mode & 0o777, 0o700)
  assert.deepEqual(await sendCommand(long, command), { problem: null })
  close()
  assert.equal(existsSync(dirname(socket)), false)
  assert.deepEqual(readdirSync(folder), [])
})

test('a command of another release is refused with a sentence', async () => {
  await open()
  const unknown = JSON.parse('{"kind":"destroy"}')
  assert.match((await sendCommand(path, unknown))?.problem ?? '', /another release/)
  assert.equal(seen.length, 0)
})

test('a command that is too long or is not JSON is not run, and the next one is', async () => {
  await open()
  assert.equal(await sendCommand(path, { ...command, username: 'a'.repeat(20_000) }), null)
  assert.equal(seen.length, 0)
  assert.equal(failures.length, 1)
  assert.deepEqual(await sendCommand(path, command), { problem: null })
})

test('without a running server there is no result', async () => {
  await open()
  close()
  assert.equal(existsSync(path), false)
  assert.equal(await sendCommand(path, command), null)
})

test('a system on which no socket can be made is a failure, and the server runs without', async () => {
  const before = process.env.TMPDIR
  process.env.TMPDIR = join(home, 'missing')
  try {
    await open(join(home, 'missing', 'test.db.sock'))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  assert.equal(failures.length, 1)
})

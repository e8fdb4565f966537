/** Tests `npm run health` against servers that answer as ours does, differently, or not at all. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [, ...script] = String(scripts.health).split(' ')

async function health(environment: Readonly<Record<string, string>>, given: readonly string[] = []) {
  const child = spawn(process.execPath, [...script, ...given], {
    cwd: root,
    env: { ...process.env, MASTER_KEY: '', ISSUER: 'https://login.example', ...environment },
  })
  const closed = once(child, 'close')
  const [output, problem, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, output, problem }
}

type Answers = Readonly<Record<string, readonly [status: number, body: string]>>

/** Starts a server with these responses, by path. */
async function serve(t: { after: (done: () => void) => void }, answers: Answers, host = '127.0.0.1') {
  const server = createServer(({ url = '' }, response) => {
    const [status, body] = answers[url] ?? [404, 'not found']
    response.writeHead(status, { location: '/elsewhere' }).end(body)
  }).listen(0, host)
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return String((server.address() as AddressInfo).port)
}

const ready = JSON.stringify({ status: 'ready', checks: { database: 'ok', keys: 'ok', accepting: 'ok' } })
const notReady = JSON.stringify({
  status: 'not_ready',
  checks: { database: 'failed', keys: 'ok', accepting: 'ok' },
})

test('a ready server gives exit code 0, also without the settings that only the server needs', async t => {
  const PORT = await serve(t, { '/readyz': [200, ready] })
  const url = `http://127.0.0.1:${PORT}/readyz`
  assert.deepEqual(await health({ PORT, HOST: '127.0.0.1' }), {
    code: 0,
    output: `Ready: ${url}\n`,
    problem: '',
  })
  const { code, output } = await health({ PORT, HOST: '0.0.0.0' }, ['--json'])
  assert.deepEqual([code, output], [0, `${ready}\n`])
})

test('a server that is alive but not ready gives exit code 1, and 0 with --alive', async t => {
  const PORT = await serve(t, { '/readyz': [503, notReady], '/healthz': [200, '{"status":"ok"}'] })
  const { code, output } = await health({ PORT })
  assert.deepEqual([code, output], [1, `Not ready: database failed at http://127.0.0.1:${PORT}/readyz.\n`])
  assert.equal((await health({ PORT }, ['--json'])).output, `${notReady}\n`)
  assert.equal((await health({ PORT }, ['--alive'])).code, 0)
})

test('a server that listens on the IPv6 address is found', async t => {
  const PORT = await serve(t, { '/readyz': [200, ready] }, '::1')
  for (const HOST of ['::', '::1']) assert.equal((await health({ PORT, HOST })).code, 0)
})

test('nothing, something else or a redirect at the address gives exit code 1', async t => {
  const other = await serve(t, { '/readyz': [200, '<title>ready</title>'] })
  const redirect = await serve(t, { '/readyz': [302, ready], '/elsewhere': [200, ready] })
  for (const PORT of ['1', other, redirect]) {
    const { code, output } = await health({ PORT })
    assert.deepEqual(
      [code, output],
      [1, `Not reachable: no Latchkey answers at http://127.0.0.1:${PORT}/readyz.\n`],
    )
  }
  assert.equal((await health({ PORT: '1' }, ['--json'])).output, '{"status":"unreachable"}\n')
})

test('a wrong setting and a wrong option give exit code 2', async () => {
  const wrong = await health({ PORT: '0' })
  assert.deepEqual([wrong.code, wrong.output], [2, ''])
  assert.match(wrong.problem, /^PORT is "0", but it must be a whole number from 1 to 65535/)
  assert.equal((await health({}, ['--verbose'])).code, 2)
})

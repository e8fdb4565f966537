import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, test } from 'node:test'
import { askServer, mailboxOf, openMailbox } from './operator-mailbox.ts'
import type { OperatorRequest } from './operator-request.ts'

const home = mkdtempSync(join(tmpdir(), 'latchkey-mailbox-'))
const folder = mailboxOf(join(home, 'test.db'))
const request: OperatorRequest = { kind: 'appoint', username: 'alice', role: 'auditor' }
const failures: unknown[] = []
const seen: OperatorRequest[] = []
let close = () => {}

const open = () => {
  close = openMailbox(folder, {
    carryOut: async asked => {
      seen.push(asked)
      return { problem: seen.length > 1 ? 'not again' : null }
    },
    onFailure: error => failures.push(error),
  })
}

beforeEach(() => {
  seen.length = 0
})
afterEach(() => close())
after(() => rmSync(home, { recursive: true, force: true }))

test('each request is carried out once and answered; nothing stays behind', async () => {
  open()
  assert.deepEqual(await askServer(folder, request), { problem: null })
  assert.deepEqual(await askServer(folder, request), { problem: 'not again' })
  assert.deepEqual(seen, [request, request])
  assert.deepEqual(readdirSync(folder), [])
  assert.deepEqual(failures, [])
})

test('nobody else can enter, also when the folder was there before', () => {
  mkdirSync(folder, { mode: 0o777 })
  open()
  assert.equal(statSync(folder).mode & 0o777, 0o700)
})

test('what a server before left there is not carried out', async () => {
  mkdirSync(folder)
  writeFileSync(join(folder, `${crypto.randomUUID()}.request`), JSON.stringify(request))
  open()
  assert.deepEqual(await askServer(folder, request), { problem: null })
  assert.equal(seen.length, 1)
})

test('a request of another release is refused in words', async () => {
  open()
  const unknown = JSON.parse('{"kind":"destroy"}')
  assert.match((await askServer(folder, unknown))?.problem ?? '', /another release/)
  assert.equal(seen.length, 0)
})

test('without a server there is nobody to ask', async () => {
  open()
  close()
  assert.equal(existsSync(folder), false)
  assert.equal(await askServer(folder, request), null)
})

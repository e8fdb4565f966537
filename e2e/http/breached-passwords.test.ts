/** Tests a list of breached passwords: the filter that `npm run passwords:filter` makes of it, and a user who chooses such a password. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { alice } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-breached-'))
after(() => rmSync(folder, { recursive: true }))

const [list, filter] = [join(folder, 'list.txt'), join(folder, 'filter')]
const breached = 'heron heron harbor lantern'
const others = Array.from({ length: 2000 }, (_, index) => `another ${index}`)
const lines = [breached, ...others].map(
  text => `${createHash('sha1').update(text).digest('hex').toUpperCase()}:3\r\n`,
)
writeFileSync(list, lines.toSorted().join(''))
const script = resolve(import.meta.dirname, '../../lib/server/cli/filter-command.ts')
const make = (...given: readonly string[]) =>
  spawnSync(process.execPath, [script, ...given], { encoding: 'utf8' })
const made = make(list, filter, '--at-least', '3')

const latchkey = latchkeySuite({ environment: { LATCHKEY_BREACHED_PASSWORDS: filter } })

test('the command says how many passwords the filter has, and does not overwrite a file', () => {
  assert.equal(made.status, 0, made.stderr)
  assert.match(made.stdout, /has 2001 passwords in 12038 bytes/)
  assert.equal(make(list, filter).status, 1)
  assert.equal(make(filter, join(folder, 'other')).status, 2)
  assert.equal(make(list).status, 2)
})

test('AU-02 a breached password is refused in both languages, and not at a sign-in', async () => {
  const browser = newBrowser(latchkey.issuer)
  const login = await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
  const signedIn = await browser.submit(login, { username: alice.username, password: alice.password })
  assert.match(delivered(signedIn).get('code') ?? '', /^code_/)
  const form = await browser.follow('/account/password')
  const typed = { current: alice.password, password: breached, again: breached }
  const refused = await browser.submit(form, typed)
  assert.match(refused.target, /error=breached$/)
  assert.match(refused.answer.text, /appeared in a data breach/)
  assert.match(refused.answer.text, /id="password-error"[^>]*>That password appeared/)
  const german = await browser.get(refused.target, { 'accept-language': 'de' })
  assert.match(german.text, /in einem Datenleck/)
  const changed = await browser.submit(refused, { ...typed, password: `${breached}s`, again: `${breached}s` })
  assert.equal(changed.target, '/account?done=password')
})

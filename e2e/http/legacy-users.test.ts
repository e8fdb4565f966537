/** Tests that users of an old system are brought by an extensions file at their first sign-in. */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { codeRequest, newProof } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { userInfo } from '../fixtures/requests/user-info.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const extensions = resolve(import.meta.dirname, '../fixtures/server/legacy-users-extensions.ts')
const latchkey = latchkeySuite({ environment: { LATCHKEY_EXTENSIONS: extensions } })
const right = { username: 'migrant', password: 'a harbor of the old system' }

async function signIn(credentials: typeof right) {
  const proof = newProof()
  const browser = newBrowser(latchkey.issuer)
  const request = codeRequest(app, proof, { client_id: 'trusted' })
  const login = await browser.follow(withQuery('/connect/authorize', request))
  return { proof, visit: await browser.submit(login, credentials) }
}

test('a password that the old system refuses is refused like one of an unknown user', async () => {
  const { visit } = await signIn({ ...right, password: 'a wrong guess at it' })
  const unknown = await signIn({ username: 'invented', password: 'a wrong guess at it' })
  const problem = (text: string) => /<p[^>]*>[^<]*password[^<]*<\/p>/.exec(text)?.[0]
  assert.ok(problem(visit.answer.text))
  assert.equal(problem(visit.answer.text), problem(unknown.visit.answer.text))
})

test('a user of the old system signs in with its password, and is then known here without it', async () => {
  for (const visit of ['first', 'later']) {
    const { proof, visit: done } = await signIn(right)
    const { sub, name } = await userInfo(latchkey.issuer, done, proof.verifier)
    assert.deepEqual([visit, sub, name], [visit, 'old-4711', 'The Migrant'])
  }
})

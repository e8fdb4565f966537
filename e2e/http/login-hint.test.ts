/** Tests a `login_hint` while a user is signed in: one that names another user, and one that names this user. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  authorize,
  codeRequest,
  delivered,
  newProof,
  type Parameters,
} from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { alice, bob } from '../fixtures/server/configuration.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const url = (changes: Parameters = {}) =>
  withQuery('/connect/authorize', codeRequest(app, newProof(), changes))

const signedIn = async () => {
  const browser = newBrowser(latchkey.issuer)
  await authorize(browser, codeRequest(app, newProof()))
  return browser
}

const atChoice = async (changes: Parameters) => {
  const browser = await signedIn()
  const visit = await browser.follow(url(changes))
  assert.match(visit.target, /^\/select-account\?pending=/)
  return { browser, visit }
}

describe('AZ-19 login_hint for a different user than the signed-in one asks for the account', () => {
  test('AZ-19 the signed-in user continues with the current account and is not asked again', async () => {
    const { browser, visit } = await atChoice({ login_hint: 'bob' })
    assert.match(
      visit.answer.text,
      /You’re signed in as Alice Liddell, but Trusted Web App asked for “bob”\./,
    )
    const skipped = await browser.follow(visit.target.replace('/select-account', '/connect/authorize/resume'))
    assert.match(skipped.target, /^\/select-account/, 'going straight to resume asks again')
    const fields = delivered(await browser.submit(skipped, { user: alice.sub }))
    assert.match(fields.get('code') ?? '', /^code_/)
    assert.equal(fields.get('state'), 'state-of-the-test')
    const next = await browser.follow(url({ login_hint: 'bob' }))
    assert.match(next.target, /^\/select-account/, 'the next request asks again')
  })

  for (const who of [alice, bob]) {
    test(`AZ-19 signing in as ${who.username} after the choice completes without a second choice`, async () => {
      const { browser, visit } = await atChoice({ login_hint: 'bob', max_age: '36000' })
      const login = await browser.submit(visit, { choice: 'other' })
      assert.match(login.target, /^\/login\?/)
      assert.match(login.answer.text, /value="bob"/)
      assert.doesNotMatch(login.answer.text, /Confirm it’s you/)
      const done = await browser.submit(login, { username: who.username, password: who.password })
      assert.match(delivered(done).get('code') ?? '', /^code_/)
    })
  }

  test('AZ-19 the account choice shows the hint as plain, shortened text, in German', async () => {
    const hint = `"><script>alert(1)</script>\u202e${'x'.repeat(200)}`
    const { visit } = await atChoice({ login_hint: hint, ui_locales: 'de' })
    assert.match(
      visit.answer.text,
      /Sie sind als Alice Liddell angemeldet, Trusted Web App fragt aber nach „/,
    )
    assert.doesNotMatch(visit.answer.text, /<script>alert|\u202e|x{60}/)
  })

  const askers: readonly Parameters[] = [{ prompt: 'login' }, { max_age: '0' }]
  for (const changes of askers) {
    test(`AZ-19 ${JSON.stringify(changes)} leads to the sign-in without an account choice`, async () => {
      const browser = await signedIn()
      const login = await browser.follow(url({ ...changes, login_hint: 'bob' }))
      assert.match(login.target, /^\/login\?/)
      const done = await browser.submit(login, { username: alice.username, password: alice.password })
      assert.match(delivered(done).get('code') ?? '', /^code_/)
    })
  }

  test('AZ-19 a user who signed in for the request is not asked to choose, even with login_hint', async () => {
    const done = await authorize(
      newBrowser(latchkey.issuer),
      codeRequest(app, newProof(), { login_hint: 'bob' }),
    )
    assert.match(delivered(done).get('code') ?? '', /^code_/)
  })

  test('AZ-19 prompt=select_account shows the account choice without the hint', async () => {
    const { visit } = await atChoice({ prompt: 'select_account', login_hint: 'alice' })
    assert.doesNotMatch(visit.answer.text, /asked for/)
  })
})

for (const login_hint of ['alice', 'ALICE', 'Alice@Example.org', alice.sub]) {
  test(`AZ-19 the hint ${login_hint} matches the signed-in user, who is not asked`, async () => {
    const browser = await signedIn()
    for (const prompt of ['', 'none']) {
      const fields = delivered(await browser.follow(url({ login_hint, prompt })))
      assert.match(fields.get('code') ?? '', /^code_/)
    }
  })
}

describe('AZ-16 prompt=none with a login_hint for a different user returns account_selection_required', () => {
  const modes: readonly (readonly [string, Parameters])[] = [
    ['query', {}],
    ['fragment', { response_mode: 'fragment' }],
    [
      'fragment',
      {
        client_id: 'spa',
        response_type: 'id_token',
        scope: 'openid',
        code_challenge: '',
        code_challenge_method: '',
      },
    ],
  ]
  for (const [mode, changes] of modes) {
    test(`AZ-16 account_selection_required is in the ${mode} for ${JSON.stringify(changes)}`, async () => {
      const browser = await signedIn()
      const { location } = await browser.follow(url({ ...changes, prompt: 'none', login_hint: 'bob' }))
      assert.ok(location)
      const fields = new URLSearchParams(mode === 'query' ? location.search : location.hash.slice(1))
      assert.deepEqual(Object.fromEntries(fields), {
        error: 'account_selection_required',
        error_description: 'login_hint names a user other than the signed-in one.',
        state: 'state-of-the-test',
        iss: latchkey.issuer,
      })
      assert.equal(mode === 'query' ? location.hash : location.search, '')
    })
  }

  test('AZ-16 AU-05 the response does not reveal whether the hinted user exists or can sign in', async () => {
    const browser = await signedIn()
    const silent = new Set<string>()
    const shown = new Set<string>()
    for (const login_hint of ['bob', 'mallory', 'unknown']) {
      silent.add(String((await browser.follow(url({ prompt: 'none', login_hint }))).location))
      const { status, text } = (await browser.follow(url({ login_hint }))).answer
      shown.add(`${status} ${text.replaceAll(login_hint, '…').replace(/req_[\w-]+|nonce="[^"]*"/g, '')}`)
    }
    assert.equal(silent.size, 1)
    assert.equal(shown.size, 1)
  })
})

/** Tests the sign-in form: wrong passwords, what a response reveals, and limits of attempts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { authorize, codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser, readForm, type Visit } from '../fixtures/requests/http-browser.ts'
import { basic, send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, canary, clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

/** Users whose passwords the tests guess: several users, because attempts are counted per account. */
const guessedAt = {
  form: { username: 'gwen', password: `${canary} gwen guards geese` },
  grant: { username: 'gina', password: `${canary} gina grows ginger` },
  device: { username: 'greta', password: `${canary} greta grinds glass` },
}
/**
 * For each rule of the comparison, a user and strings that are similar to the password. Each rule has a separate user, since
 * failed attempts are limited per account.
 */
const comparedWhole = {
  'no trimming': {
    username: 'walter',
    password: `${canary} walter waters willows`,
    nearly: (whole: string) => [` ${whole}`, `${whole} `, `${whole}\n`],
  },
  'no other case': {
    username: 'wanda',
    password: `${canary} Wanda Weighs Walnuts`,
    nearly: (whole: string) => [whole.toUpperCase(), whole.toLowerCase()],
  },
  'no truncation, not even after 72 bytes': {
    username: 'wilma',
    password: `${canary} wilma winds the wool of white wethers, and whistles while her wheel whirs well`,
    nearly: (whole: string) => [whole.slice(0, -1), whole.slice(0, 72), `${whole}x`],
  },
}
const latchkey = latchkeySuite({
  configuration: addresses => {
    const { users, ...rest } = testConfiguration(addresses)
    const wholes = Object.values(comparedWhole).map(({ username, password }) => ({ username, password }))
    return { ...rest, users: [...users, ...Object.values(guessedAt), ...wholes] }
  },
})
const openLogin = async () => {
  const browser = newBrowser(latchkey.issuer)
  const visit = await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
  return { browser, visit }
}

test('UXC-08 the sign-in page says when the browser blocks cookies and how to allow them', async () => {
  const { issuer } = latchkey
  let answer = await send(issuer, withQuery('/connect/authorize', codeRequest(app, newProof())))
  for (let steps = 0; steps < 5 && answer.headers.location !== undefined; steps += 1)
    answer = await send(issuer, answer.headers.location.replace(issuer, ''))
  assert.equal(answer.status, 400)
  assert.match(answer.text, /Cookies are blocked.*Allow cookies for this site/s)
})

test('a sign-in without an authorization request redirects to the account page', async () => {
  const browser = newBrowser(latchkey.issuer)
  const visit = await browser.submit(await browser.follow('/login'), {
    username: alice.username,
    password: alice.password,
  })
  assert.equal(visit.target, '/account')
  assert.ok(visit.answer.text.includes(alice.name))
})

test('AU-07 the user name matches regardless of case', async () => {
  const { browser, visit } = await openLogin()
  const done = await browser.submit(visit, { username: 'ALICE', password: alice.password })
  assert.match(delivered(done).get('code') ?? '', /^code_/)
})

test('AU-05 unknown user, wrong password and locked account get the same page', async () => {
  const attempts = [
    { username: alice.username, password: 'wrong' },
    { username: 'unknown', password: 'wrong' },
    { username: 'mallory', password: `${canary} mallory is locked out` },
    { username: 'mallory', password: 'wrong' },
  ]
  const seen: string[] = []
  for (const fields of attempts) {
    const { browser, visit } = await openLogin()
    const answer = await browser.submit(visit, fields)
    assert.equal(answer.location, null)
    seen.push(neutral(answer, fields.username))
  }
  for (const page of seen) assert.equal(page, seen[0])
})

for (const [rule, { username, password, nearly }] of Object.entries(comparedWhole)) {
  test(`AU-01 passwords are compared whole: ${rule}`, async () => {
    for (const other of nearly(password)) {
      const { browser, visit } = await openLogin()
      const answer = await attempt(browser, visit, username, other)
      assert.match(answer.target, /error=credentials/, JSON.stringify(other))
    }
    const { browser, visit } = await openLogin()
    const done = await attempt(browser, visit, username, password)
    assert.match(delivered(done).get('code') ?? '', /^code_/, 'the password itself')
  })
}

test('AU-01 a password over the maximum length counts as wrong', async () => {
  const { browser, visit } = await openLogin()
  const tooLong = await attempt(browser, visit, alice.username, 'x'.repeat(10_000))
  assert.match(tooLong.target, /error=credentials/)
  assert.match(tooLong.answer.text, new RegExp(`value="${alice.username}"`))
})

test('a user name that is longer than any is a wrong one, and the page says so', async () => {
  const { browser, visit } = await openLogin()
  const tooLong = await attempt(browser, visit, 'x'.repeat(256), alice.password)
  assert.match(tooLong.target, /error=credentials/)
  assert.match(tooLong.answer.text, /Incorrect email, user name or password/)
})

test('LG-03 a failed sign-in keeps the user name in the form and nothing in the address', async () => {
  const { browser, visit } = await openLogin()
  const answer = await browser.submit(visit, { username: 'carol', password: 'CANARY-wrong-password' })
  assert.ok(answer.answer.text.includes('value="carol"'))
  assert.ok(!answer.answer.text.includes('CANARY-wrong-password'))
  assert.ok(!answer.target.includes('carol'))
})

for (const [name, fields] of [
  ['nothing', {}],
  ['no password', { username: 'alice' }],
  ['a name over its limit', { username: 'a'.repeat(10_000), password: 'x' }],
  ['a password over its limit', { username: 'alice', password: 'x'.repeat(20_000) }],
  ['the password and a NUL', { username: alice.username, password: `${alice.password}\u0000` }],
  ['control characters', { username: '\u0000\u0007', password: '\u0000' }],
] as const) {
  test(`the sign-in form refuses ${name}`, async () => {
    const { browser, visit } = await openLogin()
    const answer = await browser.submit(visit, fields)
    assert.equal(answer.location, null)
    assert.ok(answer.answer.status < 500)
  })
}

test('SE-05 only a remembered session outlives the browser', async () => {
  for (const remember of [true, false]) {
    const { browser, visit } = await openLogin()
    const form = {
      username: alice.username,
      password: alice.password,
      ...(remember ? { remember: 'on' } : {}),
    }
    const { action, hidden } = readForm(visit.answer.text)
    const answer = await browser.post(action, [...hidden, ...Object.entries(form)])
    const cookie = answer.cookies.find(line => line.includes('latchkey_session=')) ?? ''
    assert.equal(/max-age=\d{6,}|expires=/i.test(cookie), remember, cookie)
  }
})

describe('AU-07 AU-08 AU-09 rate limits of the sign-in', () => {
  const { username, password } = guessedAt.form
  /** The limit of docs/security.md for one account from one address. */
  const limit = 5

  test('AU-09 of a hundred concurrent attempts no more than the limit are checked', async () => {
    const { browser, visit } = await openLogin()
    const attempts = Array.from({ length: 100 }, (_, index) =>
      attempt(browser, visit, username, `guess-${index}`),
    )
    const errors = (await Promise.all(attempts)).map(({ target }) => /error=(\w+)/.exec(target)?.[1])
    const wrong = errors.filter(error => error === 'credentials')
    assert.ok(wrong.length <= limit, `${wrong.length} were verified`)
    assert.ok(wrong.length > 0, 'some were')
    assert.equal(errors.filter(error => error === 'limited').length, attempts.length - wrong.length)
    const right = await openLogin()
    const answer = await right.browser.submit(right.visit, { username, password })
    assert.equal(answer.location, null, 'a stranger’s browser is stopped even with the right password')
    assert.equal(answer.answer.status, 429)
    assert.match(answer.answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    assert.match(answer.answer.text, /name="password"/)
    const other = await openLogin()
    assert.equal(
      (await attempt(other.browser, other.visit, username.toUpperCase(), password)).location,
      null,
      'in another case, too',
    )
  })
  test('TK-16 AU-07 failed sign-ins count for the password grant', async () => {
    const form = { grant_type: 'password', scope: 'openid', username, password }
    const headers = basic('password', clientSecret)
    const answer = await send(latchkey.issuer, '/connect/token', { form, headers })
    assert.equal(answer.status, 429, answer.text)
    assert.deepEqual(Object.keys(answer.json()).toSorted(), ['error', 'error_description'])
    const wait = answer.headers['retry-after']
    assert.equal(answer.json().error_description, `Too many attempts. Try again in ${wait} seconds.`)
  })
  test('TK-16 AU-07 failed password grants are limited', async () => {
    const { username, password: right } = guessedAt.grant
    const headers = basic('password', clientSecret)
    const ask = (password: string) => {
      const form = { grant_type: 'password', scope: 'openid', username, password }
      return send(latchkey.issuer, '/connect/token', { form, headers })
    }
    for (let count = 0; count < 12; count++) await ask('wrong')
    const answer = await ask(right)
    assert.ok([400, 429].includes(answer.status), answer.text)
    assert.equal(answer.json().access_token, undefined)
  })
  test('AU-08 the user can sign in in a known browser while the account is limited', async () => {
    const greta = guessedAt.device
    const owner = newBrowser(latchkey.issuer)
    await authorize(owner, codeRequest(app, newProof()), greta)
    const stranger = await openLogin()
    for (let count = 0; count < 15; count++)
      await attempt(stranger.browser, stranger.visit, greta.username, `guess-${count}`)
    const visit = await owner.follow(
      withQuery('/connect/authorize', codeRequest(app, newProof(), { prompt: 'login' })),
    )
    const answer = await owner.submit(visit, { username: greta.username, password: greta.password })
    assert.match(delivered(answer).get('code') ?? '', /^code_/)
  })
})

function attempt(browser: HttpBrowser, visit: Visit, username: string, password: string): Promise<Visit> {
  return browser.submit(visit, { username, password })
}

/** Returns a page without the parts that always differ: the typed name, nonces, request IDs and the IDs of pending requests. */
function neutral(visit: Visit, username: string): string {
  const [, nonce = 'no nonce'] =
    /'nonce-([^']+)'/.exec(String(visit.answer.headers['content-security-policy'])) ?? []
  const page = `${visit.answer.status} ${visit.target} ${visit.answer.text}`
  return page
    .replaceAll(username, '<name>')
    .replaceAll(nonce, '<nonce>')
    .replace(/req_[\w-]+/g, '<pending>')
    .replace(/[2-9A-Z]{4}-[2-9A-Z]{4}/g, '<reference>')
}

test('a typed user name is shown again only on the page of the same sign-in', async () => {
  const browser = newBrowser(latchkey.issuer)
  const start = () => browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
  const typed = 'typed-by-another'
  const failed = await browser.submit(await start(), { username: typed, password: 'wrong' })
  assert.match(failed.answer.text, new RegExp(typed))
  for (const visit of [
    await start(),
    await browser.follow('/login'),
    await browser.follow('/login?back=/account'),
  ])
    assert.doesNotMatch(visit.answer.text, new RegExp(typed), visit.target)
  assert.match((await browser.follow(failed.target)).answer.text, new RegExp(typed))
})

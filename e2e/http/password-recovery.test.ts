/** Tests the way from a forgotten password through a real mail to the app, and attacks on links and codes. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { mailsTo, plainText } from '../fixtures/outside/received-mail.ts'
import { type ReceivedMail, startSmtp, type TestSmtp } from '../fixtures/outside/smtp-server.ts'
import { authorize, codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { comparable } from '../fixtures/requests/comparable-answer.ts'
import { attribute, type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { canary, testConfiguration } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const smtp: TestSmtp = await startSmtp()
after(() => smtp.close())

const names = ['ada', 'ben', 'cleo', 'dina', 'emil', 'fay', 'gus', 'hal', 'ivy', 'joy', 'alpha'] as const
const passwordOf = (name: string) => `${canary} ${name} keeps a lighthouse`
const chosen = `${canary} nine quiet harbors`

const latchkey = latchkeySuite({
  configuration: addresses => ({
    ...testConfiguration(addresses),
    users: [
      ...names.map(name => user(name)),
      { ...user('locked'), enabled: false },
      user('twin-one', 'twins@example.org'),
      user('twin-two', 'twins@example.org'),
      { ...user('unsure'), claims: { name: 'Unsure', email: 'unsure@example.org', email_verified: false } },
    ],
  }),
  environment: {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'Harbor <noreply@example.org>',
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'trace',
  },
})

function user(username: string, email = `${username}@example.org`) {
  return {
    ...{ username, password: passwordOf(username), sub: `sub-${username}` },
    claims: { name: `The Keeper ${username}`, email, email_verified: true },
  }
}

let hosts = 0
/** A browser at its own address, so that the limit of one address does not concern the others. */
function browserElsewhere(): HttpBrowser {
  hosts += 1
  return newBrowser(latchkey.issuer, { 'x-forwarded-for': `198.51.100.${hosts}` })
}

/** Opens the sign-in page for the app, and from there the page for a forgotten password. */
async function openRecovery(browser: HttpBrowser): Promise<Visit> {
  const login = await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
  const [link = ''] = /<a class="aside"[^>]*>/.exec(login.answer.text) ?? []
  assert.match(link, /href="\/login\/forgot\?pending=req_/)
  return browser.follow(attribute(link, 'href'))
}

async function ask(browser: HttpBrowser, username: string): Promise<Visit> {
  return browser.submit(await openRecovery(browser), { username })
}

/** Returns the link and the code of the newest mail to an address. */
async function readMail(address: string, count = 1) {
  return readLink((await mailsTo(smtp, address, count)).at(-1) ?? assert.fail())
}

function readLink(mail: ReceivedMail) {
  const text = plainText(mail)
  const [link = ''] = /https?:\/\/\S+\/login\/forgot\/password\?link=\S+/.exec(text) ?? []
  const [code = ''] = /\b[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b/.exec(text) ?? []
  assert.ok(link !== '' && code !== '', text)
  return { url: new URL(link), path: link.slice(new URL(link).origin.length), code, text }
}

const choose = (browser: HttpBrowser, visit: Visit, password = chosen) =>
  browser.submit(visit, { password, again: password })
const signsIn = async (username: string, password: string) =>
  (await authorize(browserElsewhere(), codeRequest(app, newProof()), { username, password })).location !==
  null

test('AU-13 UXC-01 the link of the mail leads without script to a new password and on to the app', async () => {
  const browser = browserElsewhere()
  const sent = await ask(browser, 'ada@example.org')
  assert.match(sent.target, /^\/login\/forgot\/sent\?page=wtg_/)
  assert.match(sent.answer.text, /If an account exists for <bdi>ada@example\.org<\/bdi>/)
  const { path, url, text } = await readMail('ada@example.org')
  assert.equal(url.origin, latchkey.issuer)
  assert.match(text, /account ada\b/)
  const page = await browser.follow(path)
  assert.match(page.answer.text, /for ada</)
  const login = await choose(browser, page)
  assert.match(login.target, /^\/login\?pending=req_[^&]+&done=password$/)
  assert.match(login.answer.text, /Your password was changed/)
  assert.match(login.answer.text, /<input[^>]*id="username"[^>]*value="ada"/)
  const done = await browser.submit(login, { username: 'ada', password: chosen })
  assert.ok(delivered(done).get('code'))
  assert.equal(await signsIn('ada', passwordOf('ada')), false)
  const [, notice] = await mailsTo(smtp, 'ada@example.org', 2)
  assert.match(notice === undefined ? '' : plainText(notice), /password of your .* account was changed/)
})

test('UXC-07 the page shows the name that was typed on the sign-in page, which is in no address', async () => {
  const browser = browserElsewhere()
  const { target } = await openRecovery(browser)
  const pending = new URL(target, latchkey.issuer).searchParams.get('pending') ?? ''
  const { headers } = await browser.post('/login/forgot', { pending, prefill: 'Ada "of" <Wales>' })
  assert.equal(headers.location, target)
  const { answer } = await browser.follow(target)
  assert.match(answer.text, /id="username"[^>]*value="Ada &quot;of&quot; &lt;Wales&gt;"/)
})

test('AU-14 the code of the mail leads to a new password, once, only in the browser that asked', async () => {
  const browser = browserElsewhere()
  const sent = await ask(browser, 'ben')
  const { code, path } = await readMail('ben@example.org')
  const stranger = browserElsewhere()
  assert.equal((await stranger.follow(sent.target)).target, '/login/forgot')
  const typed = code.toLowerCase().replace('-', ' ')
  const page = await browser.submit(sent, { code: typed })
  assert.match(page.target, /^\/login\/forgot\/password\?link=lnk_/)
  assert.equal((await browser.follow(path)).answer.status, 410)
  assert.match((await browser.submit(sent, { code: typed })).answer.text, /incorrect or no longer works/)
  assert.match((await choose(browser, page)).target, /done=password$/)
  assert.ok(await signsIn('ben', chosen))
})

test('AU-13 UXC-03 a link works in another browser, and only the first one continues to the app', async () => {
  const browser = browserElsewhere()
  await ask(browser, 'cleo')
  const { path } = await readMail('cleo@example.org')
  const phone = browserElsewhere()
  const login = await choose(phone, await phone.follow(path))
  assert.equal(login.target, '/login?done=password_elsewhere')
  assert.match(login.answer.text, /go back to the browser where you started/)
  assert.match(login.answer.text, /value="cleo"/)
  const there = await openRecovery(browser)
  const [back = ''] = /<a href="\/login\?pending=[^"]*"/.exec(there.answer.text) ?? []
  const again = await browser.follow(attribute(back, 'href'))
  const done = await browser.submit(again, { username: 'cleo', password: chosen })
  assert.ok(delivered(done).get('code'))
})

test('AU-13 opening a link changes nothing, and the form is refused from another site', async () => {
  await ask(browserElsewhere(), 'dina')
  const { path } = await readMail('dina@example.org')
  const scanner = browserElsewhere()
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    const headers = { 'sec-purpose': 'prefetch', purpose: 'prefetch' }
    const { status } = await send(latchkey.issuer, path, { method, headers })
    assert.ok(status === 200 || status === 204, `${method} ${status}`)
  }
  const page = await scanner.follow(path)
  const { headers } = page.answer
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cache-control'], 'no-store')
  assert.doesNotMatch(page.answer.text, /(src|href)="https?:/)
  const link = new URL(path, latchkey.issuer).searchParams.get('link') ?? ''
  const form = { link, password: chosen, again: chosen }
  const refused = await scanner.post('/login/forgot/password', form, {
    origin: 'https://evil.test',
    'sec-fetch-site': 'cross-site',
  })
  assert.equal(refused.status, 403)
  assert.ok(await signsIn('dina', passwordOf('dina')))
  const weak = await choose(scanner, page, 'dina')
  assert.match(weak.answer.text, /too short/)
  assert.match((await choose(scanner, weak)).target, /done=password/)
})

test('AU-13 of a hundred forms with one link, one changes the password, and a used link says so', async () => {
  await ask(browserElsewhere(), 'emil')
  const { path } = await readMail('emil@example.org')
  const link = new URL(path, latchkey.issuer).searchParams.get('link') ?? ''
  const passwords = Array.from({ length: 100 }, (_, index) => `${chosen} ${index}`)
  const answers = await Promise.all(
    passwords.map(password =>
      newBrowser(latchkey.issuer).post('/login/forgot/password', { link, password, again: password }),
    ),
  )
  const winners = passwords.filter((_, index) => answers[index]?.headers.location?.startsWith('/login?'))
  assert.equal(winners.length, 1)
  for (const { status } of answers) assert.equal(status, 303)
  assert.ok(await signsIn('emil', winners[0] ?? ''))
  const used = await browserElsewhere().follow(path)
  assert.equal(used.answer.status, 410)
  assert.match(used.answer.text, /This link no longer works/)
})

test('AU-14 AU-13 a new mail ends the earlier one, and five wrong codes end the code but not the link', async () => {
  const browser = browserElsewhere()
  const first = await ask(browser, 'fay')
  const { path, code } = await readMail('fay@example.org')
  const tooEarly = await browser.post('/login/forgot', {
    username: 'fay',
    earlier: new URL(first.target, latchkey.issuer).searchParams.get('page') ?? '',
  })
  assert.match(tooEarly.headers.location ?? '', /&done=wait$/)
  const second = await ask(browser, 'fay')
  const newest = await readMail('fay@example.org', 2)
  assert.equal((await browser.follow(path)).answer.status, 410)
  assert.match((await browser.submit(first, { code })).answer.text, /incorrect or no longer works/)
  for (let attempt = 0; attempt < 5; attempt += 1) await browser.submit(second, { code: '2222-2222' })
  const late = await browser.submit(second, { code: newest.code })
  assert.match(late.answer.text, /The code no longer works/)
  assert.match((await choose(browser, await browser.follow(newest.path))).target, /done=password$/)
})

test('AU-13 the link has the address of the configuration, whatever host a request names', async () => {
  const hostile = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  const { status } = await send(latchkey.issuer, '/login/forgot', {
    form: { username: 'gus' },
    headers: { ...hostile, origin: latchkey.issuer, 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(status, 303)
  const { url, text } = await readMail('gus@example.org')
  assert.equal(url.origin, latchkey.issuer)
  assert.doesNotMatch(text, /evil/)
})

describe('AU-05 every name gets the same answer', () => {
  const answersFor = async (username: string) => {
    const browser = browserElsewhere()
    const asked = await browser.post('/login/forgot', { username })
    const target = asked.headers.location ?? ''
    const page = await browser.get(target)
    const earlier = new URL(target, latchkey.issuer).searchParams.get('page') ?? ''
    const wrong = await browser.post('/login/forgot/sent', { page: earlier, code: '2345-6789' })
    const again = await browser.post('/login/forgot', { username, earlier })
    return [asked, page, wrong, again].map(answer => comparable(answer, username))
  }

  test('AU-05 unknown, locked, unverified and shared names get the answer of a known one, byte for byte', async () => {
    const [known = [], ...others] = await Promise.all(
      ['alpha', 'locked', 'unsure', 'nowho', 'twins@example.org', 'gamma@example.org'].map(answersFor),
    )
    assert.equal(known.length, 4)
    for (const other of others) assert.deepEqual(other, known)
  })

  test('AU-13 a locked account and a shared address get a mail without a link that could change a password', async () => {
    const [locked] = await mailsTo(smtp, 'locked@example.org')
    assert.match(locked === undefined ? '' : plainText(locked), /This account is locked/)
    const [twins] = await mailsTo(smtp, 'twins@example.org')
    const text = twins === undefined ? '' : plainText(twins)
    assert.match(text, /twin-one\s+twin-two/)
    assert.doesNotMatch(text, /link=/)
    assert.deepEqual(
      smtp.received.filter(({ to }) => to.includes('unsure@example.org')),
      [],
    )
  })
})

test('AU-07 after twenty mails one address waits, with any name, and after three an account gets no more', async () => {
  const browser = browserElsewhere()
  const ask20 = await Promise.all(
    Array.from({ length: 21 }, () => browser.post('/login/forgot', { username: 'hal' })),
  )
  const limited = ask20.filter(({ headers }) => headers.location?.includes('error=limited'))
  assert.equal(limited.length, 1)
  const page = await browser.follow(limited[0]?.headers.location ?? '')
  assert.equal(page.answer.status, 429)
  const links = (await mailsTo(smtp, 'hal@example.org', 3)).map(mail => readLink(mail).path)
  const pages = await Promise.all(links.map(path => browser.get(path)))
  assert.deepEqual(pages.map(({ status }) => status).toSorted(), [200, 410, 410])
  await ask(browserElsewhere(), 'ivy')
  await mailsTo(smtp, 'ivy@example.org')
  assert.equal(smtp.received.filter(({ to }) => to.includes('hal@example.org')).length, 3)
})

test('LG-03 links, codes and pages of mails are not in the log', async () => {
  const browser = browserElsewhere()
  const sent = await ask(browser, 'joy')
  const { path, code } = await readMail('joy@example.org')
  await browser.follow(path)
  await browser.submit(sent, { code: 'wrong' })
  await choose(browser, await browser.submit(sent, { code }))
  const log = latchkey.server.output()
  assert.match(log, /login\/forgot\/password/)
  for (const secret of [/lnk_[\w-]{43}/, /wtg_[\w-]{43}/, new RegExp(code), new RegExp(canary)])
    assert.doesNotMatch(log, secret)
})

/** Tests the way from a forgotten password through a real mail to the app, and attacks on links and codes. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { mailsTo, plainText } from '../fixtures/outside/received-mail.ts'
import { startSmtp, type TestSmtp } from '../fixtures/outside/smtp-server.ts'
import { authorize, codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { attribute, type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { canary, testConfiguration } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const smtp: TestSmtp = await startSmtp()
after(() => smtp.close())

const names = ['ada', 'ben', 'cleo', 'dina', 'emil', 'fay', 'gus'] as const
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
  const text = plainText((await mailsTo(smtp, address, count)).at(-1) ?? assert.fail())
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

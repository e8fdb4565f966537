/** Tests the change of the user's own address through real mails, and the link “This wasn’t me”. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { mailsTo, plainText } from '../fixtures/outside/received-mail.ts'
import { startSmtp, type TestSmtp } from '../fixtures/outside/smtp-server.ts'
import { codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, canary, testConfiguration } from '../fixtures/server/configuration.ts'
import { ageSessions, onTablesOf } from '../fixtures/server/stored-rows.ts'
import { app, latchkeySuite, sharedLatchkey } from '../fixtures/server/suite.ts'

const smtp: TestSmtp = await startSmtp()
after(() => smtp.close())

const names = ['ada', 'ben', 'cleo', 'dina', 'emil', 'fay', 'lou'] as const
const passwordOf = (name: string) => `${canary} ${name} keeps a lighthouse`

const latchkey = latchkeySuite({
  configuration: addresses => ({
    ...testConfiguration(addresses),
    users: [
      ...names.map(name => user(name, { email: `${name}@example.org`, email_verified: true })),
      ...['gus', 'jo', 'kim'].map(name => user(name, {})),
      { ...user('ina', {}), claims: { email: 'ina@example.org', email_verified: true } },
      user('hal', { email: 'hal@example.org', email_verified: false }),
    ],
  }),
  environment: {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'Harbor <noreply@example.org>',
    LOG_LEVEL: 'trace',
  },
  // From now on these users are like those whom an administrator has created
  onceStarted: server =>
    onTablesOf(server, async tables => {
      await tables.meta.deleteMany({ where: { name: 'configuration_names' } })
    }),
})
const withFile = sharedLatchkey()

function user(username: string, claims: Readonly<Record<string, string | boolean>>) {
  const named = { name: `The Keeper ${username}`, ...claims }
  return { username, password: passwordOf(username), sub: `sub-${username}`, claims: named }
}

async function signedIn(
  username: string,
  back = '/account',
): Promise<{ browser: HttpBrowser; visit: Visit }> {
  const browser = newBrowser(latchkey.issuer)
  const login = await browser.follow(withQuery('/login', { back }))
  const visit = await browser.submit(login, { username, password: passwordOf(username) })
  return { browser, visit }
}

/** Signs in, and asks for a change of the address. */
async function ask(username: string, email: string) {
  const { browser, visit } = await signedIn(username, '/account/email')
  assert.equal(visit.target, '/account/email')
  return { browser, sent: await browser.submit(visit, { email }) }
}

async function readMail(address: string, count: number, page: string) {
  const text = plainText((await mailsTo(smtp, address, count)).at(-1) ?? assert.fail())
  const found = new RegExp(`https?://\\S+${page}\\?link=\\S+`).exec(text)?.[0]
  const code = /\b[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b/.exec(text)?.[0] ?? ''
  return { path: found?.slice(new URL(found).origin.length) ?? '', code, text }
}

const accountPage = async (browser: HttpBrowser) => (await browser.follow('/account')).answer.text

describe('a new address', () => {
  test('the page after it was entered leads back to the account', async () => {
    const { sent } = await ask('ina', 'ina.new@example.com')
    assert.match(sent.answer.text, /<a href="\/account">Back to your account<\/a>/)
  })

  test('a further mail can be asked for on the page that waits for the code, as on the other such pages', async () => {
    const { browser, sent } = await ask('lou', 'lou.new@example.com')
    assert.match(sent.answer.text, />Send a new mail</)
    const [page = '', user = ''] = ['page', 'user'].map(
      name => new RegExp(`name="${name}" value="([^"]+)"`).exec(sent.answer.text)?.[1],
    )
    const resend = { action: 'resend', page, user }
    const early = await browser.post('/account/email/sent', resend)
    assert.equal(early.headers.location, `/account/email/sent?page=${page}&done=wait`)
    assert.match(
      (await browser.get(early.headers.location ?? '')).text,
      /You can ask for a new one in \d+ sec/,
    )
    await onTablesOf(latchkey.server, tables =>
      tables.mailProof.updateMany({
        where: { subject: 'sub-lou' },
        data: { createdAt: new Date(Date.now() - 61_000) },
      }),
    )
    // The mails are sent at the same time if both wait, and may then arrive in either order
    await mailsTo(smtp, 'lou.new@example.com', 1)
    const again = await browser.post('/account/email/sent', resend)
    assert.match(again.headers.location ?? '', /^\/account\/email\/sent\?page=wtg_[^&]+&done=sent$/)
    const news = await browser.follow(again.headers.location ?? '')
    assert.match(news.answer.text, /A new mail is on its way/)
    const { code } = await readMail('lou.new@example.com', 2, '/account/email/confirm')
    assert.equal((await browser.submit(news, { code })).target, '/account?done=email')
    await ageSessions(latchkey.server, 'sub-lou', 600)
    const late = await browser.post('/account/email/sent', resend)
    assert.match(late.headers.location ?? '', /^\/login\/confirm\?back=/, 'MF-04')
  })

  test('is shown once at the consent of a user without a name, with the user name', async () => {
    const { browser } = await signedIn('ina')
    const request = codeRequest(app, newProof(), { client_id: 'web' })
    const { answer } = await browser.follow(withQuery('/connect/authorize', request))
    const [, shown = ''] = /Signed in as ina@example\.org(.*?)Not you/s.exec(answer.text) ?? []
    assert.match(shown, /<bdi[^>]*>ina<\/bdi>/)
  })

  test('AU-15 AU-16 is in force after its code was typed, and both addresses get a mail', async () => {
    const { browser, sent } = await ask('ada', 'Ada.New@Example.COM')
    assert.match(sent.target, /^\/account\/email\/sent\?page=wtg_/)
    assert.match(sent.answer.text, /<bdi>Ada\.New@example\.com<\/bdi>/)
    assert.match(await accountPage(browser), /<bdi>ada@example\.org<\/bdi>/)
    const { code } = await readMail('Ada.New@example.com', 1, '/account/email/confirm')
    const wrong = await browser.submit(sent, { code: 'AAAA-BBBB' })
    assert.match(wrong.answer.text, /That code is incorrect/)
    const done = await browser.submit(wrong, { code: code.toLowerCase() })
    assert.equal(done.target, '/account?done=email')
    assert.match(done.answer.text, /Your email address was changed/)
    assert.match(done.answer.text, /<bdi>Ada\.New@example\.com<\/bdi>/)
    const old = await readMail('ada@example.org', 1, '/login/not-me')
    assert.match(old.path, /^\/login\/not-me\?link=sealed1\./)
    const fresh = await readMail('Ada.New@example.com', 2, '/login/not-me')
    assert.match(fresh.text, /was changed on/)
    assert.equal(fresh.path, '')
  })

  test('AU-15 the link works once, only for the account that asked, and opening it changes nothing', async () => {
    const { browser } = await ask('ben', 'ben.new@example.com')
    const { path } = await readMail('ben.new@example.com', 1, '/account/email/confirm')
    const { browser: other } = await signedIn('cleo')
    const refused = await other.follow(path)
    assert.equal(refused.answer.status, 410)
    assert.doesNotMatch(refused.answer.text, /ben\.new/)
    const link = new URL(path, latchkey.issuer).searchParams.get('link') ?? ''
    assert.equal((await other.post('/account/email/confirm', { link })).headers.location, path)
    const stranger = await newBrowser(latchkey.issuer).follow(path)
    assert.match(stranger.target, /^\/login\?back=%2Faccount%2Femail%2Fconfirm/)
    const again = await newBrowser(latchkey.issuer).submit(stranger, {
      username: 'ben',
      password: passwordOf('ben'),
    })
    assert.match(again.answer.text, /ben\.new@example\.com/)
    const page = await browser.follow(path)
    assert.match(await accountPage(browser), /<bdi>ben@example\.org<\/bdi>/)
    assert.equal((await browser.submit(page, {})).target, '/account?done=email')
    assert.equal((await browser.follow(path)).answer.status, 410)
  })

  test('AU-17 is refused unless it is one address', async () => {
    const { browser, sent } = await ask('cleo', 'a@x.org,b@y.org')
    assert.match(sent.answer.text, /Enter an email address/)
    for (const email of ['a@x.org\r\nBcc: b@y.org', 'a@@x.org', 'a b@x.org', '@x.org', ''])
      assert.match((await browser.submit(sent, { email })).target, /error=invalid/)
    assert.match((await browser.submit(sent, { email: 'CLEO@example.org' })).target, /error=same/)
    const folded = await browser.submit(sent, { email: 'cleo.new＠example.com' })
    assert.match(folded.answer.text, /<bdi>cleo\.new@example\.com<\/bdi>/)
  })

  test('AU-05 an address of another account gets the same answer', async () => {
    const pages = await Promise.all(
      ['fay@example.org', 'stranger@example.org'].map(async email => {
        const { sent } = await ask('dina', email)
        return sent.answer.text
          .replaceAll(email, 'X')
          .replaceAll(/wtg_[\w-]+|nonce="[^"]+"|nonce-[\w-]+/g, '')
      }),
    )
    assert.equal(pages[0], pages[1])
  })

  test('no account can fill the mailbox of a stranger', async () => {
    const { browser, visit } = await signedIn('fay', '/account/email')
    for (let index = 0; index < 3; index += 1)
      assert.match((await browser.submit(visit, { email: 'flooded@example.com' })).target, /\/sent\?/)
    const limited = await browser.submit(visit, { email: 'flooded@example.com' })
    assert.match(limited.target, /^\/account\/email\?error=limited&wait=\d+$/)
  })
})

test('a user of the configuration file cannot change the address, which the next start would restore', async () => {
  const browser = newBrowser(withFile.issuer)
  await browser.submit(await browser.follow('/login'), { ...alice })
  const account = await browser.get('/account')
  assert.match(account.text, /alice@example\.org/)
  assert.doesNotMatch(account.text, /href="\/account\/email"/)
  for (const answer of [
    await browser.get('/account/email'),
    await browser.post('/account/email', { user: alice.sub, email: 'thief@example.com' }),
  ])
    assert.equal(answer.headers.location, '/account')
})

describe('“This wasn’t me”', () => {
  test('AU-13 takes the change of an address back: the page of the mail, its button, and a new password', async () => {
    const { browser, sent } = await ask('emil', 'thief@example.com')
    const { code } = await readMail('thief@example.com', 1, '/account/email/confirm')
    assert.equal((await browser.submit(sent, { code })).target, '/account?done=email')
    const { path } = await readMail('emil@example.org', 1, '/login/not-me')
    const scanner = newBrowser(latchkey.issuer)
    const page = await scanner.follow(path)
    assert.match(page.answer.text, /emil@example\.org again/)
    assert.match(page.answer.text, /added since, or up to a minute before, are removed/)
    assert.match(await accountPage(browser), /thief@example\.com/)
    const link = new URL(path, latchkey.issuer).searchParams.get('link') ?? ''
    const form = { body: `link=${link}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const crossSite = { ...form.headers, origin: 'https://evil.example' }
    assert.equal((await send(latchkey.issuer, '/login/not-me', { ...form, headers: crossSite })).status, 403)
    const done = await scanner.submit(page, {})
    assert.equal(done.target, '/login/not-me/done?mail=true')
    assert.equal((await browser.follow('/account')).target, '/login')
    assert.equal((await scanner.follow(path)).answer.status, 410)
    assert.equal((await scanner.submit(page, {})).answer.status, 410)
    const mail = await readMail('emil@example.org', 2, '/login/forgot/password')
    const choice = await scanner.follow(mail.path)
    const password = `${canary} ten tall trees`
    const chosen = await scanner.submit(choice, { password, again: password })
    const account = await scanner.submit(chosen, { username: 'emil', password })
    assert.match(account.answer.text, /emil@example\.org/)
  })

  test('a damaged or missing link shows a page that leads on', async () => {
    for (const query of ['', '?link=', '?link=sealed1.x.y', `?link=${'a'.repeat(1500)}`]) {
      const { answer } = await newBrowser(latchkey.issuer).follow(`/login/not-me${query}`)
      assert.equal(answer.status, 410)
      assert.match(answer.text, /href="\/login\?back=%2Faccount"/)
    }
  })
})

describe('the offer to add an address', () => {
  test('names its user, and does nothing for a different user who is current when it is answered', async () => {
    const { browser, visit: offer } = await signedIn('jo')
    assert.match(offer.answer.text, /Signed in as The Keeper jo/)
    const asked = codeRequest(app, newProof(), { prompt: 'login' })
    const login = await browser.follow(withQuery('/connect/authorize', asked))
    const other = await browser.submit(login, { username: 'kim', password: passwordOf('kim') })
    assert.match(other.answer.text, /Signed in as The Keeper kim/)
    assert.equal((await browser.submit(offer, { email: 'jo@example.com' })).target, '/account')
    const { target } = await browser.submit(other, { email: 'kim@example.com' })
    assert.match(target, /^\/account\/email\/sent/)
  })

  test('follows a sign-in without one, once a month, and leads on to the app', async () => {
    const browser = newBrowser(latchkey.issuer)
    const login = await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
    const offer = await browser.submit(login, { username: 'gus', password: passwordOf('gus') })
    assert.match(offer.target, /^\/login\/email-offer\?pending=req_/)
    const sent = await browser.submit(offer, { email: 'gus@example.com' })
    assert.match(sent.target, /^\/account\/email\/sent\?page=wtg_[^&]+&pending=req_/)
    const { code } = await readMail('gus@example.com', 1, '/account/email/confirm')
    const done = await browser.submit(sent, { code })
    assert.ok(delivered(done).get('code'))
    assert.match(await accountPage(browser), /<bdi>gus@example\.com<\/bdi>/)
  })

  test('asks to confirm an unverified address, does not repeat within a month, and never blocks', async () => {
    const { browser, visit } = await signedIn('hal')
    assert.match(visit.target, /^\/login\/email-offer\?back=%2Faccount$/)
    assert.match(visit.answer.text, /value="hal@example\.org"/)
    assert.match(visit.answer.text, /href="\/account"[^>]*>Not now/)
    assert.match(visit.answer.text, /<form[^>]* action="\/logout"/, 'LO-06')
    assert.match(await accountPage(browser), /Not confirmed yet/)
    assert.equal((await signedIn('hal')).visit.target, '/account')
  })
})

/** Tests the way of a new user through a real mail to the app, prompt=create, terms of use, and attacks on links and forms. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { mailsTo, plainText } from '../fixtures/outside/received-mail.ts'
import { startSmtp, type TestSmtp } from '../fixtures/outside/smtp-server.ts'
import { codeRequest, delivered, newProof, type Parameters } from '../fixtures/requests/code-flow.ts'
import { comparable } from '../fixtures/requests/comparable-answer.ts'
import { attribute, type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { basic, send, withQuery } from '../fixtures/requests/http-client.ts'
import { userInfo } from '../fixtures/requests/user-info.ts'
import { alice, canary, clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const smtp: TestSmtp = await startSmtp()
after(() => smtp.close())

const password = `${canary} nine quiet harbors`
const termsUri = 'https://app.example.org/terms'
const termsVersion = '2026-03'

const latchkey = latchkeySuite({
  configuration: addresses => ({
    ...testConfiguration(addresses),
    users: [
      ...testConfiguration(addresses).users,
      {
        ...{ username: 'known', password, sub: 'sub-known' },
        claims: { name: 'The Known', email: 'known@example.org', email_verified: true },
      },
    ],
    policies: {
      registration: 'open',
      registration_required_fields: ['given_name'],
      registration_optional_fields: ['website'],
      terms_uri: termsUri,
      terms_version: termsVersion,
    },
  }),
  environment: {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'Harbor <noreply@example.org>',
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'trace',
  },
})

let hosts = 0
/** A browser at its own address, so that the limit of one address does not concern the others. */
function browserElsewhere(): HttpBrowser {
  hosts += 1
  return newBrowser(latchkey.issuer, { 'x-forwarded-for': `198.51.100.${hosts}` })
}

async function openForm(browser: HttpBrowser, changes: Parameters = { prompt: 'create' }): Promise<Visit> {
  return browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof(), changes)))
}

const formOf = (username: string, changes: Readonly<Record<string, string>> = {}) => ({
  ...{ username, email: `${username}@example.org`, given_name: 'Nell', password, again: password },
  terms: 'yes',
  ...changes,
})

const wholeForm = (username: string, changes: Readonly<Record<string, string>> = {}) =>
  formOf(username, { terms_version: termsVersion, ...changes })

async function register(browser: HttpBrowser, username: string, changes = {}): Promise<Visit> {
  return browser.submit(await openForm(browser), formOf(username, changes))
}

/** Returns the link and the code of the newest mail to an address. */
async function readMail(address: string, count = 1) {
  const mail = (await mailsTo(smtp, address, count)).at(-1) ?? assert.fail()
  const text = plainText(mail)
  const [link = ''] = /https?:\/\/\S+\/login\/register\/confirm\?link=\S+/.exec(text) ?? []
  const [code = ''] = /\b[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b/.exec(text) ?? []
  assert.ok(link !== '' && code !== '', text)
  return { path: link.slice(new URL(link).origin.length), code, text }
}

describe('prompt=create', () => {
  test('is listed in the metadata while registration is open, and leads to the registration page', async () => {
    const { text } = await send(latchkey.issuer, '/.well-known/openid-configuration')
    assert.ok(JSON.parse(text).prompt_values_supported.includes('create'))
    const page = await openForm(browserElsewhere())
    assert.match(page.target, /^\/login\/register\?pending=req_/)
    assert.match(page.answer.text, /<h1>Create an account<\/h1>/)
    assert.match(page.answer.text, /At least \d+ characters/)
    assert.match(page.answer.text, /letters, digits and \. _ -, beginning and ending with a letter or digit/)
  })

  test('is refused together with other values', async () => {
    for (const prompt of ['create login', 'create none', 'consent create']) {
      const visit = await openForm(browserElsewhere(), { prompt })
      assert.equal(delivered(visit).get('error'), 'invalid_request')
    }
  })

  test('shows the page also to a signed-in user, who can continue with a sign-in instead', async () => {
    const browser = browserElsewhere()
    const login = await openForm(browser, {})
    assert.ok(delivered(await acceptTerms(browser, await browser.submit(login, { ...alice }))).get('code'))
    const page = await openForm(browser)
    assert.match(page.target, /^\/login\/register/)
    const [link = ''] = /<a href="\/login\?pending=[^"]*"/.exec(page.answer.text) ?? []
    const chooser = await browser.follow(attribute(link, 'href'))
    assert.equal(chooser.answer.status, 200)
    assert.match(chooser.target, /^\/login\?/)
    assert.ok(delivered(await browser.submit(chooser, { ...alice })).get('code'))
  })
})

/** Accepts the terms if the page asks for them. */
async function acceptTerms(browser: HttpBrowser, visit: Visit): Promise<Visit> {
  return visit.target.startsWith('/login/terms') ? browser.submit(visit, {}) : visit
}

describe('a new user', () => {
  test('UXC-01 gets without script from the sign-in page with the link of the mail to the app', async () => {
    const browser = browserElsewhere()
    const proof = newProof()
    const login = await browser.follow(
      withQuery('/connect/authorize', codeRequest(app, proof, { scope: 'openid email profile api' })),
    )
    const [link = ''] = /<a href="\/login\/register\?pending=[^"]*"/.exec(login.answer.text) ?? []
    const page = await browser.follow(attribute(link, 'href'))
    const sent = await browser.submit(page, formOf('nell', { website: 'https://nell.example' }))
    assert.match(sent.target, /^\/login\/register\/sent\?page=wtg_/)
    assert.match(sent.answer.text, /<bdi>nell@example\.org<\/bdi>/)
    const { path, text } = await readMail('nell@example.org')
    assert.doesNotMatch(text, /Nell\b/)
    const confirm = await browser.follow(path)
    assert.match(confirm.answer.text, /User name nell, email nell@example\.org/)
    assert.doesNotMatch(confirm.answer.text, /type="password"/)
    const done = await browser.submit(confirm, {})
    const info = await userInfo(latchkey.issuer, done, proof.verifier)
    assert.equal(info.given_name, 'Nell')
    assert.deepEqual([info.email, info.email_verified], ['nell@example.org', true])
    assert.equal((await browser.follow('/account')).target, '/account')
  })

  test('AU-14 types the code of the mail instead, in the browser of the form only', async () => {
    const browser = browserElsewhere()
    const sent = await register(browser, 'olaf')
    const { code } = await readMail('olaf@example.org')
    assert.equal((await browserElsewhere().follow(sent.target)).target, '/login/register')
    assert.match((await browser.submit(sent, { code: '2222-2222' })).answer.text, /incorrect/)
    const done = await browser.submit(sent, { code: code.toLowerCase().replace('-', ' ') })
    assert.ok(delivered(done).get('code'))
  })

  test('AU-18 must enter the chosen password in another browser, which does not continue to the app', async () => {
    await register(browserElsewhere(), 'pia')
    const { path } = await readMail('pia@example.org')
    const phone = browserElsewhere()
    const page = await phone.follow(path)
    assert.match(page.answer.text, /opened the link in a different browser/)
    const wrong = await phone.submit(page, { password: 'not the chosen one' })
    assert.match(wrong.answer.text, /not the password that you chose/)
    const done = await phone.submit(wrong, { password })
    assert.equal(done.target, '/account')
    assert.match(done.answer.text, /pia/)
  })

  test('learns all faults together, at their fields, and keeps what was typed', async () => {
    const browser = browserElsewhere()
    const page = await register(browser, 'x', {
      email: 'no address',
      given_name: '',
      website: 'x',
      again: '',
      terms: '',
    })
    const { text } = page.answer
    for (const id of ['email-error', 'username-error', 'given_name-error', 'website-error'])
      assert.match(text, new RegExp(`id="${id}"`))
    assert.match(text, /value="no address"/)
    assert.doesNotMatch(page.target, /no\+address|no%20address/)
    assert.doesNotMatch(text, new RegExp(password))
    assert.match(text, /2 to 64 letters, digits and \. _ - that begins and ends with a letter or digit/)
    const taken = await browser.submit(page, formOf(alice.username))
    assert.match(taken.answer.text, /That user name is taken/)
  })

  test('AU-13 the link changes nothing when a scanner opens it, and works once', async () => {
    const browser = browserElsewhere()
    await register(browser, 'quin')
    const { path } = await readMail('quin@example.org')
    for (const method of ['GET', 'HEAD'])
      assert.equal((await send(latchkey.issuer, path, { method })).status, 200)
    const link = new URL(path, latchkey.issuer).searchParams.get('link') ?? ''
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    assert.equal((await browser.post('/login/register/confirm', { link }, foreign)).status, 403)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => browser.post('/login/register/confirm', { link })),
    )
    const created = answers.filter(({ headers }) => !headers.location?.startsWith('/login/register/confirm'))
    assert.equal(created.length, 1)
    const used = await browserElsewhere().follow(path)
    assert.equal(used.answer.status, 410)
    assert.match(used.answer.text, /This link no longer works/)
  })
})

test('AU-05 an address with an account gets the answer of a new one, byte for byte, and a mail that says so', async () => {
  const answersFor = async (email: string) => {
    const browser = browserElsewhere()
    const username = `try-${email.split('@')[0]}`
    const asked = await browser.post('/login/register', wholeForm(username, { email }))
    const target = asked.headers.location ?? ''
    const shown = await browser.get(target)
    const page = new URL(target, latchkey.issuer).searchParams.get('page') ?? ''
    const wrong = await browser.post('/login/register/sent', { page, code: '2345-6789' })
    const again = await browser.post('/login/register/sent', { page, action: 'resend' })
    return [asked, shown, wrong, again].map(answer => comparable(answer, email))
  }
  assert.deepEqual(await answersFor('known@example.org'), await answersFor('fresh@example.org'))
  const [mail] = await mailsTo(smtp, 'known@example.org')
  const text = mail === undefined ? '' : plainText(mail)
  assert.match(text, /You already have an account|already exists/)
  assert.match(text, /known/)
  assert.doesNotMatch(text, /link=/)
})

describe('the terms of use', () => {
  test('are a step of the sign-in of a user who has not accepted this version, once', async () => {
    const browser = browserElsewhere()
    const who = { username: 'known', password }
    const page = await browser.submit(await openForm(browser, { prompt: 'login' }), who)
    assert.match(page.target, /^\/login\/terms\?partial=prt_/)
    assert.match(page.answer.text, new RegExp(`href="${termsUri}"`))
    // Without the answer nothing is issued
    assert.equal((await browser.follow('/account')).target.split('?')[0], '/login')
    assert.ok(delivered(await browser.submit(page, {})).get('code'))
    const again = browserElsewhere()
    assert.ok(delivered(await again.submit(await openForm(again, { prompt: 'login' }), who)).get('code'))
  })

  test('can be refused: the app gets access_denied', async () => {
    const browser = browserElsewhere()
    const page = await browser.submit(await openForm(browser, { prompt: 'login' }), {
      username: 'bob',
      password: `${canary} bob builds bridges`,
    })
    assert.match(page.target, /^\/login\/terms/)
    const pending = new URL(page.target, latchkey.issuer).searchParams.get('pending') ?? ''
    const canceled = await browser.post('/login/cancel', { pending })
    assert.match(canceled.headers.location ?? '', /error=access_denied/)
  })

  test('are shown again to a new user if another version was published after the page was opened', async () => {
    const browser = browserElsewhere()
    const earlier = wholeForm('sven', { terms_version: '2025-12' })
    const { headers } = await browser.post('/login/register', earlier)
    const page = await browser.follow(headers.location ?? '')
    const { text } = page.answer
    assert.match(text, /The terms of use have changed\. Read and accept them to create an account\./)
    assert.match(text, /value="sven@example\.org"/)
    assert.match(text, /value="Nell"/)
    assert.doesNotMatch(text, new RegExp(password))
    const sent = await browser.submit(page, formOf('sven'))
    assert.match(sent.target, /^\/login\/register\/sent/)
  })

  test('MF-03 are not skipped by a password grant, which gets the reason', async () => {
    const { status, text } = await send(latchkey.issuer, '/connect/token', {
      form: {
        ...{ grant_type: 'password', scope: 'api' },
        ...{ username: 'bob', password: `${canary} bob builds bridges` },
      },
      headers: basic('password', clientSecret),
    })
    assert.equal(status, 400)
    const { error, error_description } = JSON.parse(text)
    assert.equal(error, 'invalid_grant')
    assert.match(error_description, /accept the terms of use/)
  })
})

test('AU-07 after forty forms one address waits', async () => {
  const browser = browserElsewhere()
  const answers = await Promise.all(
    Array.from({ length: 41 }, (_, index) => browser.post('/login/register', wholeForm(`flood-${index}`))),
  )
  const limited = answers.filter(({ headers }) => headers.location?.includes('error=limited'))
  assert.equal(limited.length, 1)
  assert.equal((await browser.follow(limited[0]?.headers.location ?? '')).answer.status, 429)
})

test('LG-03 links, codes, pages and passwords are not in the log', async () => {
  const browser = browserElsewhere()
  const sent = await register(browser, 'rosa')
  const { code } = await readMail('rosa@example.org')
  await browser.submit(sent, { code })
  const log = latchkey.server.output()
  assert.match(log, /login\/register\/sent/)
  for (const secret of [/lnk_[\w-]{43}/, /wtg_[\w-]{43}/, new RegExp(code), new RegExp(canary)])
    assert.doesNotMatch(log, secret)
})

/** Tests what users do with their own accounts: the profile, the activity, the data, the deletion; and mails about new devices. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { mailsTo, plainText } from '../fixtures/outside/received-mail.ts'
import { startSmtp, type TestSmtp } from '../fixtures/outside/smtp-server.ts'
import { authorize, codeRequest, newProof, obtainTokens } from '../fixtures/requests/code-flow.ts'
import { attribute, type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, canary, testConfiguration } from '../fixtures/server/configuration.ts'
import { ageSessions, onTablesOf } from '../fixtures/server/stored-rows.ts'
import { app, latchkeySuite, sharedLatchkey } from '../fixtures/server/suite.ts'

const smtp: TestSmtp = await startSmtp()
after(() => smtp.close())

const names = ['ada', 'ben', 'cleo', 'dina', 'emil', 'fay', 'gus', 'hal', 'ivy', 'jo'] as const
const passwordOf = (name: string) => `${canary} ${name} keeps a lighthouse`

const latchkey = latchkeySuite({
  configuration: addresses => ({ ...testConfiguration(addresses), users: names.map(user) }),
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

function user(username: string) {
  const claims = { name: `Keeper ${username}`, email: `${username}@example.org`, email_verified: true }
  return {
    username,
    password: passwordOf(username),
    sub: `sub-${username}`,
    claims: { ...claims, role: 'crew' },
  }
}

async function signedIn(username: string, headers: Readonly<Record<string, string>> = {}) {
  const browser = newBrowser(latchkey.issuer, headers)
  const visit = await browser.submit(await browser.follow('/login'), credentials(username))
  assert.equal(visit.target, '/account')
  return browser
}

function credentials(username: string) {
  return { username, password: passwordOf(username) }
}

async function claimsOf(username: string) {
  const where = { username }
  const row = await onTablesOf(latchkey.server, tables => tables.user.findFirst({ where }))
  return JSON.parse(row?.claims ?? '{}')
}

/** Waits for the work that follows the first sign-in of a user. */
async function isNoted(subject: string): Promise<void> {
  const where = { subject, deviceMailsFrom: { not: null } }
  for (let waited = 0; waited < 100; waited += 1) {
    if (await onTablesOf(latchkey.server, tables => tables.subjectPreference.findFirst({ where }))) return
    await delay(50)
  }
  assert.fail(`no browser of ${subject} was noted`)
}

/** Sends the first form of a page with these values. */
async function submitForm(browser: HttpBrowser, path: string, entered: Readonly<Record<string, string>>) {
  const { text } = await browser.get(path)
  const form = [...text.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([html]) => html)[0] ?? ''
  const hidden = [...form.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(
    ([tag]) => [attribute(tag, 'name'), attribute(tag, 'value')] as const,
  )
  return browser.post(attribute(form, 'action'), [...hidden, ...Object.entries(entered)])
}

describe('the profile', () => {
  test('a changed profile is in the next tokens and at userinfo, and on the pages', async () => {
    const browser = await signedIn('ada')
    const saved = await submitForm(browser, '/account/profile', {
      name: 'Ada Lovelace',
      birthdate: '1815-12-10',
      locale: 'de',
      zoneinfo: 'Europe/London',
    })
    assert.equal(saved.headers.location, '/account/profile?done=saved')
    const page = await browser.get('/account/profile?done=saved')
    assert.match(page.text, /role="status"[^>]*><p>Your profile was saved\./)
    assert.match(page.text, /data-signals="[^"]*displayName&quot;:&quot;Ada Lovelace/)
    const account = await browser.get('/account')
    assert.match(account.text, /Signed in as Ada Lovelace/)
    assert.match(account.text, /<bdi>Deutsch<\/bdi>/)
    const tokens = await obtainTokens(latchkey.issuer, app, {}, browser)
    const { text } = await send(latchkey.issuer, '/connect/userinfo', {
      headers: bearer(tokens.access_token),
    })
    assert.equal(JSON.parse(text).name, 'Ada Lovelace')
    const { birthdate, locale, zoneinfo } = await claimsOf('ada')
    assert.deepEqual([birthdate, locale, zoneinfo], ['1815-12-10', 'de', 'Europe/London'])
  })

  test('UXC-11 all problems are shown with links to their fields, and the entered values stay', async () => {
    const browser = await signedIn('ben')
    const entered = { birthdate: 'yesterday', website: 'javascript:alert(1)', nickname: 'Benny' }
    const refused = await submitForm(browser, '/account/profile', entered)
    assert.equal(refused.headers.location, '/account/profile?error=birthdate+website')
    const { text } = await browser.get('/account/profile?error=birthdate+website')
    assert.match(text, /<title>Error: Your profile/)
    for (const name of ['birthdate', 'website']) {
      assert.match(text, new RegExp(`role="alert"[\\s\\S]*href="#${name}"`))
      assert.match(text, new RegExp(`<input[^>]*id="${name}"[^>]*aria-invalid="true"`))
    }
    for (const value of Object.values(entered)) assert.ok(text.includes(`value="${value}"`), value)
    assert.doesNotMatch((await browser.get('/account/profile')).text, /yesterday/)
  })

  test('no field of the form changes the address, the role, or the user', async () => {
    const browser = await signedIn('cleo')
    const entered = { email: 'x@example.org', role: 'admin', sub: 'sub-ada', name: 'Cleo' }
    await submitForm(browser, '/account/profile', entered)
    const row = await onTablesOf(latchkey.server, tables =>
      tables.user.findFirst({ where: { username: 'cleo' } }),
    )
    assert.deepEqual(JSON.parse(row?.claims ?? ''), { ...user('cleo').claims, name: 'Cleo' })
  })

  test('a user of the configuration file sees the profile, and cannot change it', async () => {
    const browser = newBrowser(withFile.issuer)
    await authorize(browser, codeRequest(app, newProof()))
    const { text } = await browser.get('/account/profile')
    assert.match(text, /Your organization manages these details/)
    assert.doesNotMatch(text, /<form[^>]*action="\/account\/profile"/)
    const refused = await browser.post('/account/profile', { user: alice.sub, version: 'x', name: 'Other' })
    assert.equal(refused.headers.location, '/account')
    assert.match((await browser.get('/account')).text, /Signed in as Alice Liddell/)
  })
})

test('the activity of a user is folded by day, in both languages, with a page of all', async () => {
  const browser = await signedIn('dina')
  for (let repeat = 0; repeat < 2; repeat++) await signedIn('dina')
  const guessing = newBrowser(latchkey.issuer)
  await guessing.submit(await guessing.follow('/login'), { username: 'dina', password: 'wrong' })
  await delay(500)
  const page = await browser.get('/account/activity')
  assert.match(page.text, /<h2>Sign-in refused<\/h2>[\s\S]*<h2>Signed in <span class="tag">3 times</)
  browser.cookies.set('latchkey_locale', 'de')
  const german = await browser.get('/account/activity')
  assert.match(german.text, /<h2>Anmeldung abgelehnt[\s\S]*3-mal/)
  for (const before of ['x', `${'a'.repeat(99)}-b`, "'"])
    assert.equal((await browser.get(withQuery('/account/activity', { before }))).status, 200)
})

describe('the data of a user', () => {
  test('are one JSON file with no secret, after a fresh sign-in', async () => {
    const browser = await signedIn('emil', { 'user-agent': 'A browser of a test' })
    await obtainTokens(latchkey.issuer, app, {}, browser)
    await delay(500)
    const file = await submitForm(browser, '/account/data', {})
    assert.equal(file.status, 200)
    assert.match(String(file.headers['content-disposition']), /^attachment; filename="account-data\.json"$/)
    assert.match(String(file.headers['content-type']), /^application\/json/)
    assert.equal(file.headers['cache-control'], 'no-store')
    const data = JSON.parse(file.text)
    assert.deepEqual(data.account.claims, user('emil').claims)
    assert.equal(data.sessions[0].user_agent, 'A browser of a test')
    assert.equal(data.apps.length, 1)
    assert.deepEqual([data.accepted_terms, data.linked_identities], [null, []])
    assert.deepEqual(data.planned_changes, [])
    const events: readonly { readonly event: string }[] = data.activity
    assert.ok(events.some(({ event }) => event === 'sign_in_succeeded'))
    assert.doesNotMatch(file.text, /\$argon2|(?:ses|code|rt|prt|req)_[\w-]{20}|hash|secret|digest/i)
    assert.ok([...browser.cookies.values()].every(value => value.length < 20 || !file.text.includes(value)))
  })

  test('MF-04 need a new sign-in after five minutes, and a form from another site gets nothing', async () => {
    const browser = await signedIn('fay')
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await browser.post('/account/data', {}, elsewhere)).status, 403)
    await ageSessions(latchkey.server, 'sub-fay', 600)
    for (const answer of [await browser.get('/account/data'), await browser.post('/account/data', {})])
      assert.match(answer.headers.location ?? '', /^\/login\/confirm\?back=%2Faccount%2Fdata/)
  })
})

describe('the deletion of an account', () => {
  test('is planned with the user name, mailed, shown at a sign-in, and canceled there', async () => {
    const browser = await signedIn('gus')
    const page = await browser.get('/account/delete')
    assert.match(page.text, /The audit log keeps your user name/)
    const wrong = await submitForm(browser, '/account/delete', { username: 'gustav' })
    assert.equal(wrong.headers.location, '/account/delete?error=wrong_name')
    const planned = await submitForm(browser, '/account/delete', { username: 'gus' })
    assert.equal(planned.headers.location, '/account?done=deletion_planned')
    assert.match((await browser.get('/account')).text, /It will be deleted on <time[\s\S]*Keep my account/)
    const [{ change }] = JSON.parse((await submitForm(browser, '/account/data', {})).text).planned_changes
    assert.equal(change, 'delete_account')
    const mails = await mailsTo(smtp, 'gus@example.org')
    assert.match(plainText(mails[0] ?? assert.fail()), /Your account will be deleted|It will be deleted on/)
    const again = newBrowser(latchkey.issuer)
    const proof = newProof()
    const request = withQuery('/connect/authorize', codeRequest(app, proof))
    const step = await again.submit(await again.follow(request), credentials('gus'))
    assert.match(step.target, /^\/login\/keep-account\?partial=/)
    assert.match(step.answer.text, /action="\/login\/cancel"/, 'the user can also return to the app')
    assert.match(step.answer.text, /Signing in as Keeper gus/)
    const arrived = await again.submit(step, { answer: 'keep' })
    assert.match(arrived.location?.searchParams.get('code') ?? '', /^code_/)
    assert.doesNotMatch((await browser.get('/account')).text, /It will be deleted on/)
  })

  test('is canceled by the link of the mail, which changes nothing before its button', async () => {
    const browser = await signedIn('hal')
    await submitForm(browser, '/account/delete', { username: 'hal' })
    const text = plainText((await mailsTo(smtp, 'hal@example.org'))[0] ?? assert.fail())
    const link = /https?:\/\/\S+\/account\/delete\/keep\?link=\S+/.exec(text)?.[0] ?? assert.fail(text)
    const stranger = newBrowser(latchkey.issuer)
    const path = link.slice(new URL(link).origin.length)
    for (let visit = 0; visit < 2; visit++)
      assert.match((await stranger.get(path)).text, /It will be deleted on/)
    assert.match((await browser.get('/account')).text, /It will be deleted on/)
    const kept = await stranger.submit(await stranger.follow(path), {})
    assert.match(kept.answer.text, /Your account won’t be deleted\./)
    assert.match((await stranger.get(path)).text, /This link no longer works/)
    assert.doesNotMatch((await browser.get('/account')).text, /It will be deleted on/)
  })

  test('can no longer be canceled once it has started, which each page says', async () => {
    const browser = await signedIn('jo')
    await submitForm(browser, '/account/delete', { username: 'jo' })
    const text = plainText((await mailsTo(smtp, 'jo@example.org'))[0] ?? assert.fail())
    const link = /\/account\/delete\/keep\?link=\S+/.exec(text)?.[0] ?? assert.fail(text)
    const opened = await browser.follow(link)
    await onTablesOf(latchkey.server, tables =>
      tables.plannedChange.updateMany({ where: { subject: 'sub-jo' }, data: { startedAt: new Date() } }),
    )
    const again = newBrowser(latchkey.issuer)
    const step = await again.submit(await again.follow('/login'), credentials('jo'))
    assert.match(step.target, /^\/login\/keep-account\?partial=/)
    const kept = await browser.post('/account/delete/keep', { user: 'sub-jo' })
    assert.equal(kept.headers.location, '/account')
    const pages = [
      step.answer,
      (await browser.submit(opened, {})).answer,
      ...(await Promise.all(['/account', '/account/delete', link].map(path => browser.get(path)))),
    ]
    for (const page of pages) {
      assert.match(page.text, /Your account is being deleted\. This can no longer be canceled\./)
      assert.doesNotMatch(page.text, />Keep my account</)
    }
    assert.equal((await again.submit(step, { answer: 'continue' })).target, '/account')
  })

  test('is not possible for a user of the configuration file', async () => {
    const browser = newBrowser(withFile.issuer)
    await authorize(browser, codeRequest(app, newProof()))
    const { text } = await browser.get('/account/delete')
    assert.match(text, /Your organization manages your account/)
    const refused = await browser.post('/account/delete', { user: alice.sub, username: alice.username })
    assert.equal(refused.headers.location, '/account')
    assert.doesNotMatch((await browser.get('/account')).text, /It will be deleted on/)
  })
})

test('AU-16 a sign-in from a new browser is mailed once, with browser and address, and not one from a known browser', async () => {
  const first = await signedIn('ivy')
  await isNoted('sub-ivy')
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const second = await signedIn('ivy', { 'user-agent': chrome })
  const [mail = assert.fail()] = await mailsTo(smtp, 'ivy@example.org')
  const text = plainText(mail)
  assert.match(text, /Someone signed in to your/)
  assert.match(text, /Chrome on Linux, network address 127\.0\.0\.1/)
  for (const browser of [first, second]) {
    await browser.post('/logout', {})
    await browser.submit(await browser.follow('/login'), credentials('ivy'))
  }
  await signedIn('ivy')
  assert.equal((await mailsTo(smtp, 'ivy@example.org', 2)).length, 2)
})

/** Tests the texts and links of hosted pages, and how much a browser loads for them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { codeRequest, newProof, openConsent } from '../fixtures/requests/code-flow.ts'
import { attribute, newBrowser } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, testConfiguration } from '../fixtures/server/configuration.ts'
import { app, demoLatchkey, latchkeySuite, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const request = withQuery('/connect/authorize', codeRequest(app, newProof()))

describe('the sign-in page', () => {
  test('the sign-in page asks for the email or user name', async () => {
    const { answer } = await newBrowser(latchkey.issuer).follow(request)
    assert.match(answer.text, /<label for="username">Email or user name</)
  })

  test('the sign-in page and its only stylesheet have at most 8 KB compressed', async () => {
    const { answer } = await newBrowser(latchkey.issuer).follow(request)
    const styles = await stylesheetsOf(answer.text)
    assert.equal(styles.length, 1)
    const bytes = [answer.text, ...styles].map(text => gzipSync(text).length)
    assert.ok(Math.max(...bytes) > 500 && bytes.reduce((sum, each) => sum + each, 0) <= 8192, `${bytes}`)
  })

  test('the sign-in page loads no stylesheet and no script of the dashboard', async () => {
    const { answer } = await newBrowser(latchkey.issuer).follow(request)
    const scripts = [...answer.text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => attribute(tag, 'src'))
    assert.equal(scripts.length, 2)
    assert.match(scripts.join(' '), /^\/enhance\.js \/assets\/passkeys-[0-9a-f]{12}\.js$/)
    assert.doesNotMatch(answer.text, /_next|<style/)
    for (const text of await stylesheetsOf(answer.text)) assert.doesNotMatch(text, /\.admin|palette/)
  })
})

describe('the help link of the operator', () => {
  const help = 'https://help.example.org/sign-in'
  const helpful = latchkeySuite({ environment: { LATCHKEY_HELP_URL: help } })

  test('the sign-in page and error pages link to LATCHKEY_HELP_URL', async () => {
    const { answer } = await newBrowser(helpful.issuer).follow(request)
    assert.ok(answer.text.includes(`<a href="${help}">Can’t sign in? Get help</a>`))
    assert.equal(answer.text.split(`href="${help}"`).length - 1, 1, 'one link on each page')
    const refusal = await send(helpful.issuer, '/connect/authorize?client_id=unknown')
    assert.equal(refusal.text.split(`href="${help}"`).length - 1, 1)
  })

  test('without LATCHKEY_HELP_URL the sign-in page has no help link', async () => {
    const { answer } = await newBrowser(latchkey.issuer).follow(request)
    assert.doesNotMatch(answer.text, /Get help/)
  })
})

test('the consent page shows the email address of the account and links to the account page', async () => {
  const { visit } = await openConsent(latchkey.issuer, app)
  assert.match(visit.answer.text, /Signed in as Alice Liddell<bdi[^>]*>alice@example\.org</)
  assert.match(visit.answer.text, /<a href="\/account"[^>]*>your account</)
})

describe('texts that others wrote', () => {
  const text = `Nice"><img src=x onerror=alert(1)><script>alert(2)</script>'`
  const link = `https://x.test/"><script>alert(1)</script>`
  const hostile = latchkeySuite({
    configuration: addresses => {
      const { clients, scopes, users, ...rest } = testConfiguration(addresses)
      const links = { logo_uri: link, client_uri: link, policy_uri: link, tos_uri: link }
      const named = {
        ...clients[0],
        ...links,
        client_id: 'hostile',
        client_name: text,
        scope: 'openid hostile',
      }
      const scope = { name: 'hostile', kind: 'resource', display_name: text, description: text }
      const namedUsers = users.map(user => ({ ...user, claims: { name: text } }))
      return { ...rest, clients: [named], scopes: [...scopes, scope], users: namedUsers }
    },
    environment: { LATCHKEY_SITE_NAME: text.replace('Nice', 'Site'), LATCHKEY_HELP_URL: link },
  })

  test('WF-06 names, texts and links of clients, scopes, users and the site are escaped on hosted pages', async () => {
    const browser = newBrowser(hostile.issuer)
    const changes = { client_id: 'hostile', scope: 'openid hostile' }
    const login = await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof(), changes)))
    const consent = await browser.submit(login, alice)
    const paths = [
      '/',
      '/login',
      '/login/providers',
      '/account',
      '/account/password',
      '/account/profile',
      '/account/activity',
      '/account/authenticator',
      '/logout',
      '/nowhere',
    ]
    const pending = new URL(consent.target, hostile.issuer).search
    const others = await Promise.all([...paths, `/select-account${pending}`].map(path => browser.get(path)))
    for (const { text: html } of [login.answer, consent.answer, ...others]) {
      assert.match(html, /&quot;&gt;&lt;img/)
      assert.doesNotMatch(html, /<img src=x|<script>/)
    }
    assert.match(consent.answer.text, /href="https:\/\/x\.test\/%22%3E%3Cscript/)
  })
})

describe('explanations of error codes', () => {
  for (const address of ['/nowhere', '/connect/authorize', '/connect/authorize?client_id=unknown']) {
    test(`the error page of ${address} links to an explanation that /help/errors has`, async () => {
      const { text } = await send(latchkey.issuer, address)
      const [, code = ''] = /href="\/help\/errors#(\w+)"/.exec(text) ?? []
      const page = await send(latchkey.issuer, '/help/errors')
      assert.equal(page.status, 200)
      assert.match(page.headers['content-type'] ?? '', /^text\/html/)
      assert.match(page.text, new RegExp(`<h[23] id="${code}">`))
    })
  }
})

const demo = demoLatchkey()

test('the sign-in page of the dashboard has no link that leads back to this page', async () => {
  const { target, answer } = await newBrowser(demo.issuer).follow('/admin')
  assert.match(target, /^\/login\?/)
  assert.doesNotMatch(answer.text, /Back to|href="[^"]*\/admin"/)
})

test('an error page in German marks the English details for developers as English', async () => {
  const headers = { 'accept-language': 'de' }
  const { text } = await send(latchkey.issuer, '/connect/authorize?client_id=unknown', { headers })
  assert.match(text, /<html lang="de"/)
  assert.match(text, /<details open="">.*<dt>Beschreibung<\/dt><dd lang="en">/)
})

describe('the start page', () => {
  test('the start page of the demo links to the dashboard', async () => {
    const { text } = await send(demo.issuer, '/')
    assert.match(text, /<a [^>]*href="\/admin"[^>]*><span>Dashboard</)
  })

  test('the start page of a server with its own configuration does not link to the dashboard', async () => {
    assert.doesNotMatch((await send(latchkey.issuer, '/')).text, /href="\/admin"/)
  })
})

/** The content of every stylesheet to which a page links. */
async function stylesheetsOf(page: string): Promise<readonly string[]> {
  const links = [...page.matchAll(/<link\b[^>]*rel="stylesheet"[^>]*>/g)].map(([tag]) =>
    attribute(tag, 'href'),
  )
  const answers = await Promise.all(links.map(link => send(latchkey.issuer, link)))
  for (const { status, headers } of answers) {
    assert.equal(status, 200)
    assert.match(headers['cache-control'] ?? '', /immutable/)
  }
  return answers.map(({ text }) => text)
}

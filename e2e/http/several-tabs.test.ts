/** Tests users with several tabs: sign-ins for different apps, and forms of a session or account that a different tab has left. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allowEverything, codeRequest, delivered, newProof, redeem } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { type Addresses, alice, bob, testConfiguration } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const apps = Array.from({ length: 10 }, (_, index) => `tab-${index}`)

function configuration(addresses: Addresses) {
  const base = testConfiguration(addresses)
  const trusted = base.clients.find(({ client_id }) => client_id === 'trusted')
  const clients = apps.map(client_id => ({ ...trusted, client_id, client_name: `App ${client_id}` }))
  return { ...base, clients: [...base.clients, ...clients] }
}

const latchkey = latchkeySuite({ configuration })
const signedIn = async (user: typeof alice): Promise<HttpBrowser> => {
  const browser = newBrowser(latchkey.issuer)
  await enter(browser, await browser.follow('/login'), user)
  return browser
}

function enter(browser: HttpBrowser, login: Visit, { username, password }: typeof alice): Promise<Visit> {
  return browser.submit(login, { username, password })
}

describe('UXC-03 ten tabs at the sign-in page for different apps all succeed', () => {
  const orders = {
    'in their order': [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    'in the opposite order': [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    'in no order': [4, 9, 0, 7, 2, 8, 1, 6, 3, 5],
  }
  /** Sends the form that the tab has shown since the beginning, or the page that it shows after it was reloaded. */
  const ways = {
    'with the form of each tab': (browser, tab) => enter(browser, tab, alice),
    'after each tab was reloaded': async (browser, tab) => {
      const page = await browser.follow(tab.target)
      return page.target.startsWith('/login')
        ? enter(browser, page, alice)
        : browser.submit(page, { user: alice.sub })
    },
  } satisfies Record<string, (browser: HttpBrowser, tab: Visit) => Promise<Visit>>
  for (const [order, indexes] of Object.entries(orders)) {
    for (const [way, finish] of Object.entries(ways)) {
      test(`UXC-03 tabs for ten apps succeed ${order}, ${way}`, async () => {
        const browser = newBrowser(latchkey.issuer)
        const open = async (clientId: string) => {
          const proof = newProof()
          const parameters = codeRequest(app, proof, { client_id: clientId, state: `state of ${clientId}` })
          return { clientId, proof, page: await browser.follow(withQuery('/connect/authorize', parameters)) }
        }
        const tabs: Awaited<ReturnType<typeof open>>[] = []
        for (const clientId of apps) tabs.push(await open(clientId))
        for (const index of indexes) {
          const { clientId, proof, page } = tabs[index] ?? assert.fail()
          const response = delivered(await finish(browser, page))
          assert.equal(response.get('state'), `state of ${clientId}`)
          const code = response.get('code') ?? ''
          const inHand = { code, proof, clientId, redirectUri: `${app}/callback` }
          assert.equal((await redeem(latchkey.issuer, inHand)).status, 200)
        }
      })
    }
  }
})

describe('UXC-27 a form says what a different tab has changed', () => {
  const pages = ['/account/password', '/account/passkeys', '/account/authenticator', '/account']

  for (const path of pages) {
    test(`UXC-27 the form of ${path} leads to the sign-in after a sign-out, and from there back`, async () => {
      const browser = await signedIn(alice)
      const page = await browser.follow(path)
      await browser.post('/logout', { accounts: 'all' })
      const [action, form] = formOf(path)
      const late = await browser.post(action, form)
      const login = await browser.follow(late.headers.location ?? '')
      assert.equal(page.answer.status, 200)
      assert.match(login.answer.text, /role="alert"[^>]*>.*You may have signed out in another tab/s)
      assert.equal((await enter(browser, login, alice)).target, path)
    })

    test(`UXC-27 the form of ${path} names the account that is current now, and changes nothing of it`, async () => {
      const browser = await signedIn(alice)
      const page = await browser.follow(path)
      await enter(browser, await browser.follow('/login?account=other'), bob)
      const [action, form] = formOf(path)
      const late = await browser.post(action, { user: alice.sub, ...form })
      const account = await browser.follow(late.headers.location ?? '')
      assert.match(page.answer.text, new RegExp(`name="user" value="${alice.sub}"|/account/passkeys/add`))
      assert.equal(account.target, '/account?done=another_account')
      assert.match(account.answer.text, new RegExp(`You’re now signed in as ${bob.name}`))
    })
  }

  function formOf(path: string): readonly [action: string, form: Readonly<Record<string, string>>] {
    if (path === '/account/passkeys') return [`${path}/rename`, { id: 'x', name: 'Phone' }]
    if (path === '/account') return ['/account/sessions/end', {}]
    return [path, { code: '123456', current: 'wrong', password: 'x', again: 'x' }]
  }

  const openConsent = async (browser: HttpBrowser): Promise<Visit> => {
    const asked = codeRequest(app, newProof(), { client_id: 'web' })
    const visit = await browser.follow(withQuery('/connect/authorize', asked))
    assert.match(visit.target, /^\/consent\?/)
    return visit
  }

  test('UXC-27 the consent form leads to the sign-in after a sign-out, and from there to the app', async () => {
    const browser = await signedIn(alice)
    const visit = await openConsent(browser)
    await browser.post('/logout', { accounts: 'all' })
    const login = await browser.submit(visit, allowEverything(visit))
    assert.match(login.answer.text, /You may have signed out in another tab/)
    const again = await enter(browser, login, alice)
    const done = await browser.submit(again, allowEverything(again))
    assert.match(delivered(done).get('code') ?? '', /^code_/)
  })

  test('UXC-27 the consent form of one account asks again as the account that is current now', async () => {
    const browser = await signedIn(alice)
    const visit = await openConsent(browser)
    await enter(browser, await browser.follow('/login?account=other'), bob)
    const again = await browser.submit(visit, allowEverything(visit))
    assert.match(again.answer.text, new RegExp(`You’re now signed in as ${bob.name}`))
    const done = await browser.submit(again, allowEverything(again))
    assert.match(delivered(done).get('code') ?? '', /^code_/)
  })
})

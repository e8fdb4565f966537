/** Tests scopes and identity providers in the dashboard, whose forms are sent without script. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Admin } from '../fixtures/dashboard/administrator.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { type Answer, basic } from '../fixtures/requests/http-client.ts'
import { clientSecret, upstreamConfiguration, ursula } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, startLatchkey } from '../fixtures/server/latchkey.ts'

let upstream: Latchkey
let owner: Admin
let auditor: Admin

const main = sharedStaff(async ({ all }, { issuer }) => {
  ;({ owner, auditor } = all)
  const configuration = upstreamConfiguration(issuer, ['partner'])
  upstream = await startLatchkey({ port: await freePort(), host: '127.0.0.1', configuration })
})
after(() => upstream.stop())

/** The text of a page without its markup. */
function words({ text }: Pick<Answer, 'text'>): string {
  return text
    .replace(/<script[\s\S]*?<\/script>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ')
}

function located({ headers }: Answer): URL {
  return new URL(headers.location ?? '', main.issuer)
}

describe('managing scopes', () => {
  const fields = {
    kind: 'resource',
    display_name: 'See your orders',
    claims: 'role',
    language_0_language: 'de',
    language_0_display_name: 'Bestellungen sehen',
    enabled: 'true',
  }

  test('the page of a scope shows ten of its clients and a link to all', async () => {
    const made = { kind: 'machine', client_name: 'Worker', scope: 'popular.read' }
    assert.equal(
      (await owner.submit('scopes.create', { name: 'popular.read', ...fields }, '/admin/scopes/new')).answer
        .status,
      200,
    )
    for (let index = 0; index < 12; index += 1)
      await owner.submit('clients.create', { ...made, client_id: `worker-${index}` }, '/admin/clients/new')
    const clientsIn = ({ text }: Answer) => text.match(/href="\/admin\/clients\/worker-\d+"/g)?.length
    const first = await owner.get('/admin/scopes/popular.read')
    assert.equal(clientsIn(first), 10)
    assert.match(words(first), /Show all: 12 clients/)
    assert.equal(clientsIn(await owner.get('/admin/scopes/popular.read?clients=all')), 12)
  })

  test('a scope can be created and listed, and is in discovery immediately', async () => {
    const created = await owner.submit(
      'scopes.create',
      { name: 'orders.read', ...fields },
      '/admin/scopes/new',
    )
    assert.equal(created.answer.status, 200, created.answer.text.slice(0, 500))
    const list = words(await owner.get('/admin/scopes'))
    assert.match(list, /orders\.read See your orders/)
    const discovery = await owner.get('/.well-known/openid-configuration')
    assert.match(discovery.text, /"orders\.read"/)
    const page = await owner.get('/admin/scopes/orders.read')
    assert.match(page.text, /value="Bestellungen sehen"/)
  })

  test('problems are reported at the field, and the input is kept', async () => {
    const wrong = { ...fields, name: 'two words', language_0_language: 'de_DE' }
    const { answer } = await owner.submit('scopes.create', wrong, '/admin/scopes/new')
    assert.match(words(answer), /2 problems to fix/)
    assert.match(words(answer), /Names no language/)
    assert.match(answer.text, /value="two words"/)
    assert.match(answer.text, /value="Bestellungen sehen"/)
  })

  test('an API secret is shown once and works for introspection', async () => {
    const shown = await owner.submit(
      'scopes.add_secret',
      { name: 'orders.read', secret_name: 'production', expires_at: '' },
      '/admin/scopes/orders.read/secrets',
    )
    const [secret = ''] = /lks_[A-Za-z0-9_-]{43}/.exec(shown.answer.text) ?? []
    assert.notEqual(secret, '')
    assert.doesNotMatch((await owner.get(shown.target)).text, /lks_[A-Za-z0-9_-]{43}/)
    const body = { token: 'at_nothing' }
    const asked = await newBrowser(main.issuer).post(
      '/connect/introspect',
      body,
      basic('orders.read', secret),
    )
    assert.deepEqual(asked.json(), { active: false })
  })

  test('the second of two concurrent changes shows both versions', async () => {
    const page = '/admin/scopes/orders.read'
    const version = /name="version" value="(\d+)"/.exec((await owner.get(page)).text)?.[1] ?? ''
    const change = (display_name: string) =>
      owner.submit('scopes.update', { ...fields, name: 'orders.read', version, display_name }, page)
    await change('Read your orders')
    const { answer } = await change('Look at orders')
    assert.match(words(answer), /Read your orders/)
    assert.match(answer.text, /value="Look at orders"/)
  })

  test('a scope that clients use is not deleted, and the refusal says that it is used', async () => {
    const page = '/admin/scopes/read'
    const version = /name="version" value="(\d+)"/.exec((await owner.get(page)).text)?.[1] ?? ''
    const { answer } = await owner.submit('scopes.delete', { name: 'read', version }, page)
    assert.match(words(answer), /Used by/)
    const kept = await owner.get(page)
    assert.equal(kept.status, 200)
  })

  test('a scope with the name of a page of the dashboard has its own page', async () => {
    const created = await owner.submit('scopes.create', { name: 'new', kind: 'resource', claims: 'role' })
    assert.equal(created.answer.status, 200)
    const { text } = await owner.get('/admin/scopes')
    assert.match(text, /href="\/admin\/scopes\/~new"/)
    assert.match(words(await owner.get('/admin/scopes/~new')), /role/)
    assert.match(words(await owner.get('/admin/scopes/new')), /New scope/)
  })

  test('AD-01 an auditor can view scopes but not change them', async () => {
    assert.equal((await auditor.get('/admin/scopes')).status, 200)
    assert.equal((await auditor.get('/admin/scopes/new')).status, 403)
    const posted = await auditor.post('scopes.create', { name: 'sneaky', kind: 'resource' })
    assert.equal(posted.status, 403)
  })
})

describe('managing identity providers', () => {
  test('the wizard fetches the metadata of the entered issuer', async () => {
    const address = `${upstream.issuer}/.well-known/openid-configuration`
    const page = await owner.get(`/admin/providers/new?${new URLSearchParams({ issuer: address })}`)
    assert.match(words(page), /Step 2: metadata and name/)
    const known = await owner.get('/admin/providers/new?preset=google')
    assert.match(words(known), /Last step: register this server there/)
    assert.ok(page.text.includes(`${upstream.issuer}/connect/token`))
    const wrong = await owner.get('/admin/providers/new?issuer=http%3A%2F%2F127.0.0.1%3A9')
    assert.match(words(wrong), /It refused the connection/)
  })

  test('the redirect URI to register is shown before the provider is stored', async () => {
    const query = new URLSearchParams({ issuer: upstream.issuer, scheme: 'partner', display_name: 'Partner' })
    const page = await owner.get(`/admin/providers/new?${query}`)
    assert.match(page.text, /<input[^>]*value="openid profile email"/)
    assert.ok(page.text.includes(`${main.issuer}/login/external/partner/callback`))
  })

  test('AD-05 a new provider is stored disabled, and its secret is never shown', async () => {
    const fields = {
      issuer: upstream.issuer,
      scheme: 'partner',
      display_name: 'Partner',
      client_id: 'downstream',
      client_secret: clientSecret,
      is_public: 'false',
      domains: 'partner.example',
      enabled: 'false',
    }
    const saved = await owner.submit('providers.create', fields, '/admin/providers/new')
    assert.equal(saved.answer.status, 200)
    for (const path of ['', '/partner', '/partner/clients', '/partner/test'])
      assert.ok(!(await owner.get(`/admin/providers${path}`)).text.includes(clientSecret), path)
    assert.doesNotMatch((await owner.get('/login')).text, /Continue with Partner/)
  })

  test('a test sign-in that works offers to enable the provider', async () => {
    const { answer } = await tryOut()
    assert.match(words(answer), /Partner is disabled/)
    assert.match(answer.text, /Enable Partner/)
    assert.doesNotMatch((await owner.get('/admin/providers/partner/test')).text, /Enable Partner/)
  })

  test('a test sign-in shows the claims once and creates no account', async () => {
    const back = await tryOut()
    assert.match(words(back.answer), /The sign-in works/)
    assert.match(words(back.answer), /ursula@upstream\.example/)
    assert.match(words(back.answer), /would create one/)
    assert.doesNotMatch(words(await owner.get(back.target)), /ursula@upstream\.example/)
    assert.match(words((await tryOut()).answer), /would create one/)
    assert.match(words(await owner.get('/admin/providers')), /partner\.example 0/)
  })

  test('the response to a test sign-in is refused for any other session', async () => {
    const callback = await atCallback()
    const stranger = newBrowser(main.issuer)
    const landed = await stranger.follow(callback.pathname + callback.search)
    assert.equal(landed.location, null)
    assert.ok(![...stranger.cookies.keys()].some(name => name.endsWith('latchkey_session')))
    const other = await auditor.get(leadsTo(landed.answer))
    assert.equal(other.status, 403)
  })

  test('AD-01 an auditor can neither change nor test a provider, and another site cannot start a test', async () => {
    assert.equal((await auditor.get('/admin/providers/partner')).status, 200)
    assert.equal((await auditor.get('/admin/providers/new')).status, 403)
    assert.equal(
      (await auditor.browser.post('/admin/do/providers.start_test', { scheme: 'partner' })).status,
      403,
    )
    assert.equal(
      (await auditor.post('providers.set_enabled', { scheme: 'partner', enabled: 'true' })).status,
      403,
    )
    const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const forged = await owner.browser.post(
      '/admin/do/providers.start_test',
      { scheme: 'partner' },
      crossSite,
    )
    assert.equal(forged.status, 403)
  })

  test('an enabled provider is offered immediately, and its page lists clients that allow every provider', async () => {
    await owner.submit(
      'providers.set_enabled',
      { scheme: 'partner', enabled: 'true' },
      '/admin/providers/partner',
    )
    assert.match((await newBrowser(main.issuer).get('/login')).text, /Continue with Partner/)
    const page = await owner.get('/admin/providers/partner/clients')
    assert.match(words(page), /every provider/)
  })

  test('a hidden provider is marked in the list and on its page', async () => {
    const issuer = 'https://backstage.example'
    const fields = { issuer, scheme: 'backstage', display_name: 'Backstage', client_id: 'latchkey' }
    const choices = { is_public: 'true', enabled: 'true', hidden: 'true' }
    await owner.submit('providers.create', { ...fields, ...choices }, '/admin/providers/new')
    assert.match(words(await owner.get('/admin/providers/backstage')), /Enabled Hidden/)
    assert.equal(words(await owner.get('/admin/providers')).match(/Enabled Hidden/g)?.length, 1)
  })
})

/** Starts a test sign-in and signs in at the provider. Returns the callback, which is not opened yet. */
async function atCallback(): Promise<URL> {
  const away = located(await owner.browser.post('/admin/do/providers.start_test', { scheme: 'partner' }))
  assert.equal(away.origin, upstream.issuer)
  const there = newBrowser(upstream.issuer)
  const signIn = await there.follow(away.pathname + away.search)
  const { username, password } = ursula
  const { location } = await there.submit(signIn, { username, password })
  return location ?? assert.fail('the provider did not answer')
}

async function tryOut(): Promise<Visit> {
  const callback = await atCallback()
  const landed = await owner.get(callback.pathname + callback.search)
  assert.equal(landed.status, 200)
  return owner.browser.follow(leadsTo(landed))
}

/** The address to which a page refreshes by itself. */
function leadsTo({ headers }: Answer): string {
  return String(headers.refresh ?? '').replace(/^0;url=/, '')
}

/**
 * Tests the client test of the dashboard. It runs a client's real flow with a temporary copy of its registration, the hidden
 * client, so that it leaves no grant or token of the client.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Admin, openAdmin } from '../fixtures/dashboard/administrator.ts'
import { beginTest, type TestChoices, testDeparture } from '../fixtures/dashboard/client-test.ts'
import { allowEverything, machineToken } from '../fixtures/requests/code-flow.ts'
import type { Visit } from '../fixtures/requests/http-browser.ts'
import type { Answer } from '../fixtures/requests/http-client.ts'
import { alice, bob, clientSecret } from '../fixtures/server/configuration.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

const latchkey = latchkeySuite()
let admin: Admin
let opened: Promise<Admin> | undefined

async function openOnce(): Promise<void> {
  opened ??= openAdmin(latchkey.server)
  admin = await opened
}

/** Runs a test to its end. Gives consent if that is required. */
async function run(clientId: string, choices: TestChoices = {}): Promise<Visit> {
  const visit = await admin.browser.follow(await testDeparture(admin, clientId, choices))
  return visit.target.startsWith('/consent') ? admin.browser.submit(visit, allowEverything(visit)) : visit
}

/** The result of each step by its text, in the order of the page. */
function stepsOf({ answer }: Visit): Readonly<Record<string, string>> {
  const list = /<ol class="checks untimed list"[\s\S]*?<\/ol>/.exec(answer.text)?.[0] ?? ''
  const spoken = [...list.matchAll(/visually-hidden">(Passed|Failed|Skipped|Not reached): <\/span>([^<]*)/g)]
  return Object.fromEntries(spoken.map(([, result = '', text = '']) => [text, result]))
}

function claimsOf({ answer }: Visit, from: string, part = 'claims'): Record<string, unknown> {
  const block = new RegExp(`<code id="${from}-${part}">([\\s\\S]*?)</code>`).exec(answer.text)?.[1] ?? 'null'
  const text = block.replaceAll(/<span class="aside"[\s\S]*?<\/span>|<!-- -->/g, '')
  return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

/** The chart with this name. Other charts also name clients. */
function chartNamed(name: string, { text }: Answer): string {
  const charts = text.match(/<section class="sheet chart[\s\S]*?<\/section>/g) ?? []
  return charts.find(chart => chart.includes(`>${name}</`)) ?? ''
}

const works = /The client works/

describe('the result page of a client test', () => {
  before(openOnce)

  test('a test of a web app with its secret passes every step and shows the claims of the admin', async () => {
    const result = await run('web', { secret: clientSecret })
    assert.match(result.answer.text, works)
    assert.deepEqual(new Set(Object.values(stepsOf(result))), new Set(['Passed']))
    assert.equal(claimsOf(result, 'identity_token').sub, alice.sub)
    assert.equal(claimsOf(result, 'identity_token').aud, 'web')
    assert.equal(claimsOf(result, 'userinfo').name, alice.name)
    assert.equal(claimsOf(result, 'identity_token', 'header').alg, 'RS256')
    assert.match(result.answer.text, /Expires in (?:5 minutes|299 seconds)/)
    assert.match(result.answer.text, /A refresh token came with it/)
  })

  test('the result of a test is shown once and contains no token', async () => {
    const result = await run('trusted')
    assert.match(result.answer.text, works)
    assert.doesNotMatch(result.answer.text, /eyJ[\w-]{10}|\b(?:rt|at|code)_[\w-]{20}/)
    assert.doesNotMatch((await admin.get(result.target)).text, works)
  })

  for (const [clientId, received] of [
    ['trusted', ['identity_token', 'access_token', 'userinfo']],
    ['reference', ['identity_token', 'access_token', 'userinfo']],
    ['public', ['identity_token', 'access_token', 'userinfo']],
    ['native', ['identity_token', 'access_token', 'userinfo']],
    ['plain-pkce', ['identity_token', 'access_token', 'userinfo']],
    ['no-pkce', ['identity_token', 'access_token', 'userinfo']],
  ] as const) {
    test(`a test of ${clientId} works without one of its secrets`, async () => {
      const result = await run(clientId)
      assert.match(result.answer.text, works)
      for (const from of received) assert.notEqual(claimsOf(result, from), null, from)
    })
  }

  test('a test of an implicit client uses form_post, because a fragment stays in the browser', async () => {
    const page = await admin.browser.follow(await testDeparture(admin, 'spa'))
    const result = await admin.browser.submit(page, {})
    assert.match(result.answer.text, works)
    assert.equal(claimsOf(result, 'identity_token').aud, 'spa')
    assert.equal(claimsOf(result, 'access_token').client_id, 'spa')
  })

  for (const clientId of ['machine', 'machine-reference']) {
    test(`a test of ${clientId} requests a token with the entered secret`, async () => {
      const { location = '' } = (await beginTest(admin, clientId, { secret: clientSecret })).headers
      const result = await admin.browser.follow(location)
      assert.match(result.answer.text, works)
      assert.equal(claimsOf(result, 'access_token').client_id, clientId)
      assert.equal(Object.keys(stepsOf(result)).length, 3)
    })
  }

  test('a test of a machine client without a secret reports the missing secret at the field', async () => {
    const { location = '' } = (await beginTest(admin, 'machine')).headers
    const { answer } = await admin.browser.follow(location)
    assert.match(answer.text, /id="client_secret-error"[^>]*>Enter one of its secrets/)
  })

  test('the page of a client that cannot be tested says why', async () => {
    const { text } = await admin.get('/admin/clients/password/test')
    assert.match(text, /This client cannot be tested here/)
    assert.match(text, /a user’s password/)
    assert.doesNotMatch(text, /Run the test/)
  })
})

describe('the choices of a client test', () => {
  before(openOnce)

  async function requestOf(clientId: string, choices: TestChoices): Promise<URLSearchParams> {
    return new URL(await testDeparture(admin, clientId, choices), latchkey.issuer).searchParams
  }

  test('a client test requests the chosen flow, scopes, prompt, level and age', async () => {
    const level = { acr_values: 'urn:latchkey:mfa', max_age: '60' }
    const flow = { flow: 'code_form_post', scope: ['openid'], prompt: 'login' }
    const asked = await requestOf('web', { ...flow, ...level })
    const names = ['response_type', 'response_mode', 'scope', 'prompt', 'acr_values', 'max_age']
    const sent = names.map(name => asked.get(name))
    assert.deepEqual(sent, ['code', 'form_post', 'openid', 'login', 'urn:latchkey:mfa', '60'])
    const plain = await requestOf('web', flow)
    assert.deepEqual([plain.has('acr_values'), plain.has('max_age')], [false, false])
  })

  test('a client test reports a wrong age at its field', async () => {
    const { location = '' } = (await beginTest(admin, 'web', { max_age: 'soon' })).headers
    const { answer } = await admin.browser.follow(location)
    assert.match(answer.text, /id="max_age-error"[^>]*>[^<]*must be a number of seconds/i)
  })

  test('a client test requests only scopes that the chosen flow can have', async () => {
    const asked = await requestOf('spa', { flow: 'id_token', scope: ['openid', 'api'] })
    assert.deepEqual([asked.get('response_type'), asked.get('scope')], ['id_token', 'openid'])
  })

  test('a client test with a new sign-in returns to its result', async () => {
    const login = await admin.browser.follow(await testDeparture(admin, 'trusted', { prompt: 'login' }))
    assert.match(login.target, /^\/login/)
    const result = await admin.browser.submit(login, { username: alice.username, password: alice.password })
    assert.match(result.answer.text, works)
  })

  test('a client test reports what prompt=none is refused with', async () => {
    const result = await run('web', { prompt: 'none' })
    assert.match(result.answer.text, /The authorization endpoint refused the request/)
  })

  test('a flow that the client does not allow is refused at its field, and the choices stay', async () => {
    const { location = '' } = (await beginTest(admin, 'web', { flow: 'token', scope: ['openid'] })).headers
    const { text } = (await admin.browser.follow(location)).answer
    assert.match(text, /This client does not allow this flow/)
    assert.equal(text.match(/name="scope"[^>]* checked/g)?.length, 1)
  })
})

describe('failures that a client test reports', () => {
  before(openOnce)

  test('a wrong secret ends the test immediately, with a request trace', async () => {
    const { location = '' } = (await beginTest(admin, 'web', { secret: 'not the secret' })).headers
    assert.match(location, /^\/admin\/clients\/web\/test\?one_time_result=/)
    const result = await admin.browser.follow(location)
    assert.equal(Object.values(stepsOf(result))[0], 'Failed')
    const tracePath = /href="(\/admin\/events\/requests\/[^"]+)"/.exec(result.answer.text)?.[1] ?? ''
    assert.match((await admin.get(tracePath)).text, /sent a wrong secret/)
  })

  test('a disabled scope is named in the result and in the request trace', async () => {
    await admin.submit('scopes.create', { name: 'ghosts' })
    await admin.submit('clients.create', {
      kind: 'web',
      client_name: 'Ghost',
      client_id: 'ghost',
      redirect_uris: 'https://ghost.example/callback',
      scope: 'openid ghosts',
    })
    await admin.submit('scopes.set_enabled', { name: 'ghosts', enabled: 'false' })
    const result = await run('ghost')
    assert.match(result.answer.text, /Its scope &quot;ghosts&quot; does not exist here/)
    const tracePath =
      /href="(\/admin\/events\/requests\/[^"]+)">Request trace/.exec(result.answer.text)?.[1] ?? ''
    assert.match((await admin.get(tracePath)).text, /requested scope ghosts, which doesn’t exist/)
  })

  test('a test whose consent the user denies reports a refusal', async () => {
    const consent = await admin.browser.follow(await testDeparture(admin, 'web'))
    const denied = await admin.browser.submit(consent, { decision: 'deny' })
    assert.match(denied.answer.text, /The authorization endpoint refused the request/)
  })

  test('the page of a disabled client says that it cannot be tested', async () => {
    const { location = '' } = (await beginTest(admin, 'disabled')).headers
    assert.match((await admin.browser.follow(location)).answer.text, /This client is disabled/)
  })
})

describe('after a client test', () => {
  before(openOnce)

  test('a client test asks for consent each time, does not offer to remember it, and leaves no grant', async () => {
    await run('web')
    const again = await admin.browser.follow(await testDeparture(admin, 'web'))
    assert.match(again.target, /^\/consent/)
    assert.doesNotMatch(again.answer.text, /name="remember"/)
    assert.doesNotMatch((await admin.get('/admin/clients/web/access')).text, /name="grant_id"/)
  })

  test('the audit log and events identify a client test, and charts leave it out', async () => {
    await run('other')
    assert.match(
      (await admin.get('/admin/changes')).text,
      /tested client<\/span> <a[^>]*\/admin\/clients\/other"/,
    )
    assert.match((await admin.get('/admin/events?name=admin_changed')).text, /tested a client/)
    assert.doesNotMatch((await admin.get('/admin/clients/other/history')).text, /tested client/)
    await machineToken(latchkey.issuer, 'machine', 'api')
    const busiest = chartNamed('Clients by tokens', await admin.get('/admin'))
    assert.match(busiest, /\/admin\/clients\/machine"/, 'other requests are counted')
    assert.doesNotMatch(busiest, /Other Web App|\/admin\/clients\/other"/)
  })

  test('a failed sign-in during a client test is recorded for the tested client, not for the hidden one', async () => {
    const consent = await admin.browser.follow(await testDeparture(admin, 'web'))
    const pending = new URL(consent.target, latchkey.issuer).searchParams.get('pending') ?? ''
    await admin.browser.post('/login', { pending, username: bob.username, password: 'wrong' })
    const { text } = await admin.get('/admin/events?name=sign_in_failed')
    assert.ok(text.includes('href="/admin/events?client=web"'), 'the tested client')
    assert.ok(!text.includes('tst_'), 'the hidden client')
  })
})

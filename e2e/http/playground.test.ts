/**
 * Tests the playground: every flow of the demo clients, a client of a configuration file, and a server without a fitting client.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { type Answer, send } from '../fixtures/requests/http-client.ts'
import { alice, clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { startLatchkey } from '../fixtures/server/latchkey.ts'
import { app, demoLatchkey, sharedLatchkey } from '../fixtures/server/suite.ts'

const demo = demoLatchkey()
const demoAlice = { username: 'alice', password: 'wonderland-tea-party' }

/** Starts a run, signs in and gives consent if required, and returns the last page. */
async function run(
  browser: HttpBrowser,
  fields: readonly (readonly [string, string])[],
  user: { readonly username: string; readonly password: string } = demoAlice,
): Promise<Visit> {
  const started = await browser.post('/playground/start', fields)
  let visit = await browser.follow(started.headers.location ?? '/')
  for (let pages = 0; pages < 5 && !visit.target.startsWith('/playground'); pages++) {
    if (visit.target.startsWith('/login')) visit = await browser.submit(visit, user)
    else if (visit.target.startsWith('/consent')) {
      const scopes = fields.filter(([name]) => name === 'scope')
      visit = await browser.submit(visit, [...scopes, ['decision', 'allow']])
    } else visit = await browser.submit(visit, {})
  }
  return visit
}

const openid = [
  ['scope', 'openid'],
  ['scope', 'profile'],
] as const

/** The first group of each match of the pattern. */
function valuesIn({ text }: Answer, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, value = '']) => value)
}

test('every flow of every demo client works with the settings that the playground offers', async () => {
  const ran: string[] = []
  const { get } = newBrowser(demo.issuer)
  for (const client of valuesIn(await get('/playground'), /href="\/playground\?client=([^"]+)"/g)) {
    const page = await get(`/playground?client=${client}`)
    const scopes = valuesIn(page, /name="scope" checked="" value="([^"]+)"/g)
    assert.ok(scopes.length > 0, client)
    const [select = ''] = /<select[^>]*name="flow"[\s\S]*?<\/select>/.exec(page.text) ?? []
    for (const [, flow = ''] of select.matchAll(/value="([^"]+)"/g)) {
      const chosen = scopes.map(scope => ['scope', scope] as const)
      const fields = [['client', client], ['flow', flow], ['prompt', ''], ...chosen] as const
      const visit = await run(newBrowser(demo.issuer), fields)
      ran.push(`${client} ${flow}: ${visit.target}`)
    }
  }
  assert.deepEqual(
    ran,
    [
      ['demo-web', 'code'],
      ['demo-web', 'code_form_post'],
      ['demo-spa', 'code'],
      ['demo-spa', 'code_form_post'],
      ['demo-machine', 'client_credentials'],
      ['demo-machine-reference', 'client_credentials'],
      ['demo-implicit', 'id_token_token'],
      ['demo-implicit', 'id_token'],
      ['demo-implicit', 'token'],
    ].map(([client, flow]) => `${client} ${flow}: /playground/result`),
  )
})

describe('the flows of the playground', () => {
  for (const [client, flow, shown, absent] of [
    ['demo-web', 'code', ['ID token', 'Access token', 'User info', 'curl http'], []],
    ['demo-spa', 'code_form_post', ['ID token', 'Access token', 'User info'], ['Introspect<']],
    ['demo-implicit', 'id_token', ['ID token'], ['Access token', 'User info', 'curl http']],
    ['demo-implicit', 'id_token_token', ['ID token', 'Access token', 'User info'], ['curl http']],
  ] as const) {
    test(`the playground runs ${flow} with ${client} and shows its tokens`, async () => {
      const visit = await run(newBrowser(demo.issuer), [['client', client], ['flow', flow], ...openid])
      assert.equal(visit.target, '/playground/result')
      for (const text of ['Signed in as Alice', ...shown]) assert.ok(visit.answer.text.includes(text), text)
      for (const text of absent) assert.ok(!visit.answer.text.includes(text), text)
    })
  }

  test('the playground requests tokens for a client without a user', async () => {
    const fields = [
      ['client', 'demo-machine'],
      ['flow', 'client_credentials'],
      ['scope', 'orders.read'],
    ] as const
    const visit = await run(newBrowser(demo.issuer), fields)
    assert.equal(visit.target, '/playground/result')
    assert.ok(visit.answer.text.includes('Tokens for Demo machine (JWT)'))
  })

  test('the playground shows when a token was issued and when it expires', async () => {
    const { answer } = await run(newBrowser(demo.issuer), [
      ['client', 'demo-web'],
      ['flow', 'code'],
      ...openid,
    ])
    assert.match(answer.text, /Issued (now|\d+ seconds? ago)/)
    assert.match(answer.text, /Expires in (\d+ minutes|1 hour)/)
  })

  test('the playground sends the prompt, and shows the error with the choices of the run', async () => {
    const fields = [
      ['client', 'demo-web'],
      ['flow', 'code'],
      ['prompt', 'none'],
      ['scope', 'openid'],
    ] as const
    const visit = await run(newBrowser(demo.issuer), fields)
    assert.match(
      visit.target,
      /^\/playground\?client=demo-web&flow=code&scope=openid&prompt=none&error=login_required/,
    )
    assert.match(visit.answer.text, /<option value="none" selected="">/)
    assert.equal(visit.answer.text.match(/name="scope" checked/g)?.length, 1)
  })

  test('the playground sends acr_values and max_age, and keeps them for the next run', async () => {
    const browser = newBrowser(demo.issuer)
    const fields = { client: 'demo-web', flow: 'code', scope: 'openid', prompt: 'none' }
    const level = { acr_values: 'urn:latchkey:mfa', max_age: '60' }
    const { location = '' } = (await browser.post('/playground/start', { ...fields, ...level })).headers
    const { searchParams } = new URL(location, demo.issuer)
    assert.deepEqual(
      [searchParams.get('acr_values'), searchParams.get('max_age')],
      ['urn:latchkey:mfa', '60'],
    )
    const again = await browser.follow(location)
    assert.match(again.target, /^\/playground\?.*acr_values=urn%3Alatchkey%3Amfa&max_age=60&error=/)
    assert.match(again.answer.text, /name="acr_values"[^>]* value="urn:latchkey:mfa"/)
    assert.match(again.answer.text, /name="max_age"[^>]* value="60"/)
    const plain = (await browser.post('/playground/start', { ...fields, acr_values: ' ', max_age: '' }))
      .headers
    assert.doesNotMatch(plain.location ?? '', /acr_values|max_age/)
  })

  test('the playground refreshes and revokes the tokens of a run', async () => {
    const browser = newBrowser(demo.issuer)
    await run(browser, [['client', 'demo-web'], ['flow', 'code'], ...openid, ['scope', 'offline_access']])
    const refreshed = await browser.post('/playground/call', { call: 'refresh' })
    assert.equal(refreshed.headers.location, '/playground/result?done=refreshed')
    const revoked = await browser.post('/playground/call', { call: 'revoke' })
    assert.equal(revoked.headers.location, '/playground/result?done=revoked')
    assert.match((await browser.get('/playground/result')).text, /status 401/)
  })

  test('a token that the browser posts cannot add attributes to its cookie', async () => {
    const browser = newBrowser(demo.issuer)
    const start = { client: 'demo-implicit', flow: 'id_token_token', scope: 'openid' }
    const { location = '' } = (await browser.post('/playground/start', start)).headers
    const state = new URL(location, demo.issuer).searchParams.get('state') ?? ''
    for (const token of ['a; Path=/; Domain=localhost', 'a\r\nX-Added: 1', '€']) {
      const returned = { state, iss: demo.issuer, access_token: token, token_type: 'Bearer' }
      const answer = await browser.post('/playground/callback', returned)
      assert.equal(answer.status, 303)
      const cookies = [answer.headers['set-cookie'] ?? []].flat()
      const cookie = cookies.find(text => text.startsWith('latchkey_playground_access_token='))
      assert.match(cookie ?? '', /^latchkey_playground_access_token=[^; ]+; Path=\/playground; HttpOnly;/)
    }
  })

  test('WF-04 another site cannot start a run', async () => {
    const form = { client: 'demo-web', flow: 'code' }
    const answer = await newBrowser(demo.issuer).post('/playground/start', form, {
      'sec-fetch-site': 'cross-site',
    })
    assert.equal(answer.status, 403)
  })
})

describe('the playground with other clients than the demo', () => {
  let issuer = ''
  let stop: () => Promise<unknown> = async () => {}
  before(async () => {
    const port = await freePort()
    issuer = `http://localhost:${port}`
    const redirect_uris = [`${issuer}/playground/callback`]
    const { clients, ...rest } = testConfiguration({ app })
    const played = { ...clients[0], client_id: 'played', client_name: 'Played App', redirect_uris }
    const server = await startLatchkey({ port, configuration: { ...rest, clients: [...clients, played] } })
    stop = server.stop
  })
  after(() => stop())

  test('a client with a secret runs with the secret that the user enters', async () => {
    const browser = newBrowser(issuer)
    assert.match((await browser.get('/playground')).text, /<input[^>]* name="client_secret"/)
    const fields = [
      ['client', 'played'],
      ['flow', 'code'],
      ['client_secret', clientSecret],
      ...openid,
    ] as const
    const visit = await run(browser, fields, alice)
    assert.equal(visit.target, '/playground/result')
    assert.ok(![...browser.cookies.values(), visit.answer.text].some(text => text.includes(clientSecret)))
  })

  test('a wrong secret is reported with the error of the token endpoint', async () => {
    const fields = [['client', 'played'], ['flow', 'code'], ['client_secret', 'wrong'], ...openid] as const
    const visit = await run(newBrowser(issuer), fields, alice)
    assert.match(visit.target, /error=invalid_client/)
  })
})

describe('the playground without a client', () => {
  const latchkey = sharedLatchkey()

  test('the start page says that the playground needs a client, and the playground what to register', async () => {
    assert.match(
      (await send(latchkey.issuer, '/')).text,
      /Playground<\/span><span[^>]*>Needs a registered client</,
    )
    const { text } = await send(latchkey.issuer, '/playground')
    assert.ok(text.includes(`${latchkey.issuer}/playground/callback`))
    assert.doesNotMatch(text, /action="\/playground\/start"/)
  })
})

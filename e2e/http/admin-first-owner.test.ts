/**
 * Tests how the first administrator is created: by the link that the server writes at its start, or on the command line; and
 * the admin IP allow-list.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  enter,
  firstOwnerLink,
  isInside,
  runAdminCommand,
  signInAt,
} from '../fixtures/dashboard/administrator.ts'
import { type Api, staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { send } from '../fixtures/requests/http-client.ts'
import { createUser } from '../fixtures/requests/own-password.ts'
import { bob, canary, testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, logged, type StartOptions, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

describe('creating the first owner', () => {
  const latchkey = latchkeySuite()
  const password = `${canary} the first door of all`
  const account = (changes = {}) => ({ username: 'first', name: 'First Owner', password, ...changes })

  test('without any administrator the dashboard points to the link in the terminal and shows no form', async () => {
    const { target, answer } = await newBrowser(latchkey.issuer).follow('/admin')
    assert.deepEqual([new URL(target, latchkey.issuer).pathname, answer.status], ['/admin/sign-in', 403])
    assert.match(answer.text, /Use the link in the terminal/)
    assert.doesNotMatch(answer.text, /href="\/admin|action="\/login/)
  })

  test('GET, HEAD and prefetch of the link do not use it', async () => {
    const link = await firstOwnerLink(latchkey.server)
    const browser = newBrowser(latchkey.issuer)
    assert.equal((await send(latchkey.issuer, link, { method: 'HEAD' })).status, 200)
    for (const purpose of ['', 'prefetch', 'prerender']) {
      const headers = { 'sec-purpose': purpose }
      const { status, text, headers: answered } = await browser.get(link, headers)
      assert.equal(status, 200)
      assert.match(text, /Set up/)
      assert.equal(answered['referrer-policy'], 'no-referrer')
      assert.equal(answered['cache-control'], 'no-store')
    }
  })

  test('problems appear at the field; the user name is kept, and the password is not', async () => {
    const browser = newBrowser(latchkey.issuer)
    const page = await browser.follow(await firstOwnerLink(latchkey.server))
    const again = await browser.submit(page, account({ username: 'ALICE', password: 'qwerty' }))
    const { text } = again.answer
    assert.match(again.target, /^\/admin\/setup/)
    assert.match(text, /id="username-error"[^>]*>[^<]*is taken/)
    assert.match(
      text,
      /id="password-error"[^>]*>Must have at least 15 characters and is one of the passwords that attackers try first\./,
    )
    assert.match(text, /value="ALICE"/)
    assert.ok(!text.includes('value="qwerty"'))
  })

  test('the command line can create an administrator with another role before the first owner, while the server is running', async () => {
    const { code, output } = await runAdminCommand(latchkey.server, ['create', '--role', 'auditor'])
    assert.equal(code, 0, output)
    const link = /https?:\/\/\S+/.exec(output)?.[0]?.slice(latchkey.issuer.length) ?? ''
    const browser = newBrowser(latchkey.issuer)
    await signInAt(browser, '/account', bob)
    const page = await browser.follow(link)
    assert.match(page.answer.text, /Continue as Bob Baker/)
    await browser.submit(page, { as: 'current' })
    assert.ok(isInside(browser))
  })

  test('WF-04 refuses the form of the first owner from another site', async () => {
    const token =
      new URL(await firstOwnerLink(latchkey.server), latchkey.issuer).searchParams.get('token') ?? ''
    const browser = newBrowser(latchkey.issuer)
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const answer = await browser.post('/admin/setup', { ...account(), token }, headers)
    assert.equal(answer.status, 403)
  })

  test('of ten concurrent uses of the link one creates the owner, and the link is invalid afterwards', async () => {
    const link = await firstOwnerLink(latchkey.server)
    const users = await Promise.all(
      Array.from({ length: 10 }, async (_one, index) => {
        const browser = newBrowser(latchkey.issuer)
        const page = await browser.follow(link)
        return { browser, page, form: account({ username: `first-${index}` }) }
      }),
    )
    const visits = await Promise.all(users.map(({ browser, page, form }) => browser.submit(page, form)))
    const winners = visits.filter(({ target }) => target.startsWith('/login'))
    assert.equal(winners.length, 1)
    const [winner] = winners
    assert.match(winner?.answer.text ?? '', /role="status"[^>]*><p>Your account was created\. Sign in\./)
    assert.match(winner?.answer.text ?? '', /id="username"[^>]* value="first-\d"/)
    const [index] = [visits.findIndex(({ target }) => target.startsWith('/login'))]
    const used = await newBrowser(latchkey.issuer).get(link)
    assert.deepEqual([used.status, used.text.includes('is no longer valid')], [410, true])
    const admin = await enter(latchkey.server, { username: `first-${index}`, password })
    assert.ok(isInside(admin.browser))
    for (const { form } of users.filter((_one, other) => other !== index)) {
      const other = newBrowser(latchkey.issuer)
      await signInAt(other, '/admin/sign-in', form)
      assert.ok(!isInside(other))
    }
  })

  test('LG-03 the log contains neither the link nor the password', async () => {
    const token =
      new URL(await firstOwnerLink(latchkey.server), latchkey.issuer).searchParams.get('token') ?? ''
    const lines = latchkey.server
      .output()
      .split('\n')
      .filter(line => line.startsWith('{'))
    assert.ok(lines.length > 0)
    for (const line of lines) assert.ok(!line.includes(token) && !line.includes(password))
  })
})

/** LG-04: matches the log line with the end of the audit log, which operators can store elsewhere. */
const auditEnd = /"end":"\d+:[\w-]{16}"/

describe('creating administrators with the command line', () => {
  let api: Api
  const latchkey = sharedStaff(({ apis }) => {
    api = apis.owner
  })

  test('prints a link while the server is running, which replaces the previous link', async () => {
    const links: string[] = []
    for (const role of ['user_support', 'user_support']) {
      const since = latchkey.server.output().length
      const { code, output } = await runAdminCommand(latchkey.server, ['create', '--role', role])
      assert.equal(code, 0, output)
      assert.match(await logged(latchkey.server, '"msg":"audit"', since), auditEnd)
      links.push(/https?:\/\/\S+/.exec(output)?.[0]?.slice(latchkey.issuer.length) ?? '')
    }
    const [older = '', newer = ''] = links
    const browser = newBrowser(latchkey.issuer)
    assert.match((await browser.get(older)).text, /is no longer valid/)
    assert.match((await browser.get(newer)).text, /as user support/)
  })

  test('a user who is signed in accepts the invitation with their own account', async () => {
    const { output } = await runAdminCommand(latchkey.server, ['create', '--role', 'auditor'])
    const link = /https?:\/\/\S+/.exec(output)?.[0]?.slice(latchkey.issuer.length) ?? ''
    const browser = newBrowser(latchkey.issuer)
    await signInAt(browser, '/account', await createUser(latchkey.issuer, api, 'promoted'))
    const page = await browser.follow(link)
    assert.match(page.answer.text, /Continue as promoted/)
    await browser.submit(page, { as: 'current' })
    assert.ok(isInside(browser))
  })

  test('a new account can be created in a browser in which another administrator is signed in', async () => {
    const { output } = await runAdminCommand(latchkey.server, ['create', '--role', 'auditor'])
    const token = new URL(/https?:\/\/\S+/.exec(output)?.[0] ?? '').searchParams.get('token') ?? ''
    const { browser } = await enter(latchkey.server, staff.owner)
    const account = { username: 'newcomer', name: 'New Comer', password: `${canary} a door behind another` }
    const { headers } = await browser.post('/admin/setup', { ...account, token })
    const asked = await browser.follow(headers.location ?? '')
    assert.match(asked.target, /^\/login/)
    assert.ok(!asked.answer.text.includes(`value="${staff.owner.username}"`))
    assert.match(asked.answer.text, /Your account was created\. Sign in\..* value="newcomer"/s)
    const wrong = await browser.submit(asked, { ...account, password: 'not this one' })
    assert.doesNotMatch(wrong.answer.text, /Your account was created/)
    await browser.submit(wrong, account)
    assert.match((await browser.follow('/admin')).answer.text, /New Comer/)
    const later = await browser.follow('/admin/sign-in?as=newcomer')
    assert.doesNotMatch(later.answer.text, /Your account was created| value="newcomer"/)
  })

  test('refuses a folder without a database and creates none', async context => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
    context.after(() => rm(folder, { recursive: true, force: true }))
    const environment = { ...latchkey.server.environment, DATA_DIR: join(folder, 'data'), DATABASE_URL: '' }
    const { code, output } = await runAdminCommand({ environment }, ['create'])
    assert.equal(code, 2)
    assert.match(
      output,
      /^There is no database at \S*\/data\/latchkey\.db; correct DATABASE_URL or DATA_DIR, .*\.\n$/,
    )
    assert.deepEqual(await readdir(folder), [])
  })

  for (const [given, code, words] of [
    [['--help'], 0, /Usage/],
    [['create', '--role', 'king'], 2, /"king" is not a role/],
    [['destroy'], 2, /no command "destroy"/],
    [['create', '--password', 'x'], 2, /Unknown option/],
    [['create', '--username', 'unknown'], 1, /There is no user "unknown"/],
    [['reset-factors'], 2, /Name one user/],
    [['reset-factors', 'alice', 'bob'], 2, /Name one user/],
    [['reset-factors', 'alice', '--password'], 2, /Unknown option/],
    [['reset-factors', 'unknown'], 1, /There is no user "unknown"/],
    [['reset-factors', 'alice', '--passkeys'], 1, /"alice" has no second factor to remove\.\n/],
  ] as const) {
    test(`npm run admin -- ${given.join(' ')} exits with ${code}`, async () => {
      const ended = await runAdminCommand(latchkey.server, given)
      assert.equal(ended.code, code, ended.output)
      assert.match(ended.output, words)
    })
  }
})

describe('a server whose admin IP allow-list does not contain the caller', () => {
  let options: StartOptions & { readonly dataDirectory: string }
  let server: Latchkey
  before(async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
    options = { port: await freePort(), configuration: testConfiguration({ app }), dataDirectory }
    const environment = { LATCHKEY_ADMIN_ADDRESSES: '10.0.0.0/8, 2001:db8::/32' }
    server = await startLatchkey({ ...options, environment })
  })
  after(() => rm(options.dataDirectory, { recursive: true, force: true }))

  for (const [target, sent] of [
    ['/admin', {}],
    ['/admin/', {}],
    ['/%61dmin/keys', {}],
    ['/admin/sign-in', {}],
    ['/admin/callback?code=x&state=y', {}],
    ['/admin/setup?token=x', { method: 'HEAD' }],
    ['/admin/setup', { form: { token: 'x' } }],
    ['/admin/do/keys.rotate', { form: { algorithm: 'ES256' } }],
    ['/api/admin/clients', {}],
    ['/api/admin/openapi.json', {}],
  ] as const) {
    test(`AD-09 refuses ${target} and records an event with the address and the reason`, async () => {
      const since = server.output().length
      const { status, headers } = await send(server.origin, target, sent)
      assert.equal(status, 403)
      const event: unknown = JSON.parse(await logged(server, '"event":"admin_refused"', since))
      const requestId = headers['x-reference-id']
      assert.partialDeepStrictEqual(event, {
        reason: 'address_not_allowed',
        address: '127.0.0.1',
        requestId,
      })
    })
  }

  test('AD-09 the admin IP allow-list does not restrict other endpoints', async () => {
    for (const target of ['/', '/login', '/.well-known/openid-configuration', '/healthz'])
      assert.equal((await send(server.origin, target)).status, 200, target)
  })

  test('only the account of the server can use the command socket, which is removed when the server stops', async () => {
    const socket = await stat(join(options.dataDirectory, 'latchkey.db.sock'))
    assert.ok(socket.isSocket())
    assert.equal(socket.mode & 0o777, 0o600)
    await server.stop()
    await assert.rejects(stat(join(options.dataDirectory, 'latchkey.db.sock')), /ENOENT/)
  })

  test('a link that was printed while no server was running works after the next start', async context => {
    await server.stop()
    const { code, output } = await runAdminCommand(server, ['create'])
    assert.equal(code, 0, output)
    assert.match(output, auditEnd)
    const created = await runAdminCommand(server, ['create', '--username', bob.username, '--role', 'auditor'])
    assert.equal(created.code, 0, created.output)
    const next = await startLatchkey(options)
    context.after(() => next.stop())
    const link = /https?:\/\/\S+/.exec(output)?.[0]?.slice(next.issuer.length) ?? ''
    assert.match((await newBrowser(next.issuer).get(link)).text, /Set up/)
  })
})

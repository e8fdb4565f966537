/**
 * Tests a server in production: the second factor of administrators, with the notice before it is required and the sign-in after; and
 * mail that is not configured.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  type Admin,
  enter,
  isInside,
  openAdmin,
  runAdminCommand,
  signInAt,
} from '../fixtures/dashboard/administrator.ts'
import { codesOf, setUpAuthenticator } from '../fixtures/requests/authenticator.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { reachAt } from '../fixtures/requests/http-client.ts'
import { alice, bob, testConfiguration } from '../fixtures/server/configuration.ts'
import { type Database, openDatabase } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, newMasterKey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { app } from '../fixtures/server/suite.ts'
import { startTlsFront, type TlsFront } from '../fixtures/server/tls-front.ts'

const issuer = 'https://id.example.org'
const masterKey = newMasterKey()
const notice = /From <time dateTime="([^"]+)">[^<]+<\/time> on, the dashboard requires a second factor/

const dataDirectory = await mkdtemp(join(tmpdir(), 'latchkey-admin-factor-'))
let database: Database
let port: number
let front: TlsFront
let server: Latchkey
let owner: Admin

before(async () => {
  database = await openDatabase(process.env.E2E_DATABASE === 'postgresql' ? 'postgresql' : 'sqlite')
  port = await freePort()
  front = await startTlsFront(`http://localhost:${port}`, 'id.example.org')
  const { certificate } = front
  reachAt(issuer, { port: Number(new URL(front.origin).port), certificate, localAddress: '127.0.0.1' })
  server = await start()
  owner = await openAdmin(server)
})
after(async () => {
  await server.stop()
  await front.stop()
  await database.close()
  await rm(dataDirectory, { recursive: true, force: true })
})

function start(): Promise<Latchkey> {
  return startLatchkey({
    ...{ port, dataDirectory, configuration: testConfiguration({ app }) },
    ...(database.url === null ? {} : { databaseUrl: database.url }),
    environment: { ISSUER: issuer, MASTER_KEY: masterKey },
  })
}

/** Makes the second factor required from this number of seconds after now, as the first start decided it. */
async function requireAfter(seconds: number): Promise<string> {
  const value = new Date(Date.now() + seconds * 1000).toISOString()
  const name = 'admin_second_factor_from'
  await server.stop()
  await onTablesOf(server, tables => tables.meta.update({ where: { name }, data: { value } }))
  server = await start()
  return value
}

test('without a mail server mail is off, and each page that needs it says so', async () => {
  const { text } = await owner.get('/admin/mail')
  assert.match(text, /Mail is off\. To turn it on, set .*SMTP_URL.*MAIL_FROM/)
  assert.doesNotMatch(text, /Send a test mail/)
  assert.match((await owner.get('/admin/status')).text, /Off: SMTP_URL is not set/)
  await owner.post('mail.send_test', { to: 'alice@example.org' }, '/admin/mail')
  assert.equal(await onTablesOf(server, tables => tables.delivery.count()), 0)
  const visitor = newBrowser(issuer)
  assert.match((await visitor.follow('/login')).answer.text, /href="\/login\/forgot"/)
  const forgot = await visitor.follow('/login/forgot')
  assert.match(forgot.answer.text, /Passwords can’t be reset here\. Contact the administrator/)
  assert.doesNotMatch(forgot.answer.text, /<input[^>]*id="username"/)
  assert.equal((await visitor.get('/playground/mail')).status, 404)
})

test('MF-06 until the day each page says from when administrators need a second factor, and then a sign-in sets one up', async () => {
  const [, shown = ''] = notice.exec((await owner.get('/admin')).text) ?? []
  const days = (new Date(shown).getTime() - Date.now()) / 86_400_000
  assert.ok(days > 13.9 && days <= 14, shown)

  const moved = await requireAfter(3 * 86_400)
  const [, movedShown] = notice.exec((await owner.get('/admin/users')).text) ?? []
  assert.equal(movedShown, moved)
  const { browser } = owner
  await setUpAuthenticator(browser)
  assert.doesNotMatch((await owner.get('/admin/users')).text, notice, 'the administrator has a factor')
  const { code, output } = await runAdminCommand(server, [
    'create',
    '--role',
    'auditor',
    '--username',
    bob.username,
  ])
  assert.equal(code, 0, output)
  assert.match((await (await enter(server, bob)).get('/admin')).text, notice)

  await requireAfter(-1)
  const asked = newBrowser(issuer)
  assert.match((await signInAt(asked, '/admin/sign-in', alice)).target, /^\/login\/second-factor\?/)
  assert.equal(isInside(asked), false)

  const later = newBrowser(issuer)
  const enrolling = await signInAt(later, '/admin/sign-in', bob)
  assert.match(enrolling.target, /^\/login\/enroll\?/)
  assert.equal(isInside(later), false)
  const { partial = '', pending = '' } = Object.fromEntries(new URL(enrolling.target, issuer).searchParams)
  const set = await later.post('/login/enroll', { partial, pending, code: codesOf(enrolling)() })
  const codes = await later.follow(set.headers.location ?? '')
  assert.match(codes.target, /^\/account\/recovery-codes\?pending=/)
  const inside = await later.submit(codes, {})
  assert.match(inside.target, /^\/admin/)
  assert.equal(isInside(later), true)
  assert.doesNotMatch(inside.answer.text, notice)
})

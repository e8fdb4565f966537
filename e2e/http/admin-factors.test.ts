/** Tests how administrators see and reset the factors of users, in the dashboard, by the API and on the command line. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openAdmin, runAdminCommand, signInAt } from '../fixtures/dashboard/administrator.ts'
import type { Api, Staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { createUser } from '../fixtures/requests/own-password.ts'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { startLatchkey } from '../fixtures/server/latchkey.ts'
import { storeFactors } from '../fixtures/server/stored-factors.ts'
import { ageVisits, onTablesOf } from '../fixtures/server/stored-rows.ts'
import { app } from '../fixtures/server/suite.ts'

let all: Staff
let api: Api
const latchkey = sharedStaff(opened => {
  all = opened.all
  api = opened.apis.user_support
})

/** Creates a user with a verified address and factors, and signs them in. */
async function userWithFactors(username: string) {
  const user = await createUser(latchkey.issuer, api, username)
  const claims = { email: `${username}@example.org`, email_verified: true }
  const { headers } = await api.call('GET', `/users/${user.sub}`)
  const seen = { 'if-match': String(headers.etag) }
  const changed = await api.call('PUT', `/users/${user.sub}`, { body: { username, claims }, headers: seen })
  assert.equal(changed.status, 200, changed.text)
  const browser = newBrowser(latchkey.issuer)
  await signInAt(browser, '/account', user)
  await storeFactors(latchkey.server, user.sub)
  const isSignedIn = async () => (await browser.get('/account')).status === 200
  assert.equal(await isSignedIn(), true)
  return { ...user, isSignedIn }
}

async function countsOf(sub: string) {
  const answer = await api.call('GET', `/users/${sub}/factors`)
  const { passkeys, authenticator_app, recovery_codes_left, trusted_browsers } = answer.json()
  assert.ok(Array.isArray(passkeys) && Array.isArray(trusted_browsers))
  return [authenticator_app !== null, recovery_codes_left, trusted_browsers.length, passkeys.length]
}

const mailsTo = (target: string) =>
  onTablesOf(latchkey.server, tables => tables.delivery.findMany({ where: { target } }))

test('MF-07 the page of a user shows the ways to sign in, and its form resets the factors with a mail', async () => {
  const { sub, isSignedIn } = await userWithFactors('loses-a-phone')
  const page = `/admin/users/${sub}`
  const { text } = await all.user_support.get(page)
  for (const shown of ['Keychain of a test', '192.0.2.7', '2 recovery codes', 'Reset factors'])
    assert.ok(text.includes(shown), shown)
  const form = { sub, passkeys: 'false', sign_out: 'true' }
  const { answer } = await all.user_support.submit('users.reset_factors', form, page)
  assert.match(answer.text, /Factors reset\./)
  assert.match(answer.text, /reset the factors of/)
  assert.deepEqual(await countsOf(sub), [false, 0, 0, 1])
  assert.equal(await isSignedIn(), false)
  const mails = await mailsTo('loses-a-phone@example.org')
  assert.equal(mails.filter(({ detail }) => detail === 'factors_reset').length, 1)
  const { text: events } = await all.owner.get('/admin/events?name=admin_changed')
  assert.match(events, /reset the factors of a user/)
})

test('the page of a user offers to cancel a planned deletion until it has started', async () => {
  const { sub } = await createUser(latchkey.issuer, api, 'half-deleted')
  const createdAt = new Date()
  const dueAt = new Date(createdAt.getTime() + 86_400_000)
  const data = { subject: sub, kind: 'delete_account', createdAt, dueAt }
  await onTablesOf(latchkey.server, tables => tables.plannedChange.create({ data }))
  const shown = async () => (await all.user_support.get(`/admin/users/${sub}`)).text
  assert.match(await shown(), /Cancel this change/)
  await onTablesOf(latchkey.server, tables =>
    tables.plannedChange.updateMany({ where: { subject: sub }, data: { startedAt: createdAt } }),
  )
  assert.match(await shown(), /It has started, and can no longer be canceled\./)
  assert.doesNotMatch(await shown(), /Cancel this change/)
})

test('AD-04 a reset requires a fresh sign-in, which keeps the choices and removes nothing before', async () => {
  const support = await createUser(latchkey.issuer, api, 'tired-support')
  const other = await openAdmin(latchkey.server, { role: 'user_support', who: support, by: all.owner })
  const { sub } = await userWithFactors('waits-for-support')
  await ageVisits(latchkey.server, support.sub, 301)
  const form = { sub, passkeys: 'true', sign_out: 'false' }
  const { headers } = await other.post('users.reset_factors', form, `/admin/users/${sub}`)
  const away = new URL(headers.location ?? '', latchkey.issuer)
  assert.equal(away.pathname, '/admin/sign-in')
  assert.deepEqual(await countsOf(sub), [true, 2, 1, 1])
  await signInAt(other.browser, away.pathname + away.search, support)
  const { text } = await other.get(away.searchParams.get('back') ?? '')
  assert.match(text, /<input(?=[^>]*name="passkeys")(?=[^>]*type="checkbox")[^>]*checked/)
  assert.doesNotMatch(text, /<input(?=[^>]*name="sign_out")(?=[^>]*type="checkbox")[^>]*checked/)
})

test('AD-03 user support sees why it cannot reset the factors of an owner', async () => {
  const auditor = await createUser(latchkey.issuer, api, 'auditor-with-factors')
  await openAdmin(latchkey.server, { role: 'auditor', who: auditor, by: all.owner })
  await storeFactors(latchkey.server, auditor.sub)
  const { text } = await all.user_support.get(`/admin/users/${auditor.sub}`)
  assert.match(text, /Reset factors<\/button>[^/]*only owners may change their account/)
  const answer = await api.call('POST', `/users/${auditor.sub}/factors/reset`)
  assert.equal(answer.status, 403)
})

test('MF-07 npm run admin -- reset-factors removes them while the server is running', async () => {
  const { sub, isSignedIn } = await userWithFactors('locked-out')
  const given = ['reset-factors', 'locked-out', '--passkeys']
  const { code, output } = await runAdminCommand(latchkey.server, given)
  assert.equal(code, 0, output)
  assert.match(output, /Removed from locked-out: .* and 1 passkey\. .* A mail informs the user\.\n$/)
  assert.deepEqual(await countsOf(sub), [false, 0, 0, 0])
  assert.equal(await isSignedIn(), false)
  assert.match(
    (await all.owner.get('/admin/changes')).text,
    /The operator(?:<[^>]*>| )*reset the factors of user/,
  )
})

test('a subject that a custom user service has gets a page with its factors, and an unknown one has none', async () => {
  await storeFactors(latchkey.server, 'elsewhere|4711')
  const { status, text } = await all.owner.get(`/admin/users/${encodeURIComponent('elsewhere|4711')}`)
  assert.equal(status, 200)
  assert.match(text, /not in this server’s database/)
  assert.match(text, /Keychain of a test/)
  assert.equal((await all.owner.get('/admin/users/elsewhere-4712')).status, 404)
})

test('the status page says what a custom user service cannot do', async context => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  const extensions = join(folder, 'extensions.mjs')
  const userService = '(_users, { mailbox, authenticateSubject, ...standard }) => standard'
  await writeFile(extensions, `export default { userService: ${userService} }`)
  const server = await startLatchkey({
    port: await freePort(),
    configuration: testConfiguration({ app }),
    environment: { LATCHKEY_EXTENSIONS: extensions },
  })
  context.after(() => server.stop())
  const owner = await openAdmin(server)
  const text = (await owner.get('/admin/status')).text.replaceAll(/<[^>]+>/g, '')
  assert.match(text, /Without mailbox: its users get no mails/)
  assert.match(text, /Without authenticateSubject: its completePartial decides about sign-ins with a passkey/)
  assert.doesNotMatch((await all.owner.get('/admin/status')).text, /User service/)
})

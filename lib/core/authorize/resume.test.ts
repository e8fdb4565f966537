import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Session } from '#lib/ports/sessions.ts'
import { type PendingHandle, withClientId } from '#lib/protocol/ids.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import { beginWaiting, proceedWaiting, summary, type Waiting } from '../testing/waiting-requests.ts'
import type { AuthorizeOutcome } from './authorize.ts'
import { findInteraction } from './pending.ts'
import { chooseAccount, resume } from './resume.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addClient({ client_id: 'consenting', require_consent: true })
  await t.addUser('alice')
  await t.addUser('bob')
})
after(() => t.close())

const begin = (parameters: Record<string, string>, session: Session | null = null) =>
  beginWaiting(t, parameters, session)
const proceed = (waiting: Waiting, session: Session | null) => proceedWaiting(t, waiting, session)

test('a pending request is answered after the sign-in, and only once', async () => {
  const waiting = await begin({})
  assert.equal(summary(await proceed(waiting, null)), 'pause login')
  const session = await t.openSession('alice')
  assert.equal(summary(await proceed(waiting, session)), 'code state iss')
  assert.equal(summary(await proceed(waiting, session)), 'show request_finished')
  const back = t.events.find(({ reason }) => reason === 'request_finished')
  assert.equal(back?.outcome, 'success', 'going back is not a failure')
})

test('of many tabs that resume at the same time exactly one answers the client', async () => {
  const waiting = await begin({})
  const session = await t.openSession('alice')
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => proceed(waiting, session)))
  const summaries = outcomes.map(summary)
  assert.equal(summaries.filter(one => one === 'code state iss').length, 1)
  assert.equal(summaries.filter(one => one === 'show request_finished').length, 19)
})

test('AZ-14 another browser cannot continue a pending request and learns only the app that its handle names', async () => {
  const waiting = await begin({})
  const session = await t.openSession('alice')
  const browsers = [
    [t.ports.random.handle('browser'), 'show request_expired'],
    [null, 'show cookie_missing'],
  ] as const
  for (const [browser, shown] of browsers) {
    const outcome = await resume(t.ports, { pending: waiting.pending, browser, session }, context)
    assert.equal(summary(outcome), shown)
    assert.doesNotMatch(JSON.stringify(outcome), /app\.example|"st"/)
    assert.equal(await findInteraction(t.ports, waiting.pending, browser), null)
  }
  assert.equal(
    summary(await resume(t.ports, { ...waiting, pending: null, session }, context)),
    'show request_expired',
  )
  assert.equal(summary(await proceed(waiting, session)), 'code state iss')
})

test('AZ-13 a browser cannot continue its sign-in with the pending request of another browser', async () => {
  const [mine, theirs] = [await begin({}), await begin({ state: 'theirs' })]
  const swapped = { pending: theirs.pending, browser: mine.browser, at: '' }
  assert.equal(summary(await proceed(swapped, await t.openSession('alice'))), 'show request_expired')
})

test('a request that waited too long has expired', async () => {
  const waiting = await begin({})
  t.advance(3599)
  assert.ok(await findInteraction(t.ports, waiting.pending, waiting.browser))
  t.advance(1)
  assert.equal(await findInteraction(t.ports, waiting.pending, waiting.browser), null)
  assert.equal(summary(await proceed(waiting, await t.openSession('alice'))), 'show request_expired')
})

/** Returns the client name and the ways to continue of an error page. */
function continuationOf(outcome: AuthorizeOutcome) {
  assert.ok(outcome.kind === 'error_page')
  return { clientName: outcome.error.clientName, ...outcome.error.continuation }
}

test('an expired request can be started again from its page, in the browser that began it', async () => {
  const waiting = await begin({})
  t.advance(3600)
  const shown = continuationOf(await proceed(waiting, null))
  assert.equal(shown.clientName, 'Web App')
  assert.equal(shown.isSignedIn, false)
  assert.deepEqual(Object.fromEntries(shown.restart ?? []), validParameters)
})

test('the page of an answered request names the app, and knows whether the user is signed in', async () => {
  const waiting = await begin({})
  const session = await t.openSession('alice')
  await proceed(waiting, session)
  const shown = continuationOf(await proceed(waiting, session))
  assert.equal(shown.clientName, 'Web App')
  assert.equal(shown.isSignedIn, true)
  assert.equal(continuationOf(await proceed(waiting, null)).isSignedIn, false)
})

test('AZ-17 prompt=login is not satisfied by the session from before', async () => {
  const old = await t.openSession('alice')
  t.advance(5)
  const waiting = await begin({ prompt: 'login' }, old)
  assert.equal(summary(await proceed(waiting, old)), 'pause login')
  t.advance(5)
  assert.equal(summary(await proceed(waiting, await t.openSession('alice'))), 'code state iss')
})

test('AZ-18 max_age is satisfied by one new sign-in, even when that took longer', async () => {
  const old = await t.openSession('alice')
  t.advance(10)
  for (const max_age of ['0', '1']) {
    const waiting = await begin({ max_age }, old)
    t.advance(1)
    const session = await t.openSession('alice')
    t.advance(30)
    assert.equal(summary(await proceed(waiting, session)), 'code state iss')
  }
})

test('select_account is satisfied by continuing as the current user or by signing in as another', async () => {
  const session = await t.openSession('alice')
  t.advance(5)
  const first = await begin({ prompt: 'select_account' }, session)
  assert.equal(first.at, 'select_account')
  assert.equal(await chooseAccount(t.ports, { ...first, session }), 'resume')
  assert.equal(summary(await proceed(first, session)), 'code state iss')
  assert.equal(await chooseAccount(t.ports, { ...first, session }), 'expired')
  const second = await begin({ prompt: 'select_account' }, session)
  assert.equal(await chooseAccount(t.ports, { ...second, session: null }), 'sign_in')
  assert.equal(summary(await proceed(second, session)), 'pause select_account')
  t.advance(5)
  assert.equal(summary(await proceed(second, await t.openSession('bob'))), 'code state iss')
})

test('S4 a login_hint that names another user asks once: continue with the current account, or sign in with another', async () => {
  const session = await t.openSession('alice')
  t.advance(5)
  const first = await begin({ login_hint: 'bob' }, session)
  assert.equal(first.at, 'select_account')
  assert.equal(summary(await proceed(first, session)), 'pause select_account')
  assert.equal(await chooseAccount(t.ports, { ...first, session }), 'resume')
  assert.equal(summary(await proceed(first, session)), 'code state iss')
  for (const subject of ['alice', 'bob', 'erin']) {
    const waiting = await begin({ login_hint: 'bob' }, session)
    assert.equal(await chooseAccount(t.ports, { ...waiting, session: null }), 'sign_in')
    t.advance(5)
    await t.addUser(subject)
    assert.equal(summary(await proceed(waiting, await t.openSession(subject))), 'code state iss')
  }
  const stranger = await begin({ login_hint: 'bob' })
  assert.equal(stranger.at, 'login')
  assert.equal(summary(await proceed(stranger, await t.openSession('alice'))), 'code state iss')
})

test('acr_values idp: redirects to the provider, and only a session from that provider satisfies it', async () => {
  await t.addProvider('corp')
  const waiting = await begin({ acr_values: 'idp:corp tenant:blue level2' })
  assert.equal(waiting.at, 'provider corp')
  const interaction = await findInteraction(t.ports, waiting.pending, waiting.browser)
  assert.equal(interaction?.requestedProvider, 'corp')
  assert.deepEqual([interaction?.hints.tenant, interaction?.hints.acrValues], ['blue', ['level2']])
  assert.equal(summary(await proceed(waiting, await t.openSession('alice'))), 'forward corp')
  assert.equal(
    summary(await proceed(waiting, await t.openSession('alice', { idp: 'corp' }))),
    'code state iss',
  )
})

test('resume uses the current registration of the client', async () => {
  const changing = { client_id: 'changing' }
  await t.addClient(changing)
  const [first, second, third] = [await begin(changing), await begin(changing), await begin(changing)]
  const session = await t.openSession('alice')
  await t.addClient({ ...changing, scope: 'openid' })
  assert.equal(summary(await proceed(first, session)), 'invalid_scope')
  assert.equal(summary(await proceed(first, session)), 'show request_finished')
  await t.addClient({ ...changing, redirect_uris: ['https://elsewhere.example/'] })
  assert.equal(summary(await proceed(second, session)), 'show redirect_uri_mismatch')
  await t.addClient({ ...changing, enabled: false })
  assert.equal(summary(await proceed(third, session)), 'show client_disabled')
})

test('a user who was disabled in the meantime gets no code', async () => {
  await t.addUser('carol')
  const session = await t.openSession('carol')
  t.advance(1)
  const waiting = await begin({ client_id: 'consenting' }, session)
  await t.addUser('carol', { enabled: false })
  assert.equal(summary(await proceed(waiting, session)), 'pause login')
})

test('the page for another browser, or one without cookies, names the app of the request and leads to its own page', async () => {
  await t.addClient({ client_id: 'at home', client_name: 'Home App', client_uri: 'https://home.example/' })
  const waiting = await begin({ client_id: 'at home' })
  const elsewhere = t.ports.random.handle('browser')
  const pages = {
    request_expired: await proceed({ ...waiting, browser: elsewhere }, null),
    cookie_missing: await resume(t.ports, { ...waiting, browser: null, session: null }, context),
  }
  for (const [reason, page] of Object.entries(pages)) {
    assert.ok(page.kind === 'error_page')
    const { clientName, continuation, ...error } = page.error
    assert.deepEqual([error.reason, clientName], [reason, 'Home App'])
    assert.deepEqual(continuation, { home: 'https://home.example/', restart: null, isSignedIn: false })
  }
})

test('a handle that someone wrote names only registered, enabled clients, and opens no request', async () => {
  await t.addClient({ client_id: 'switched off', enabled: false })
  const { pending, browser } = await begin({})
  const secret = pending.slice(0, 'req_'.length + 43) as PendingHandle
  for (const named of ['switched off', 'unknown', 'https://evil.example', '']) {
    const page = await resume(
      t.ports,
      { pending: withClientId(secret, named), browser, session: null },
      context,
    )
    assert.ok(page.kind === 'error_page')
    const { reason, clientName, continuation } = page.error
    assert.deepEqual([reason, clientName, continuation], ['request_expired', null, undefined])
  }
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Session } from '#lib/ports/sessions.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { authorize } from '../authorize/authorize.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import {
  endSession,
  openPostedSignOut,
  openSignOutRequest,
  readSignOutParameters,
  sealPostedSignOut,
} from './end-session.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addClient({
    client_id: 'other',
    client_name: 'Other',
    post_logout_redirect_uris: ['https://other.example/'],
  })
  await t.addUser('alice')
  await t.addUser('bob')
})
after(() => t.close())

const bye = 'https://app.example/bye'

/** Returns an ID token of this session, as the client has it. */
async function hintFor(session: Session, client_id = 'web'): Promise<string> {
  const parameters = { ...validParameters, client_id, response_type: 'id_token', scope: 'openid', nonce: 'n' }
  const browser = t.ports.random.handle('browser')
  const outcome = await authorize(
    t.ports,
    { parameters: parametersFrom(parameters), session, browser },
    context,
  )
  assert.equal(outcome.kind, 'respond')
  return (outcome.kind === 'respond' && Object.fromEntries(outcome.fields).id_token) || ''
}

async function ask(parameters: Record<string, string>, session: Session | null, isTopLevelNavigation = true) {
  const asked = await readSignOutParameters(t.ports, parametersFrom(parameters))
  const outcome = await endSession(t.ports, { asked, session, isTopLevelNavigation }, context)
  return { ...outcome, opened: openSignOutRequest(t.ports, outcome.request) }
}

async function isLive(session: Session): Promise<boolean> {
  return (await t.ports.sessions.find(session.digest, t.ports.clock.now())) !== null
}

test('LO-01 a valid hint for the signed-in user ends the session immediately', async () => {
  const session = await t.openSession('alice')
  const id_token_hint = await hintFor(session)
  const [grant] = await t.ports.grants.liveOf(session.subject, t.ports.clock.now())
  const outcome = await ask({ id_token_hint, post_logout_redirect_uri: bye, state: 'a b&c' }, session)
  assert.deepEqual(
    [outcome.kind, outcome.kind === 'ended' && outcome.redirect],
    ['ended', `${bye}?state=a%20b%26c`],
  )
  assert.equal(await isLive(session), false)
  assert.ok(grant && (await t.ports.grants.find(grant.id))?.revokedAt)
  assert.equal(t.events.at(-1)?.name, 'signed_out')
})

test('LO-01 the page that asks is for the user of the session, also if another account becomes current', async () => {
  const session = await t.openSession('alice')
  const { kind, opened } = await ask({ id_token_hint: await hintFor(session) }, session, false)
  assert.deepEqual([kind, opened?.subject], ['confirm', session.subject])
})

test('LO-01 without a valid hint for the signed-in user, the user must confirm', async () => {
  const session = await t.openSession('alice')
  const bobs = await hintFor(await t.openSession('bob'))
  const mine = await hintFor(session)
  const rows: ReadonlyArray<Record<string, string>> = [
    {},
    { client_id: 'web', post_logout_redirect_uri: bye },
    { id_token_hint: bobs },
    { id_token_hint: `${mine.slice(0, -4)}AAAA` },
    { id_token_hint: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${mine.split('.')[1]}.` },
    { id_token_hint: 'nonsense' },
    { id_token_hint: mine, client_id: 'other' },
  ]
  for (const parameters of rows) assert.equal((await ask(parameters, session)).kind, 'confirm')
  assert.equal(await isLive(session), true)
})

test('LO-02 the user is redirected only to a registered redirect URI of the named client', async () => {
  const session = await t.openSession('alice')
  const id_token_hint = await hintFor(session)
  const rows: ReadonlyArray<readonly [Record<string, string>, string | null]> = [
    [{ id_token_hint, post_logout_redirect_uri: bye }, bye],
    [{ id_token_hint, client_id: 'web', post_logout_redirect_uri: bye }, bye],
    [{ client_id: 'web', post_logout_redirect_uri: bye }, bye],
    [{ id_token_hint, client_id: 'other', post_logout_redirect_uri: bye }, null],
    [{ id_token_hint, client_id: 'other', post_logout_redirect_uri: 'https://other.example/' }, null],
    [{ id_token_hint, client_id: 'unregistered', post_logout_redirect_uri: bye }, null],
    [{ client_id: 'other', post_logout_redirect_uri: bye }, null],
    [{ id_token_hint }, null],
    [{ id_token_hint, state: 'x' }, null],
    [{ post_logout_redirect_uri: bye }, null],
    [{ id_token_hint: 'forged', client_id: 'web', post_logout_redirect_uri: bye }, null],
    [{ id_token_hint, post_logout_redirect_uri: `${bye}?x=1` }, null],
    [{ id_token_hint, post_logout_redirect_uri: `${bye}/` }, null],
    [{ id_token_hint, post_logout_redirect_uri: 'https://app.example/BYE' }, null],
    [{ id_token_hint, post_logout_redirect_uri: 'https://evil.example/' }, null],
  ]
  for (const [parameters, expected] of rows) {
    const { opened } = await ask(parameters, session, false)
    assert.equal(opened?.redirect ?? null, expected, JSON.stringify(parameters))
  }
})

test('a sign-out request contains the name of its ignored parameter', async () => {
  const session = await t.openSession('alice')
  const id_token_hint = await hintFor(session)
  const rows: ReadonlyArray<readonly [Record<string, string>, string | null]> = [
    [{}, null],
    [{ id_token_hint, post_logout_redirect_uri: bye }, null],
    [{ id_token_hint: 'forged' }, 'id_token_hint'],
    [{ id_token_hint: await hintFor(await t.openSession('bob')) }, 'id_token_hint'],
    [{ id_token_hint, client_id: 'other' }, 'client_id'],
    [{ client_id: 'unregistered', post_logout_redirect_uri: bye }, 'client_id'],
    [{ client_id: 'web', post_logout_redirect_uri: `${bye}/` }, 'post_logout_redirect_uri'],
    [{ post_logout_redirect_uri: bye }, 'no_client'],
    [{ post_logout_redirect_uri: bye, client_id: '' }, 'no_client'],
  ]
  for (const [parameters, expected] of rows) {
    const { opened } = await ask(parameters, session, false)
    assert.equal(opened?.ignored, expected, JSON.stringify(parameters))
  }
})

test('LO-02 an expired hint still identifies the user and the client', async () => {
  const session = await t.openSession('alice')
  const id_token_hint = await hintFor(session)
  t.advance(7000)
  assert.equal((await ask({ id_token_hint }, session)).kind, 'ended')
})

test('LO-03 an image or a frame of another page does not sign out', async () => {
  const session = await t.openSession('alice')
  const outcome = await ask({ id_token_hint: await hintFor(session) }, session, false)
  assert.deepEqual([outcome.kind, outcome.opened?.clientName], ['confirm', 'Web App'])
  assert.equal(await isLive(session), true)
})

test('without a session nothing is confirmed, and a client without proof does not get the user back directly', async () => {
  const session = await t.openSession('alice')
  const id_token_hint = await hintFor(session)
  const proven = await ask({ id_token_hint, post_logout_redirect_uri: bye }, null)
  assert.deepEqual([proven.kind, proven.kind === 'ended' && proven.redirect], ['ended', bye])
  const named = await ask({ client_id: 'web', post_logout_redirect_uri: bye }, null)
  assert.deepEqual([named.kind, named.kind === 'ended' && named.redirect], ['ended', null])
  assert.equal(named.opened?.redirect, bye)
})

test('a sign-out request that was altered, or is too old, is treated as absent', async () => {
  const { request } = await ask({ client_id: 'web', post_logout_redirect_uri: bye }, null)
  assert.equal(openSignOutRequest(t.ports, null), null)
  assert.equal(openSignOutRequest(t.ports, 'nonsense'), null)
  assert.equal(openSignOutRequest(t.ports, `${request}A`), null)
  assert.deepEqual(openSignOutRequest(t.ports, request), {
    subject: null,
    clientName: 'Web App',
    redirect: bye,
    ignored: null,
    requestId: 'test',
  })
  t.advance(901)
  assert.equal(openSignOutRequest(t.ports, request), null)
})

test('D1 a sign-out with an unregistered redirect URI asks first, also with a valid hint', async () => {
  const session = await t.openSession('alice')
  const id_token_hint = await hintFor(session)
  const outcome = await ask({ id_token_hint, post_logout_redirect_uri: `${bye}/` }, session)
  assert.deepEqual([outcome.kind, outcome.opened?.ignored], ['confirm', 'post_logout_redirect_uri'])
  assert.equal(await isLive(session), true)
})

const policies: ReadonlyArray<
  readonly [
    policy: 'always' | 'without-hint' | 'if-required',
    clientId: string,
    hinted: boolean,
    kind: string,
  ]
> = [
  ['always', 'web', true, 'confirm'],
  ['always', 'web', false, 'confirm'],
  ['without-hint', 'web', true, 'ended'],
  ['without-hint', 'web', false, 'confirm'],
  ['without-hint', 'asking', true, 'confirm'],
  ['if-required', 'web', true, 'ended'],
  ['if-required', 'web', false, 'ended'],
  ['if-required', 'asking', true, 'confirm'],
  ['if-required', 'asking', false, 'confirm'],
  ['without-hint', 'silent', false, 'ended'],
  ['always', 'silent', true, 'ended'],
  ['if-required', 'proving', false, 'confirm'],
  ['always', 'proving', true, 'ended'],
]
for (const [policy, client_id, hinted, kind] of policies) {
  test(`LO-01 the prompt ${policy}, client ${client_id}, ${hinted ? 'with' : 'without'} a hint: ${kind}`, async () => {
    await t.addClient({ client_id: 'asking', require_sign_out_prompt: true })
    await t.addClient({ client_id: 'silent', sign_out_prompt: 'if-required' })
    await t.addClient({ client_id: 'proving', sign_out_prompt: 'without-hint' })
    Object.assign(t.ports.settings, { signOutPrompt: policy })
    const session = await t.openSession('alice')
    const id_token_hint = hinted ? await hintFor(session, client_id) : ''
    const asked = await ask({ client_id, id_token_hint }, session)
    assert.equal(asked.kind, kind)
    assert.equal(await isLive(session), kind === 'confirm')
    Object.assign(t.ports.settings, { signOutPrompt: 'without-hint' })
  })
}

test('LO-01 a client that needs no confirmation gets its user back without a hint, at a registered address only', async () => {
  await t.addClient({ client_id: 'silent', sign_out_prompt: 'if-required', post_logout_redirect_uris: [bye] })
  const asked = { client_id: 'silent', post_logout_redirect_uri: bye, state: 's' }
  const session = await t.openSession('alice')
  const embedded = await ask(asked, session, false)
  assert.equal(embedded.kind, 'confirm', 'an image or a frame')
  const elsewhere = await ask({ ...asked, post_logout_redirect_uri: 'https://evil.example/' }, session)
  assert.equal(elsewhere.kind, 'confirm')
  const forged = await ask({ ...asked, id_token_hint: 'forged' }, session)
  assert.equal(forged.kind, 'confirm')
  assert.equal(await isLive(session), true)
  const outcome = await ask(asked, session)
  assert.deepEqual([outcome.kind, outcome.kind === 'ended' && outcome.redirect], ['ended', `${bye}?state=s`])
  assert.equal(await isLive(session), false)
})

test('LO-01 without the prompt, an image, a wrong hint and an unknown redirect URI still do not sign out', async () => {
  Object.assign(t.ports.settings, { signOutPrompt: 'if-required' })
  const session = await t.openSession('alice')
  assert.equal((await ask({}, session, false)).kind, 'confirm')
  assert.equal((await ask({ id_token_hint: 'nonsense' }, session)).kind, 'confirm')
  const elsewhere = { client_id: 'web', post_logout_redirect_uri: 'https://evil.example/' }
  assert.equal((await ask(elsewhere, session)).kind, 'confirm')
  assert.equal(await isLive(session), true)
  const outcome = await ask({ client_id: 'web', post_logout_redirect_uri: bye }, session)
  assert.ok(outcome.kind === 'ended')
  assert.equal(outcome.redirect, null, 'only a client that proves itself redirects')
  Object.assign(t.ports.settings, { signOutPrompt: 'without-hint' })
})

test('LO-01 a request by POST is sealed for the GET that follows it, without its ID token', async () => {
  const session = await t.openSession('alice')
  const id_token_hint = await hintFor(session)
  const parameters = parametersFrom({ id_token_hint, post_logout_redirect_uri: bye, state: 'a b' })
  const asked = await readSignOutParameters(t.ports, parameters)
  const sealed = sealPostedSignOut(t.ports, asked)
  assert.ok(!sealed.includes(session.subject) && sealed.length < id_token_hint.length)
  assert.deepEqual(openPostedSignOut(t.ports, sealed), asked)
  const outcome = await endSession(t.ports, { asked, session, isTopLevelNavigation: true }, context)
  assert.deepEqual(outcome.kind === 'ended' && outcome.redirect, `${bye}?state=a%20b`)
})

test('LO-01 a sealed request that is altered or too old cannot be read', async () => {
  const sealed = sealPostedSignOut(t.ports, { hint: null, clientId: 'web', redirectUri: null, state: null })
  assert.deepEqual(openPostedSignOut(t.ports, `${sealed.slice(0, -4)}AAAA`), null)
  t.advance(901)
  assert.deepEqual(openPostedSignOut(t.ports, sealed), null)
})

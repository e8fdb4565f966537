import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { context, issuer } from '#lib/core/testing/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type ClientTestHandle, clientIdSchema, sessionIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { clientTestRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import { forAuthorization } from '#lib/server/wiring/client-lookup.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../../testing/admin-ports.ts'
import { clientTestName, type Requester, saveClientTest, takeClientTest } from './hidden-client.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
  await opened.addClient({ client_id: 'web' })
})
after(() => opened.close())

const subject = subjectIdSchema.parse('alice')
const sessionId = sessionIdSchema.parse('s'.repeat(22))
const adminSession = 'v'.repeat(43)
const secret = { value: 'lks_secret', digest: 'sha256:digest' }

function browserSession(changes: Partial<Session> = {}): Session {
  const facts = { idp: 'local', amr: [], acr: null, name: 'Alice', isPersistent: false, userAgent: null }
  const times = { authenticatedAt: new Date(0), createdAt: new Date(0), lastSeenAt: new Date(0) }
  const digest = opened.ports.hashing.digest('alice')
  const own = { digest, subject, sessionId, expiresAt: new Date(0), address: null, details: {} }
  return { ...facts, ...times, ...own, ...changes }
}

async function startTest(clientId = 'web'): Promise<ClientTestHandle> {
  const { ports } = opened
  const handle = ports.random.handle('clientTest')
  await saveClientTest(ports, handle, {
    clientId: clientIdSchema.parse(clientId),
    secret,
    verifier: 'v',
    nonce: 'n',
    subject,
    sessionId,
    adminSession,
    testedSecret: 'not_tried',
    startedAt: ports.clock.now().getTime(),
    requestId: 'R',
  })
  return handle
}

function authorizationPorts(requester: Requester) {
  const { ports } = opened
  return forAuthorization(ports, { adminPageStates: ports.adminPageStates, requester })
}

async function findHidden(handle: string, requester: Requester = browserSession()) {
  const { clients } = authorizationPorts(requester)
  return clients.find(clientIdSchema.parse(handle))
}

describe('the hidden client of a client test', () => {
  test('has the settings of the tested client, and an ID, a secret and a redirect URI of the dashboard', async () => {
    const handle = await startTest()
    const found = await findHidden(handle)
    const tested = await opened.ports.clients.find(clientIdSchema.parse('web'))
    assert.deepEqual(found?.client, {
      ...tested?.client,
      clientId: handle,
      redirectUris: [clientTestRedirectUri(issuer)],
      postLogoutRedirectUris: [],
      allowedCorsOrigins: [],
      pkce: 'required-s256',
      allowRememberConsent: false,
    })
    assert.deepEqual(
      found?.secrets.map(({ digest }) => digest),
      [secret.digest],
    )
  })

  test('exists for the session that started the test, and for its pending request', async () => {
    const handle = await startTest()
    assert.notEqual(await findHidden(handle), null)
    assert.notEqual(await findHidden(handle, 'accepted'), null)
  })

  const others: ReadonlyArray<readonly [string, () => Requester]> = [
    ['a signed-out browser', () => null],
    [
      'another session of the same user',
      () => browserSession({ sessionId: sessionIdSchema.parse('t'.repeat(22)) }),
    ],
    ['another user', () => browserSession({ subject: subjectIdSchema.parse('bob') })],
  ]
  for (const [who, requester] of others) {
    test(`does not exist for ${who}`, async () => {
      assert.equal(await findHidden(await startTest(), requester()), null)
    })
  }

  test('does not exist for the token endpoint and other callers without a session', async () => {
    const handle = await startTest()
    assert.equal(await opened.ports.clients.find(clientIdSchema.parse(handle)), null)
  })

  test('does not exist after ten minutes', async () => {
    const handle = await startTest()
    opened.advance(601)
    assert.equal(await findHidden(handle), null)
    assert.equal(await takeClientTest(opened.ports, handle, { subject, adminSession }), null)
    await opened.purge()
  })

  test('follows a tested client that is disabled or becomes public during the test', async () => {
    await opened.addClient({ client_id: 'changing' })
    const handle = await startTest('changing')
    await opened.addClient({ client_id: 'changing', enabled: false })
    assert.equal((await findHidden(handle))?.client.enabled, false)
    const nowPublic = { token_endpoint_auth_method: 'none', pkce: 'required-s256' } as const
    await opened.addClient({ client_id: 'changing', ...nowPublic })
    assert.equal(await findHidden(handle), null)
  })

  test('does not exist when the tested client does not', async () => {
    assert.equal(await findHidden(await startTest('unregistered')), null)
  })

  test('is replaced by the tested client in events, which bear the name of the test', async () => {
    const handle = await startTest()
    const ports = authorizationPorts(browserSession())
    await ports.clients.find(clientIdSchema.parse(handle))
    ports.events.record({ name: 'authorize_answered', outcome: 'success', clientId: handle }, context)
    const { clientId, details } = opened.events.at(-1) ?? {}
    assert.deepEqual([clientId, details], ['web', { test: clientTestName(opened.ports, handle) }])
  })
})

describe('a client test', () => {
  test('is taken only by the user and the admin session that started it', async () => {
    const handle = await startTest()
    const bob = subjectIdSchema.parse('bob')
    assert.equal(await takeClientTest(opened.ports, handle, { subject: bob, adminSession }), null)
    const other = 'w'.repeat(43)
    assert.equal(await takeClientTest(opened.ports, handle, { subject, adminSession: other }), null)
    const taken = await takeClientTest(opened.ports, handle, { subject, adminSession })
    assert.equal(taken?.session.verifier, 'v')
  })

  test('is taken once, also by two callers at the same moment, and its hidden client ends with it', async () => {
    const handle = await startTest()
    const both = await Promise.all(
      [1, 2].map(() => takeClientTest(opened.ports, handle, { subject, adminSession })),
    )
    assert.equal(both.filter(taken => taken !== null).length, 1)
    assert.equal(await findHidden(handle), null)
  })
})

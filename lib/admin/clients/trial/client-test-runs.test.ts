import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { issuer } from '#lib/core/test-ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { readAuthorizeParameters } from '#lib/protocol/authorize-params.ts'
import { clientTestAddress } from '#lib/protocol/client-test-address.ts'
import { sessionIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../../test-admin-ports.ts'
import { keepRun, takeRun, testName } from './client-test-runs.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

const subject = subjectIdSchema.parse('alice')
const sid = sessionIdSchema.parse('s'.repeat(22))
const visit = 'v'.repeat(43)

function session(changes: Partial<Session> = {}): Session {
  const facts = { idp: 'local', amr: [], acr: null, name: 'Alice', isPersistent: false, userAgent: null }
  const times = { authenticatedAt: new Date(0), createdAt: new Date(0), lastSeenAt: new Date(0) }
  const digest = opened.ports.hashing.digest('alice')
  const own = { digest, subject, sessionId: sid, expiresAt: new Date(0), address: null }
  return { ...facts, ...times, ...own, ...changes }
}

async function begun() {
  const { ports } = opened
  const handle = ports.random.handle('clientTest')
  const request = {
    client_id: 'web',
    redirect_uri: clientTestAddress(issuer),
    response_type: 'code',
    scope: 'openid',
    state: handle,
    nonce: 'n',
    code_challenge: 'c',
    code_challenge_method: 'S256',
  }
  const who = { subject, session: sid, visit }
  const startedAt = ports.clock.now().getTime()
  const rest = { verifier: 'v', secret: 'not_tried', reference: 'R', startedAt } as const
  await keepRun(ports, handle, { request, ...who, ...rest })
  return { handle, request: readAuthorizeParameters(request) }
}

describe('a test is under way', () => {
  test('for the very request it began with, in the session it began in', async () => {
    const { handle, request } = await begun()
    const { clientTests } = opened.ports
    assert.equal(await clientTests.nameOf(request, session()), testName(opened.ports, handle))
    assert.equal(await clientTests.nameOf(request, 'accepted'), testName(opened.ports, handle))
  })

  const others = [
    ['nobody', () => null],
    [
      'another session of the same person',
      () => session({ sessionId: sessionIdSchema.parse('t'.repeat(22)) }),
    ],
    ['another person', () => session({ subject: subjectIdSchema.parse('bob') })],
  ] as const
  for (const [who, asker] of others) {
    test(`for ${who} it is not`, async () => {
      const { request } = await begun()
      assert.equal(await opened.ports.clientTests.nameOf(request, asker()), null)
    })
  }

  for (const change of [
    { client_id: 'other' },
    { scope: 'openid api' },
    { nonce: 'm' },
    { code_challenge: 'd' },
    { prompt: 'none' },
    { response_mode: 'fragment' },
    { state: 'tst_' },
  ]) {
    test(`for a request with ${JSON.stringify(change)} it is not`, async () => {
      const { request } = await begun()
      const asked = readAuthorizeParameters({ ...request, ...change })
      assert.equal(await opened.ports.clientTests.nameOf(asked, session()), null)
    })
  }

  test('for ten minutes and no longer', async () => {
    const { handle, request } = await begun()
    opened.advance(601)
    assert.equal(await opened.ports.clientTests.nameOf(request, session()), null)
    assert.equal(await takeRun(opened.ports, handle, { subject, visit }), null)
    await opened.purge()
  })
})

describe('a test is taken', () => {
  test('by who began it, in that visit; others neither get nor spoil it', async () => {
    const { handle } = await begun()
    assert.equal(await takeRun(opened.ports, handle, { subject: 'bob', visit }), null)
    assert.equal(await takeRun(opened.ports, handle, { subject, visit: 'w'.repeat(43) }), null)
    assert.equal((await takeRun(opened.ports, handle, { subject, visit }))?.verifier, 'v')
  })

  test('once, also when it is answered twice at the same moment, and is over then', async () => {
    const { handle, request } = await begun()
    const both = await Promise.all([1, 2].map(() => takeRun(opened.ports, handle, { subject, visit })))
    assert.equal(both.filter(run => run !== null).length, 1)
    assert.equal(await opened.ports.clientTests.nameOf(request, session()), null)
  })
})

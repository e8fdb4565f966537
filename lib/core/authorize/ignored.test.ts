import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import { authorize } from './authorize.ts'
import { resume } from './resume.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addClient({
    client_id: 'no-refresh',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope: 'openid offline_access',
  })
  await t.addClient({ client_id: 'no-scope', scope: 'openid' })
  await t.addUser('alice')
})
after(() => t.close())

type Sent = Readonly<Record<string, string>>

/** Sends one authorization request of alice, or of a browser without a session. Returns the outcome and the event. */
async function eventOf(sent: Sent, { isSignedIn = true } = {}) {
  const session = isSignedIn ? await t.openSession('alice') : null
  const browser = t.ports.random.handle('browser')
  const parameters = parametersFrom({ ...validParameters, ...sent })
  const outcome = await authorize(t.ports, { parameters, session, browser }, context)
  return { outcome, browser, event: t.events.at(-1) }
}

const scope = 'openid offline_access'
const rows: ReadonlyArray<readonly [why: string, sent: Sent, reason: string | undefined]> = [
  ['the client may have it', { scope }, undefined],
  ['it was not requested', { client_id: 'no-refresh', scope: 'openid' }, undefined],
  [
    'the client may not use refresh_token',
    { client_id: 'no-refresh', scope },
    'offline_access_without_refresh_token',
  ],
  ['the client is not registered for it', { client_id: 'no-scope', scope }, 'offline_access_not_in_scope'],
  [
    'the response has no code',
    { response_type: 'id_token', nonce: 'n', scope },
    'offline_access_without_code',
  ],
]

for (const [why, sent, reason] of rows) {
  test(`AZ-06 offline_access: the event has the reason ${reason}, because ${why}`, async () => {
    const { event } = await eventOf(sent)
    assert.deepEqual([event?.name, event?.outcome, event?.reason], ['authorize_answered', 'success', reason])
  })
}

const ignored: ReadonlyArray<readonly [sent: Sent, names: string | undefined]> = [
  [{}, undefined],
  [{ claims: '{}', display: 'popup', resource: 'https://api.example' }, 'claims display resource'],
  [{ 'x-client-SKU': 'ID_NET8_0', 'x-client-ver': '8.0' }, undefined],
  [{ 'a name like secret': 'x', utm: 'secret', claims: '{}' }, 'claims unknown:2'],
  [{ acr_values: 'level2 tenant:blue' }, undefined],
  [{ acr_values: 'idp:latchkey' }, undefined],
  [{ acr_values: 'level2 idp:secret' }, 'acr_values=idp:'],
  [{ acr_values: 'idp:not/valid', claims: 'secret' }, 'claims acr_values=idp:'],
]

for (const [sent, names] of ignored) {
  test(`AZ-06 the first event of a request with ${Object.keys(sent)} says that ${names ?? 'nothing'} was ignored`, async () => {
    for (const isSignedIn of [true, false]) {
      const { event } = await eventOf(sent, { isSignedIn })
      assert.equal(event?.name, isSignedIn ? 'authorize_answered' : 'authorize_paused')
      assert.equal(event?.details?.ignored, names)
      assert.doesNotMatch(JSON.stringify(event), /secret/)
    }
  })
}

test('AZ-06 the last event of a sign-in says why there is no refresh token, and does not repeat what was ignored', async () => {
  const { outcome, browser } = await eventOf(
    { client_id: 'no-scope', scope, claims: '{}' },
    { isSignedIn: false },
  )
  assert.ok('pending' in outcome)
  const session = await t.openSession('alice')
  await resume(t.ports, { pending: outcome.pending, browser, session }, context)
  const event = t.events.at(-1)
  assert.deepEqual(
    [event?.name, event?.reason, event?.details?.ignored],
    ['authorize_answered', 'offline_access_not_in_scope', undefined],
  )
})

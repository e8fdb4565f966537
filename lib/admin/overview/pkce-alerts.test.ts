import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { ClientMetadata } from '#lib/protocol/registration/client.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { sampleEvent } from '#lib/storage/testing/samples.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { alertsOfMissingPkce } from './pkce-alerts.ts'

let opened: AdminTestPorts
let now: Date
let clientId: string
let made = 0
before(async () => {
  opened = await openAdminTestPorts()
  now = opened.ports.clock.now()
})
after(() => opened.close())
beforeEach(() => {
  made += 1
  clientId = `wiki-${made}`
})

const register = (changes: Partial<ClientMetadata> = {}) =>
  opened.addClient({ client_id: clientId, client_name: `Wiki ${made}`, pkce: 'required-s256', ...changes })
const refuse = (secondsAgo: number, reason = 'code_challenge_missing') =>
  opened.ports.eventLog.write([
    sampleEvent({
      clientId,
      reason,
      name: 'authorize_refused',
      outcome: 'failure',
      requestId: `PKCE-${made}`,
      time: secondsAfter(now, -secondsAgo),
    }),
  ])
const found = async (at = now) =>
  (await alertsOfMissingPkce(opened.ports, at)).filter(({ sentence }) => sentence.startsWith(`Wiki ${made} `))

test('a client whose request came without PKCE needs attention: PKCE in the application, or its pkce setting', async () => {
  await register()
  await refuse(60)
  await refuse(30)
  const [alert, ...more] = await found()
  assert.equal(more.length, 0)
  assert.match(
    alert?.sentence ?? '',
    /sends no code_challenge and was refused\. Turn PKCE with S256 on in the application/,
  )
  assert.match(
    alert?.sentence ?? '',
    /s256-or-nonce \(.*\) or to optional \(nothing detects a stolen code\)\.$/,
  )
  assert.deepEqual(alert?.links, [
    { text: 'Settings', href: `/admin/clients/${clientId}` },
    { text: 'View request', href: `/admin/events/requests/PKCE-${made}` },
  ])
})

test('a client that asks for a nonce in place of PKCE is reported with both ways', async () => {
  await register({ pkce: 's256-or-nonce' })
  await refuse(60, 'code_challenge_and_nonce_missing')
  assert.match(
    (await found())[0]?.sentence ?? '',
    /neither code_challenge nor a nonce .* request openid with a nonce/,
  )
})

test('the alert ends when the client gets an answer, whatever strangers sent in its name before', async () => {
  await register()
  await refuse(60)
  await opened.ports.eventLog.write([
    sampleEvent({ clientId, name: 'authorize_answered', time: secondsAfter(now, -30) }),
  ])
  assert.deepEqual(await found(), [])
})

test('the alert ends when the setting allows the request, when the client is disabled, and after a day', async () => {
  await register()
  await refuse(60)
  assert.equal((await found()).length, 1)
  assert.equal((await found(secondsAfter(now, 86_400))).length, 0)
  await register({ pkce: 'optional' })
  assert.equal((await found()).length, 0)
  await register({ enabled: false })
  assert.equal((await found()).length, 0)
})

/** Tests how the events of a user become activities. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { activity as limits } from '#lib/config/limits.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { eventIdMark } from '#lib/protocol/request-context.ts'
import { accountActivity } from './activity.ts'
import { openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
let made = 0
before(async () => {
  setup = await openTestSignIn()
  await setup.addClient()
})
after(() => setup.close())

const noon = new Date('2026-03-01T12:00:00.000Z')

function event(subject: string, minutes: number, given: Partial<StoredEvent>): StoredEvent {
  made += 1
  const time = new Date(noon.getTime() + minutes * 60_000)
  return {
    ...{ id: `${eventIdMark(time)}-${made}`, time, name: 'sign_in_succeeded', outcome: 'success' },
    ...{ clientId: null, subject, grantType: null, reason: null, requestId: `r-${made}`, flow: null },
    ...{ grantId: null, address: '192.0.2.1', userAgent: null, details: {}, checks: null },
    ...given,
  }
}

async function shown(subject: string, before: string | null = null) {
  const ports = { eventLog: setup.storage.eventLog, clients: setup.ports.clients }
  return accountActivity(ports, { subject: subjectIdSchema.parse(subject) }, before)
}

test('activities of one kind and day fold into one, the newest first, and those of others are left out', async () => {
  await setup.storage.eventLog.write([
    event('anna', 0, {}),
    event('anna', 1, { name: 'tokens_issued' }),
    event('anna', 2, { name: 'password_changed' }),
    event('anna', 3, {}),
    event('anna', 24 * 60, {}),
    event('berta', 4, {}),
  ])
  const { activities, next } = await shown('anna')
  assert.deepEqual(
    activities.map(({ kind, occurrences }) => [kind, occurrences.length]),
    [
      ['signedIn', 1],
      ['signedIn', 2],
      ['passwordChanged', 1],
    ],
  )
  assert.equal(next, null)
})

test('a refused sign-in, a recovered password, and an app are named', async () => {
  await setup.storage.eventLog.write([
    event('carla', 0, { name: 'sign_in_failed', outcome: 'failure', reason: 'wrong_password' }),
    event('carla', 1, { name: 'password_changed', details: { by: 'recovery' } }),
    event('carla', 2, { name: 'password_changed', outcome: 'failure' }),
    event('carla', 3, { name: 'consent_revoked', clientId: 'web', details: { grants: 1 } }),
    event('carla', 4, { name: 'consent_revoked', clientId: 'web', details: { grants: 1, scope: 'api' } }),
    event('carla', 5, { name: 'consent_granted', clientId: 'deleted-app' }),
    event('carla', 6, { name: 'signed_out', details: { sessions: 2 } }),
  ])
  const { activities } = await shown('carla')
  assert.deepEqual(
    activities.map(({ kind, app }) => [kind, app]),
    [
      ['othersSignedOut', null],
      ['appAllowed', 'deleted-app'],
      ['appNarrowed', 'Web App'],
      ['appRemoved', 'Web App'],
      ['passwordRecovered', null],
      ['signInRefused', null],
    ],
  )
})

test('the next page begins where the page ends', async () => {
  const count = limits.events + 20
  await setup.storage.eventLog.write(Array.from({ length: count }, (_, day) => event('dora', day * 1440, {})))
  const first = await shown('dora')
  assert.equal(first.activities.length, limits.events)
  const second = await shown('dora', first.next)
  assert.deepEqual([second.activities.length, second.next], [20, null])
  const ids = [...first.activities, ...second.activities].flatMap(({ occurrences }) =>
    occurrences.map(({ id }) => id),
  )
  assert.equal(new Set(ids).size, count)
})

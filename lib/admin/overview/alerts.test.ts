import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withPolicies } from '#lib/core/testing/ports.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { dayNumber, secondsAfter } from '#lib/protocol/time.ts'
import { scopeSecrets } from '../scopes/write-scopes.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { readAlerts } from './alerts.ts'
import { type AuditFound, checkAudit, readAuditCheck } from './audit-check.ts'
import { type Health, readHealth } from './health.ts'

let opened: AdminTestPorts
let now: Date
let well: Health
before(async () => {
  opened = await openAdminTestPorts()
  now = opened.ports.clock.now()
  well = await readHealth(opened.ports, now)
})
after(() => opened.close())

const sentencesOf = async (health: Health = well, at = now) =>
  (await readAlerts(opened.ports, health, at)).map(({ severity, sentence }) => `${severity}: ${sentence}`)

test('a healthy installation has no alerts', async () => {
  assert.deepEqual(await sentencesOf(), [])
})

test('AU-01 short passwords are reported unless everyone needs a second factor', async () => {
  const found = async (changes: Parameters<typeof withPolicies>[0]) =>
    (await readAlerts({ ...opened.ports, policies: withPolicies(changes) }, well, now)).map(
      ({ severity, sentence, links }) => [severity, sentence.split('.')[0], links[0]?.href],
    )
  const alert = ['note', 'New passwords may be short although they can be the only factor', '/admin/policies']
  assert.deepEqual(await found({ minimum_password_length: 8 }), [alert])
  assert.deepEqual(await found({ minimum_password_length: 8, second_factor_required_for: ['role=staff'] }), [
    alert,
  ])
  assert.deepEqual(await found({ minimum_password_length: 8, second_factor_required_for: ['everyone'] }), [])
  assert.deepEqual(await found({ minimum_password_length: 15 }), [])
})

test('only a client with a high share of refusals needs attention', async () => {
  const day = dayNumber(now)
  const clients = [
    { clientId: 'busy', day, tokens: 100, refusals: 6 },
    { clientId: 'failing', day, tokens: 5, refusals: 5 },
    { clientId: 'failing', day: day - 1, tokens: 5, refusals: 5 },
    { clientId: 'unlucky', day, tokens: 0, refusals: 4 },
    { clientId: 'repaired', day: day - 2, tokens: 0, refusals: 99 },
  ]
  await opened.ports.eventLog.write([], { counts: [], visits: [], clients })
  assert.deepEqual(await sentencesOf(), ['bad: failing was refused 10 of 20 times since yesterday.'])
  assert.deepEqual(await sentencesOf(well, secondsAfter(now, 3 * 86_400)), [])
})

test('AD-03 a failing client is reported with the number of addresses, and one address is less urgent', async () => {
  const day = dayNumber(now)
  const failures = (clientId: string, addresses: readonly string[]) =>
    addresses.map((address, index) => ({
      ...{
        id: `n-${clientId}-${index}`,
        time: now,
        name: 'token_refused',
        outcome: 'failure',
        clientId,
        address,
      },
      ...{ subject: null, grantType: null, reason: 'secret_wrong', requestId: 'AAAA-AAAA', flow: null },
      ...{ grantId: null, userAgent: null, details: {}, checks: null },
    })) as StoredEvent[]
  const events = [
    ...failures('one-stranger', ['192.0.2.1', '192.0.2.1', '192.0.2.1']),
    ...failures('everywhere', ['192.0.2.1', '192.0.2.2', '2001:db8::1']),
  ]
  const counted = { day, tokens: 1, refusals: 22 }
  const clients = ['one-stranger', 'everywhere'].map(clientId => ({ ...counted, clientId }))
  await opened.ports.eventLog.write(events, { counts: [], visits: [], clients })
  const found = (await sentencesOf()).filter(sentence => sentence.includes('was refused 22'))
  assert.deepEqual(found, [
    'bad: everywhere was refused 22 of 23 times since yesterday, from 3 IP addresses.',
    'warn: one-stranger was refused 22 of 23 times since yesterday, from 1 IP address.',
  ])
})

test('a secret that expires soon causes an alert until its successor is used in its place', async () => {
  const { ports } = opened
  const caller = await opened.caller('client_manager')
  const input = { name: 'api.write', secret_name: 'Key', expires_at: '2026-03-05' }
  const added = await scopeSecrets.add.call(ports, input, caller)
  assert.ok(added.kind === 'ok', JSON.stringify(added))
  const alerts = async () =>
    (await readAlerts(ports, well, now)).filter(({ sentence }) => sentence.includes('secret'))
  const at = '/admin/scopes/api.write/secrets'
  const key = 'The secret “Key” of api.write'
  assert.deepEqual(await alerts(), [
    {
      severity: 'warn',
      sentence: `${key} expires in 5 days, on 2026-03-06.`,
      links: [{ text: 'Rotate it', href: at }],
    },
  ])
  const rotation = { name: 'api.write', secret_id: added.value.id, overlap_hours: 24, expires_at: null }
  const rotated = await scopeSecrets.rotate.call(ports, rotation, caller)
  assert.ok(rotated.kind === 'ok', JSON.stringify(rotated))
  const use = async (id: string, seconds: number) => {
    opened.storage.usage.secret({ owner: 'api.write', id }, secondsAfter(now, seconds))
    await opened.storage.usage.flush()
  }
  const reminder = (sentence: string) => [
    {
      severity: 'warn',
      sentence: `${key} expires tomorrow, on 2026-03-02. ${sentence}`,
      links: [{ text: 'View secrets', href: at }],
    },
  ]
  assert.deepEqual(
    await alerts(),
    reminder('“Key (2)”, which replaces it, was never used: give it to the app.'),
  )
  await use(rotated.value.id, 60)
  assert.deepEqual(await alerts(), [])
  await use(added.value.id, 3600)
  assert.deepEqual(
    await alerts(),
    reminder(
      'It was used after “Key (2)”, which replaces it, was created: give every app that uses it the new one.',
    ),
  )
})

test('flows that standards advise against are reported with their clients', async () => {
  await opened.addClient({
    client_id: 'old',
    client_name: 'Old',
    grant_types: ['password'],
    response_types: [],
  })
  const alerts = await readAlerts(opened.ports, well, now)
  const legacy = alerts.find(({ sentence }) => sentence.includes('password grant'))
  assert.equal(legacy?.severity, 'note')
  assert.deepEqual(legacy?.links, [{ text: 'Old', href: '/admin/clients/old' }])
})

test('a client whose requests for offline_access are ignored needs attention until it may refresh', async () => {
  const client = { client_name: 'Kiosk', scope: 'openid offline_access', response_types: ['code' as const] }
  const code = ['authorization_code']
  await opened.addClient({ ...client, client_id: 'kiosk', grant_types: code })
  await opened.addClient({ ...client, client_id: 'wiki', grant_types: [...code, 'refresh_token'] })
  const alerts = await readAlerts(opened.ports, well, now)
  const found = alerts.find(({ sentence }) => sentence.includes('offline_access'))
  assert.match(
    found?.sentence ?? '',
    /not use refresh tokens\. Add refresh_token to grant_types, or remove offline_access from scope\.$/,
  )
  assert.deepEqual(
    found?.links.filter(({ text }) => text === 'Kiosk'),
    [{ text: 'Kiosk', href: '/admin/clients/kiosk' }],
  )
})

test('the clients that may administer the service are named', async () => {
  await opened.addClient({ client_id: 'robot', client_name: 'Robot', scope: 'openid latchkey.admin' })
  const alerts = await readAlerts(opened.ports, well, now)
  const found = alerts.find(({ sentence }) => sentence.includes('latchkey.admin'))
  assert.equal(found?.severity, 'note')
  assert.match(found?.sentence ?? '', /^1 client may request latchkey\.admin and administer this server\./)
  assert.deepEqual(found?.links, [{ text: 'Robot', href: '/admin/clients/robot' }])
})

test('keys that old APIs cannot read are reported if a client has tokens in the format of IdentityServer3', async () => {
  const rsaOnly = { ...well, keys: well.keys.filter(({ publicJwk }) => publicJwk.kty === 'RSA') }
  const found = async (health: Health) =>
    (await sentencesOf(health)).filter(sentence => sentence.startsWith('warn: The key set has ES256'))
  assert.deepEqual(await found(well), [])
  await opened.addClient({ client_id: 'moved', access_token_format: 'identityserver3' })
  for (const keys of [well.keys, well.keys.toReversed()])
    assert.equal((await found({ ...well, keys })).length, 1)
  assert.deepEqual(await found(rsaOnly), [])
})

describe('the state of the installation', () => {
  const rows: ReadonlyArray<readonly [string, () => Health, RegExp]> = [
    [
      'a disk that is nearly full',
      () => ({ ...well, database: { ...well.database, freeBytes: 1024 } }),
      /^bad: The disk/,
    ],
    ['no key', () => ({ ...well, keys: [] }), /^bad: No signing key/],
    [
      'no active key',
      () => ({ ...well, keys: well.keys.map(key => ({ ...key, retiresAt: now })) }),
      /^bad: No active RS256 key/,
    ],
    [
      'keys of other algorithms only',
      () => ({ ...well, keys: well.keys.filter(({ algorithm }) => algorithm !== 'RS256') }),
      /^bad: No active RS256 key/,
    ],
    [
      'a key that is published too late',
      () => ({
        ...well,
        rotations: well.rotations.map(turn => ({ ...turn, published_at: '2026-01-01T00:00:00Z' })),
      }),
      /^warn: The next RS256 key is overdue/,
    ],
    [
      'housekeeping that does not run',
      () => ({ ...well, purge: { at: new Date('2026-02-01T00:00:00Z'), isOverdue: true } }),
      /^warn: Housekeeping is overdue: it last ran at 2026-02-01 00:00 UTC/,
    ],
    [
      'an audit log with a missing change',
      () => ({
        ...well,
        audit: { ...well.audit, check: checked({ kind: 'broken', seq: 7, problem: 'missing' }) },
      }),
      /^bad: Change 7 is missing/,
    ],
    [
      'a message that was given up',
      () => ({ ...well, mail: { ...well.mail, givenUp: 1 } }),
      /^warn: 1 message was given up since yesterday/,
    ],
    [
      'messages that the mail server did not accept',
      () => ({ ...well, mail: { ...well.mail, retried: 2 } }),
      /^warn: 2 messages wait for another attempt/,
    ],
    [
      'an audit log without recent verification',
      () => ({ ...well, audit: { ...well.audit, isOverdue: true } }),
      /^warn: The audit log was not verified/,
    ],
  ]
  for (const [title, health, expected] of rows)
    test(title, async () => {
      const sentences = await sentencesOf(health())
      assert.ok(
        sentences.some(sentence => expected.test(sentence)),
        String(sentences),
      )
    })
})

const checked = (found: AuditFound) => ({ at: now, found })

test('housekeeping is not overdue right after a start', async () => {
  const late = secondsAfter(now, 30 * 86_400)
  const openedAtTime = (openedAt: Date) => ({
    ...opened.ports,
    databaseStatus: { ...opened.ports.databaseStatus, openedAt },
  })
  assert.equal((await readHealth(openedAtTime(late), late)).purge.isOverdue, false)
  assert.equal((await readHealth(openedAtTime(now), late)).purge.isOverdue, true)
})

test('LG-04 the audit log is verified once a day, and the result is stored', async () => {
  let walks = 0
  const verify = (found: AuditFound) => async () => {
    walks += 1
    return found
  }
  const { meta } = opened.ports
  assert.equal(await readAuditCheck(meta), null)
  await checkAudit(meta, verify({ kind: 'intact', rows: 3 }), now)
  await checkAudit(meta, verify({ kind: 'intact', rows: 4 }), secondsAfter(now, 86_000))
  assert.deepEqual([walks, await readAuditCheck(meta)], [1, checked({ kind: 'intact', rows: 3 })])
  const tomorrow = secondsAfter(now, 86_400)
  await checkAudit(meta, verify({ kind: 'broken', seq: 2, problem: 'changed' }), tomorrow)
  assert.equal((await readAuditCheck(meta))?.found.kind, 'broken')
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { sampleConsent, sampleGrant, sampleRefreshToken } from '#lib/storage/testing/samples.ts'
import type { AdminResult } from '../admin-result.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller, UseCase } from '../use-case.ts'
import { exportAccess, listAccess, listConsents, listGrants, listSessions } from './read-access.ts'

let opened: AdminTestPorts
let manager: Caller
const users = ['ann', 'ben'] as const
const apps = ['shop', 'web'] as const

before(async () => {
  opened = await openAdminTestPorts()
  manager = await opened.caller('client_manager')
  for (const name of users) await fill(name)
})
after(() => opened.close())

/** Creates a user with one session, and for each app a grant with a refresh token and a consent. */
async function fill(name: string): Promise<void> {
  const { ports } = opened
  const [now, subject] = [ports.clock.now(), subjectIdSchema.parse(name)]
  const expiresAt = new Date(now.getTime() + 3_600_000)
  await opened.addUser(name)
  await opened.openSession(name)
  for (const app of apps) {
    const owned = { subject, clientId: clientIdSchema.parse(app), createdAt: now, expiresAt }
    const grant = sampleGrant(owned)
    await ports.grants.open(grant)
    await ports.tokens.store({
      grantId: null,
      refreshToken: sampleRefreshToken(grant, {
        expiresAt,
        absoluteExpiresAt: expiresAt,
        sealedAnswer: 'sealed',
      }),
    })
    await ports.consents.store(sampleConsent({ ...owned, updatedAt: now }))
  }
}

function answerOf<T>(result: AdminResult<T>): T {
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value
}

const owners = (items: readonly { readonly sub: string; readonly client_id?: string }[]) =>
  items.map(({ sub, client_id: app }) => (app === undefined ? sub : `${sub} ${app}`)).toSorted()

test('sessions, grants and consents can be filtered by user, grants and consents also by client', async () => {
  const { ports } = opened
  const sessions = answerOf(await listSessions.call(ports, { sub: 'ann' }, manager))
  assert.deepEqual(owners(sessions.items), ['ann'])
  for (const list of [listGrants, listConsents]) {
    for (const [filter, expected] of [
      [{}, ['ann shop', 'ann web', 'ben shop', 'ben web']],
      [{ sub: 'ann' }, ['ann shop', 'ann web']],
      [{ client_id: 'shop' }, ['ann shop', 'ben shop']],
      [{ sub: 'ben', client_id: 'web' }, ['ben web']],
      [{ sub: 'unknown' }, []],
    ] as const) {
      const { items } = answerOf<{ items: { sub: string; client_id: string }[] }>(
        await list.call(ports, filter, manager),
      )
      assert.deepEqual(owners(items), expected, `${list.name} ${JSON.stringify(filter)}`)
    }
  }
})

test('a grant is listed with the number of its valid tokens', async () => {
  const { items } = answerOf(await listGrants.call(opened.ports, { sub: 'ann' }, manager))
  assert.deepEqual(
    items.map(item => [item.refresh_tokens, item.reference_tokens]),
    [
      [1, 0],
      [1, 0],
    ],
  )
})

test('AD-05 lists of sessions, grants and consents contain no token, handle or digest', async () => {
  const { ports } = opened
  const subject = subjectIdSchema.parse('ann')
  const digests = (await ports.sessions.allOf(subject, ports.clock.now())).map(({ digest }) => digest)
  for (const list of [listSessions, listGrants, listConsents]) {
    const text = JSON.stringify(await list.call(ports, {}, manager))
    assert.ok(!/digest|sealed|hash|_token"/.test(text), text)
    for (const digest of digests) assert.ok(!text.includes(digest), list.name)
  }
})

test('AD-07 a page token is valid only for the next page of the same filter', async () => {
  const { ports } = opened
  for (const list of [listGrants, listConsents]) {
    const page = (given: object) => list.call(ports, { limit: 1, ...given }, manager)
    const first = pageOf(await page({ sub: 'ann' }))
    const second = pageOf(await page({ sub: 'ann', after: first.next }))
    assert.deepEqual(owners([...first.items, ...second.items]), ['ann shop', 'ann web'])
    assert.equal(second.next, null)
    const elsewhere = pageOf(await page({ sub: 'ben', after: first.next }))
    assert.deepEqual(elsewhere.items, pageOf(await page({ sub: 'ben' })).items)
  }
})

type Paged = { readonly items: { sub: string; client_id: string }[]; readonly next: string | null }
const pageOf = (result: AdminResult<unknown>) => answerOf<Paged>(Object(result))

test('a filter that a list does not support is refused, so that it cannot select all rows', async () => {
  const wrong: readonly (readonly [UseCase, object])[] = [
    [listSessions, { client_id: 'shop' }],
    [listSessions, { subject: 'ann' }],
    [listGrants, { client: 'shop' }],
    [listConsents, { username: 'ann' }],
  ]
  for (const [list, filter] of wrong) {
    const result = await list.call(opened.ports, filter, manager)
    assert.equal(result.kind, 'invalid', `${list.name} ${JSON.stringify(filter)}`)
  }
})

test('AD-08 a list is exported as CSV with its filter, by an auditor but not by a client manager', async () => {
  const auditor = await opened.caller('auditor')
  const exported = async (show: string) => {
    const input = Object({ show, sub: 'ann' })
    return answerOf(await exportAccess.call(opened.ports, input, auditor)).csv.split('\r\n')
  }
  const [head, ...rows] = await exported('access')
  assert.equal(head, 'sub,client_id,scope,grants,refresh_tokens,reference_tokens,authorized_at')
  assert.deepEqual(
    rows
      .filter(Boolean)
      .map(row => row.split(',').slice(0, 2).join(' '))
      .toSorted(),
    ['ann shop', 'ann web'],
  )
  assert.match((await exported('sessions')).join(), /session_id,sub,.*,ann,/)
  assert.equal((await exportAccess.call(opened.ports, { show: 'access' }, manager)).kind, 'denied')
})

test('access is listed once for each user and client', async () => {
  const { items } = answerOf(await listAccess.call(opened.ports, { sub: 'ann' }, manager))
  assert.deepEqual(owners(items), ['ann shop', 'ann web'])
})

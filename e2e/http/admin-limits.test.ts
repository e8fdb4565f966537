/** Tests what administrators cannot do: write fields that a form does not have, exceed their role, or act after losing it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAdmin } from '../fixtures/dashboard/administrator.ts'
import {
  type Api,
  openApi,
  openStaff,
  type Staff,
  staff,
  staffedConfiguration,
} from '../fixtures/dashboard/administrators-by-role.ts'
import type { Answer } from '../fixtures/requests/http-client.ts'
import { bob } from '../fixtures/server/configuration.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

let all: Staff
let api: Api
let support: Api
let manager: Api
const latchkey = latchkeySuite({
  configuration: staffedConfiguration,
  onceStarted: async server => {
    all = await openStaff(server)
    api = await openApi(server.issuer, all.owner, 'owner')
    support = await openApi(server.issuer, all.owner, 'user_support')
    manager = await openApi(server.issuer, all.owner, 'client_manager')
  },
})

async function put(by: Api, path: string, body: object): Promise<Answer> {
  const { etag = '' } = (await by.call('GET', path)).headers
  return by.call('PUT', path, { body, headers: { 'if-match': etag } })
}

describe('AD-02 a write accepts only the fields of its form', () => {
  const extras = {
    role: 'owner',
    roles: ['owner'],
    admin: true,
    isAdmin: true,
    is_admin: true,
    sub: 'alice-0001',
    subject: 'alice-0001',
    id: 'alice-0001',
    password: 'a chosen password 123',
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    password_hash: 'x',
    email_verified: true,
    emailVerified: true,
    enabled: false,
    version: 999,
    created_at: '1999-01-01T00:00:00Z',
    createdAt: '1999-01-01T00:00:00Z',
    deletedAt: null,
    secrets: ['a-secret-of-their-own'],
    client_secret: 'a-secret-of-their-own',
    clientSecrets: [{ hash: 'x' }],
    last_used_at: '1999-01-01T00:00:00Z',
    'constructor.prototype.role': 'owner',
  }
  const names = Object.keys(extras)
  /** Bodies with each additional field separately, with all together, and with fields of the prototype. */
  const bodies: ReadonlyArray<readonly [string, object]> = [
    ...Object.entries(extras).map(([name, value]) => [name, { [name]: value }] as const),
    ['all of them', extras],
    ['__proto__', JSON.parse('{"__proto__": {"role": "owner", "enabled": false}}')],
  ]

  for (const [name, more] of bodies) {
    test(`AD-02 changing a user ignores ${name}`, async () => {
      const before = (await api.call('GET', `/users/${bob.sub}`)).json()
      const saved = await put(support, `/users/${bob.sub}`, {
        ...more,
        username: 'bob',
        claims: before.claims,
      })
      assert.equal(saved.status, 200, saved.text)
      const { version, updated_at: _, ...after } = (await api.call('GET', `/users/${bob.sub}`)).json()
      const { version: old, updated_at: __, ...same } = before
      assert.deepEqual(after, same)
      assert.ok(Number(version) - Number(old) <= 1)
    })
  }

  test('AD-02 a client document refuses unknown members, and other form fields are ignored', async () => {
    const path = '/clients/machine'
    const before = (await api.call('GET', path)).json()
    const { metadata } = before
    for (const name of names.filter(each => !['enabled', 'version'].includes(each))) {
      const inside = await put(manager, path, {
        metadata: { ...Object(metadata), [name]: Reflect.get(extras, name) },
      })
      assert.equal(inside.status, 400, `${name}: ${inside.text}`)
    }
    assert.equal((await put(manager, path, { ...extras, metadata })).status, 200)
    const after = (await api.call('GET', path)).json()
    assert.deepEqual(
      [after.metadata, after.secrets, after.created_at],
      [metadata, before.secrets, before.created_at],
    )
  })

  test('AD-02 IDs in a body do not change an object other than the one in the address', async () => {
    const body = { sub: staff.owner.sub, client_id: 'web', enabled: false }
    assert.equal((await support.call('POST', `/users/${bob.sub}/enabled`, { body })).json().sub, bob.sub)
    assert.equal((await api.call('GET', `/users/${staff.owner.sub}`)).json().enabled, true)
    await support.call('POST', `/users/${bob.sub}/enabled`, { body: { enabled: true } })
  })
})

describe('AD-03 no administrator acts on a higher role', () => {
  const boss = staff.owner.sub
  const deeds: ReadonlyArray<readonly [string, () => Promise<Answer>]> = [
    ['resets the password of an owner', () => support.call('POST', `/users/${boss}/password`)],
    ['resets the factors of an owner', () => support.call('POST', `/users/${boss}/factors/reset`)],
    ['renames an owner', () => put(support, `/users/${boss}`, { username: 'mine', claims: {} })],
    ['locks an owner', () => support.call('POST', `/users/${boss}/enabled`, { body: { enabled: false } })],
    ['resets the password of an auditor', () => support.call('POST', `/users/${staff.auditor.sub}/password`)],
    [
      'gives themselves a role',
      () => support.call('PUT', `/administrators/ci-user_support`, { body: { role: 'owner' } }),
    ],
    [
      'invites an owner',
      () => manager.call('POST', '/administrators/invitations', { body: { role: 'owner' } }),
    ],
    [
      'adds the API scope to a client',
      () => manager.call('POST', '/clients/machine/scopes', { body: { scope: 'latchkey.admin' } }),
    ],
    [
      'creates a client with the API scope',
      () =>
        manager.call('POST', '/clients', {
          body: { kind: 'machine', metadata: { client_name: 'M', scope: 'latchkey.admin' } },
        }),
    ],
    [
      'adds a secret to a client that administers',
      () => manager.call('POST', '/clients/ci-owner/secrets', { body: { secret_name: 'mine' } }),
    ],
    [
      'adds an address to a client of the API',
      () =>
        manager.call('POST', '/clients/desk/redirect-uris', {
          body: { redirect_uri: 'https://evil.example/' },
        }),
    ],
    ['reads the configuration', () => manager.call('GET', '/configuration?users=true')],
    [
      'applies a configuration',
      () => manager.call('POST', '/configuration', { body: { document: {}, digest: '' } }),
    ],
  ]
  for (const [what, deed] of deeds) {
    test(`AD-03 an administrator who ${what} without permission gets 403`, async () => {
      const answer = await deed()
      assert.equal(answer.status, 403, answer.text)
      assert.equal(answer.json().type, 'urn:latchkey:problem:denied')
    })
  }
})

test('AD-01 removing a role stops writes in progress: none is stored afterwards', async () => {
  for (let round = 0; round < 5; round += 1) {
    const late = await openAdmin(latchkey.server, { role: 'client_manager', who: bob, by: all.owner })
    const writes = Array.from({ length: 12 }, (_one, index) =>
      late.post('clients.create', {
        kind: 'machine',
        client_name: 'Late',
        client_id: `late-${round}-${index}`,
      }),
    )
    const removed = all.owner.post('administrators.remove', { subject: bob.sub })
    const answers = await Promise.all([removed, ...writes])
    assert.ok(answers.every(({ status }) => [303, 403].includes(status)))
    const rows = changesOn((await all.owner.get('/admin/changes')).text)
    const end = rows.findIndex(row => row.includes('removed administrator'))
    assert.notEqual(end, -1)
    assert.ok(
      !rows.slice(0, end).some(row => row.includes(`late-${round}-`)),
      'nothing is newer than the removal',
    )
  }
})

test('AD-06 when two owners remove each other concurrently, one remains', async () => {
  // `openAdmin` appoints this owner with the command line
  const other = await openAdmin(latchkey.server, { who: staff.visitor })
  await all.owner.post('administrators.remove', { subject: 'ci-owner' })
  await Promise.all([
    all.owner.post('administrators.remove', { subject: staff.visitor.sub }),
    other.post('administrators.remove', { subject: staff.owner.sub }),
  ])
  const inside = await Promise.all([all.owner, other].map(each => each.get('/admin/administrators')))
  assert.equal(inside.filter(({ status }) => status === 200).length, 1)
})

/** The headings of the latest changes, newest first. */
function changesOn(html: string): readonly string[] {
  return [...html.matchAll(/<h2>([\s\S]*?)<\/h2>/g)].map(([, heading = '']) =>
    heading.replace(/<[^>]*>/g, ''),
  )
}

/**
 * Tests sessions, access and consents in the dashboard without script: they are filtered by user and client, sorted, and
 * revoked.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Admin, openAdmin } from '../fixtures/dashboard/administrator.ts'
import { staff, staffedConfiguration } from '../fixtures/dashboard/administrators-by-role.ts'
import {
  allowEverything,
  authorize,
  codeRequest,
  newProof,
  openConsent,
} from '../fixtures/requests/code-flow.ts'
import { attribute, newBrowser } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { type Addresses, alice, bob } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

let owner: Admin
let manager: Admin
latchkeySuite({
  configuration: withManyClients,
  onceStarted: async server => {
    owner = await openAdmin(server, { who: staff.owner })
    manager = await openAdmin(server, { role: 'client_manager', who: staff.client_manager, by: owner })
    for (const who of [alice, bob]) {
      const { browser, visit } = await openConsent(server.issuer, app, who)
      await browser.submit(visit, [...allowEverything(visit), ['remember', 'on']])
    }
    const browser = newBrowser(server.issuer)
    for (const client_id of [...manyClients, ...manyClients.slice(0, 1)])
      await authorize(browser, codeRequest(app, newProof(), { client_id }), staff.visitor)
  },
})

/** The IDs of more clients than one page of a list shows. */
const manyClients = Array.from({ length: 26 }, (_, index) => `many-${index}`)

function withManyClients(addresses: Addresses) {
  const { clients, ...rest } = staffedConfiguration(addresses)
  const other = clients.find(({ client_id }) => client_id === 'other')
  const more = manyClients.map(client_id => ({ ...other, client_id, client_name: `Client ${client_id}` }))
  return { ...rest, clients: [...clients, ...more] }
}

const sessions = (query: Readonly<Record<string, string>>) => withQuery('/admin/sessions', query)
const ofAlice = { sub: alice.sub }

/** The number of rows in a table, without its head. */
function rowsIn(text: string): number {
  return [...text.matchAll(/<tr>/g)].length - 1
}

describe('sessions, grants and consents are separate pages', () => {
  for (const [query, current, shown, hidden] of [
    [{}, 'Sessions', /Bob Baker/, /Harbour Ledger|data-label="Scopes"/],
    [{ show: 'access' }, 'Access and tokens', /data-label="Authorized"/, /data-label="Granted"/],
    [{ show: 'consents' }, 'Consents', /data-label="Granted"/, /data-label="Authorized"/],
    [{ show: 'nonsense' }, 'Sessions', /data-label="Last active"/, /data-label="Scopes"/],
  ] as const) {
    test(`the query ${JSON.stringify(query)} shows ${current}`, async () => {
      const { text } = await owner.get(sessions(query))
      assert.match(text, new RegExp(`aria-current="page"[^>]*>${current}<`))
      assert.match(text, shown)
      assert.doesNotMatch(text, hidden)
    })
  }

  test('the query filters a list by user, by client, and by both', async () => {
    for (const [query, rows] of [
      [{ show: 'access', ...ofAlice }, 1],
      [{ show: 'access', client_id: 'web' }, 2],
      [{ show: 'consents', client_id: 'web', ...ofAlice }, 1],
      [ofAlice, 1],
    ] as const) {
      const { text } = await owner.get(sessions(query))
      assert.equal(rowsIn(text), rows, JSON.stringify(query))
    }
  })

  test('access has one row for each user and client', async () => {
    const { text } = await owner.get(sessions({ show: 'access', client_id: 'many-0' }))
    assert.equal(rowsIn(text), 1)
  })

  test('access and the page of a user have the name of a client', async () => {
    for (const path of [sessions({ show: 'access', ...ofAlice }), `/admin/users/${alice.sub}`])
      assert.match((await owner.get(path)).text, />Harbour Ledger<\/a>/, path)
  })

  test('a long list is paged with the same filter', async () => {
    const first = await owner.get(sessions({ show: 'access', sub: staff.visitor.sub }))
    const [link = ''] = /<a [^>]*rel="next"[^>]*>/.exec(first.text) ?? []
    const next = attribute(link, 'href')
    assert.equal(rowsIn(first.text), 25)
    const second = await owner.get(next)
    assert.equal(rowsIn(second.text), 1)
    assert.match(next, new RegExp(`sub=${staff.visitor.sub}`))
  })
})

/** The times in one column of a table. */
function timesIn(text: string, column: string): readonly string[] {
  const cells = text.matchAll(new RegExp(`data-label="${column}"[^>]*><time [^>]*dateTime="([^"]+)"`, 'gi'))
  return [...cells].map(([, time = '']) => time)
}

describe('the address contains the order of the list', () => {
  const heads = { '': 'ascending', '-': 'descending' } as const
  const columns = [
    [{}, 'signed_in', 'Signed in'],
    [{}, 'last_active', 'Last active'],
    [{ show: 'access', client_id: 'web' }, 'granted', 'Authorized'],
    [{ show: 'consents' }, 'granted', 'Granted'],
  ] as const
  for (const [query, name, column] of columns)
    for (const mark of ['', '-'] as const) {
      const sort = `${mark}${name}`
      test(`${JSON.stringify(query)} is sorted by ${sort}`, async () => {
        const { text } = await owner.get(sessions({ ...query, sort }))
        const times = timesIn(text, column)
        assert.ok(new Set(times).size > 1)
        assert.deepEqual(times, mark === '' ? times.toSorted() : times.toSorted().toReversed())
        const other = mark === '' ? `-${name}` : name
        assert.match(text, new RegExp(`aria-sort="${heads[mark]}"[^>]*><a[^>]*sort=${other}[&"]`))
        assert.match(text, new RegExp(`href="/admin/sessions/export\\?[^"]*sort=${sort}"`))
      })
    }

  test('without an order, or with an unknown one, the list has its default order', async () => {
    for (const path of [sessions({}), sessions({ sort: 'password' })])
      assert.match((await owner.get(path)).text, /aria-sort="descending"[^>]*><a[^>]*sort=last_active"/)
  })

  test('the next page has the same order, and a link to the first page', async () => {
    for (const list of [
      sessions({ show: 'access', sub: staff.visitor.sub, sort: 'granted' }),
      '/admin/events?sort=time&dashboard_sign_ins=shown',
    ]) {
      const first = await owner.get(list)
      const [link = ''] = /<a [^>]*rel="next"[^>]*>/.exec(first.text) ?? []
      const second = await owner.get(attribute(link, 'href'))
      const column = list.includes('events') ? 'Time' : 'Authorized'
      const times = [...timesIn(first.text, column), ...timesIn(second.text, column)]
      assert.ok(times.length > 25, list)
      assert.deepEqual(times, times.toSorted())
      assert.match(second.text, />First page</)
      if (list.includes('events')) assert.match(second.text, />Page 2</)
    }
  })

  test('the events are sorted by time, the newest first without an order', async () => {
    for (const query of ['', '?sort=-time', '?sort=password']) {
      const { text } = await owner.get(`/admin/events${query}`)
      const times = timesIn(text, 'Time')
      assert.deepEqual(times, times.toSorted().toReversed())
      assert.match(text, /aria-sort="descending"[^>]*><a[^>]*sort=time"/)
    }
  })
})

describe('finding a user or client', () => {
  for (const [query, target] of [
    [{ q: 'alice' }, ofAlice],
    [{ q: alice.sub }, ofAlice],
    [
      { q: 'liddell', show: 'consents' },
      { show: 'consents', ...ofAlice },
    ],
    [{ q: 'web' }, { show: 'access', client_id: 'web' }],
    [
      { q: 'Harbour', show: 'consents' },
      { show: 'consents', client_id: 'web' },
    ],
    [
      { q: 'web', show: 'access', ...ofAlice },
      { show: 'access', ...ofAlice, client_id: 'web' },
    ],
  ] as const) {
    test(`searching ${JSON.stringify(query)} leads to ${JSON.stringify(target)}`, async () => {
      const { headers } = await owner.get(sessions(query))
      assert.equal(headers.location, sessions(target))
    })
  }

  test('a search with several matches offers all of them', async () => {
    const { status, text } = await owner.get(sessions({ q: 'b', show: 'access' }))
    assert.equal(status, 200)
    assert.match(text, new RegExp(`href="/admin/sessions\\?show=access&amp;sub=${bob.sub}"`))
    assert.match(text, /href="\/admin\/sessions\?show=access&amp;client_id=basic-only"/)
  })

  test('a search without matches says so, gives advice, and escapes the query', async () => {
    const { text } = await owner.get(sessions({ q: '<b>zz' }))
    assert.match(text, /No user or client starts with “&lt;b&gt;zz”/)
    assert.match(text, /by the beginning of a user name/)
  })

  test('AD-01 a role that cannot view users finds only clients', async () => {
    assert.match((await manager.get(sessions({ q: 'alice' }))).text, /No client starts with/)
    assert.equal(
      (await manager.get(sessions({ q: 'Harbour' }))).headers.location,
      sessions({ show: 'access', client_id: 'web' }),
    )
    assert.doesNotMatch((await manager.get(sessions({}))).text, /href="\/admin\/users\//)
  })
})

describe('revoking everything of a user or client shows how much is revoked', () => {
  test('revoking everything is offered only to permitted roles', async () => {
    const both = sessions({ show: 'access', client_id: 'web', ...ofAlice })
    const [all, less] = [await owner.get(both), await manager.get(both)]
    assert.match(all.text, /Ends 1 session and 1 grant of Alice Liddell, with all tokens/)
    assert.match(all.text, /Revokes 2 grants for 2 users, and the tokens that Harbour Ledger got for itself/)
    assert.match(all.text, /Revokes 1 grant and 1 consent/)
    assert.doesNotMatch(less.text, /Ends 1 session/)
    assert.match(less.text, /Revokes 2 grants for 2 users/)
  })

  test('after access or everything was revoked, the list is empty and links to past activity', async () => {
    const back = sessions(ofAlice)
    const revoked = { sub: bob.sub, client_id: 'web' }
    const access = await owner.submit(
      'grants.revoke_access',
      revoked,
      sessions({ show: 'access', ...revoked }),
    )
    assert.match(access.answer.text, /Harbour Ledger has no access to the account of Bob Baker/)
    const { answer, target } = await owner.submit('grants.end_sessions_of_user', ofAlice, back)
    assert.ok(target.startsWith(back))
    assert.match(answer.text, /Signed out everywhere/)
    assert.match(answer.text, /Alice Liddell has no active session/)
    assert.match(answer.text, new RegExp(`href="/admin/events\\?subject=${alice.sub}"`))
  })

  test('an unknown user is offered nothing to revoke', async () => {
    const { text } = await owner.get(sessions({ show: 'access', sub: 'unknown', client_id: 'nothing' }))
    assert.match(text, /nothing has no access to the account of unknown/)
    assert.doesNotMatch(text, /grants\.(end_sessions_of_user|revoke_client|remove_consent)/)
  })
})

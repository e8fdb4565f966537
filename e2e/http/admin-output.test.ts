/** Tests that the dashboard shows input of others safely: in pages, spreadsheets and addresses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Admin, signInAt } from '../fixtures/dashboard/administrator.ts'
import type { Api } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import type { Answer } from '../fixtures/requests/http-client.ts'

let owner: Admin
let api: Api
const latchkey = sharedStaff(({ all, apis }) => {
  owner = all.owner
  api = apis.owner
})

async function done(method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await api.call(method, path, { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.json()
}

test('WF-06 input of administrators and users is escaped on pages of the dashboard', async () => {
  const evil = `"'></title></script><script>alert(1)</script><img src=x onerror=alert(1)>`
  const { sub } = await done('POST', '/users', {
    username: evil,
    claims: { name: evil, nickname: evil, more: [evil] },
  })
  await done('POST', '/clients', { kind: 'machine', metadata: { client_id: 'marked', client_name: evil } })
  const metadata = { name: 'marked', kind: 'resource', display_name: evil, description: evil }
  await done('POST', '/scopes', { metadata })
  await signInAt(newBrowser(latchkey.issuer), '/login', { username: evil, password: evil })
  const draft = await owner.post('users.create', { username: evil.repeat(9), name: evil }, '/admin/users/new')
  for (const address of [
    '/admin',
    '/admin/clients',
    `/admin/clients?q=${encodeURIComponent(evil)}`,
    '/admin/clients/marked',
    '/admin/clients/marked/setup',
    '/admin/clients/marked/history',
    '/admin/users',
    `/admin/users/${sub}`,
    '/admin/scopes/marked',
    '/admin/search?q=script',
    `/admin/search?q=${encodeURIComponent(evil)}`,
    '/admin/events',
    `/admin/events?q=${encodeURIComponent(evil)}&name=${encodeURIComponent(evil)}`,
    '/admin/changes',
    draft.headers.location ?? assert.fail(),
  ]) {
    const { answer } = await owner.browser.follow(address)
    assert.equal(answer.status, 200, address)
    assert.doesNotMatch(answer.text, /<script>alert|<img src=x|"'><\/title>/, address)
  }
})

test('AD-08 no cell of an export starts a formula', async () => {
  const starters = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
    '\t=1',
    '=cmd|"/c calc"!A1',
    `=HYPERLINK("https://evil.example","x")`,
  ]
  for (const [index, name] of starters.entries()) {
    const user = await done('POST', '/users', { username: `formula-${index}`, claims: { name } })
    const who = { username: `formula-${index}`, password: String(user.password) }
    await signInAt(newBrowser(latchkey.issuer), '/account', who)
  }
  const answer = await owner.get('/admin/events/export')
  assert.equal(answer.status, 200)
  assert.match(String(answer.headers['content-type']), /^text\/csv; charset=utf-8$/)
  assert.match(String(answer.headers['content-disposition']), /^attachment; filename="events\.csv"$/)
  assert.match(String(answer.headers['cache-control']), /no-store/)
  assert.match(answer.text, /'=1\+1/)
  const cells = cellsOf(answer.text)
  assert.ok(cells.length > 20)
  for (const cell of cells) assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
})

/** Splits a CSV file into cells (RFC 4180). */
function cellsOf(csv: string): readonly string[] {
  return [...csv.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(?:,|\r\n|$)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  )
}

describe('WF-07 no form redirects out of the dashboard', () => {
  for (const address of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/admin/../account',
    '/account',
    'javascript:alert(1)',
    '/admin\r\nset-cookie: x=y',
    '/admin/%2e%2e/%2e%2e/account',
    '',
  ]) {
    test(`WF-07 a form does not redirect to ${JSON.stringify(address)}`, async () => {
      const fields = { algorithm: 'nowhere', _back: address, _next: address }
      for (const useCase of ['keys.rotate', 'clients.create'])
        assertInside(await owner.browser.post(`/admin/do/${useCase}`, fields))
      assertInside(await owner.browser.post('/admin/theme', { theme: 'dark', back: address }))
    })
  }
  test('WF-07 a form does not redirect to another site when an id looks like an address', async () => {
    const fields = {
      kind: 'machine',
      client_name: 'x',
      client_id: '..',
      _back: '/admin/clients',
      _next: '/admin/{client_id}/{client_id}/account',
    }
    assertInside(await owner.browser.post('/admin/do/clients.create', fields))
  })
})

function assertInside({ status, headers }: Answer): void {
  assert.equal(status, 303)
  const { origin, pathname } = new URL(headers.location ?? '', latchkey.issuer)
  assert.equal(origin, latchkey.issuer)
  assert.match(pathname, /^\/admin(\/|$)/)
  assert.equal(headers['set-cookie']?.some(line => line.startsWith('x=')) ?? false, false)
}

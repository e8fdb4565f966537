/** AD-01: tests addresses of the dashboard with every role, without a role, and without a session. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { signInAt } from '../fixtures/dashboard/administrator.ts'
import { roles, type Staff, staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { type Permission, rolesThatMay } from '../fixtures/dashboard/permission-tables.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { type Answer, send } from '../fixtures/requests/http-client.ts'
import { alice } from '../fixtures/server/configuration.ts'
import { logged } from '../fixtures/server/latchkey.ts'

let all: Staff
let visitor: HttpBrowser
const latchkey = sharedStaff(async (opened, { issuer }) => {
  all = opened.all
  visitor = newBrowser(issuer)
  await signInAt(visitor, '/account', staff.visitor)
})

/** An address with the roles that may open it, written by hand: owner (o), client manager (m), user support (s), auditor (a). */
type Row = readonly [file: string, address: string, who: string, permission: Permission]

const everyRole = 'omsa'
const pages: readonly Row[] = [
  ['page', '/admin', everyRole, 'overview:read'],
  ['clients/page', '/admin/clients', everyRole, 'clients:read'],
  ['clients/export/route', '/admin/clients/export', everyRole, 'clients:read'],
  ['clients/new/page', '/admin/clients/new?kind=web', 'om', 'clients:create'],
  ['clients/[id]/page', '/admin/clients/web', everyRole, 'clients:read'],
  ['clients/[id]/secrets/page', '/admin/clients/web/secrets', everyRole, 'clients:read'],
  ['clients/[id]/setup/page', '/admin/clients/web/setup', everyRole, 'clients:read'],
  ['clients/[id]/access/page', '/admin/clients/web/access', everyRole, 'clients:read'],
  ['clients/[id]/test/page', '/admin/clients/web/test', everyRole, 'clients:read'],
  ['clients/[id]/history/page', '/admin/clients/web/history', everyRole, 'clients:read'],
  ['clients/deleted/page', '/admin/clients/deleted', everyRole, 'clients:read'],
  ['users/page', '/admin/users', 'osa', 'users:read'],
  ['users/export/route', '/admin/users/export', 'oa', 'users:export'],
  ['users/new/page', '/admin/users/new', 'os', 'users:create'],
  ['users/[id]/page', `/admin/users/${alice.sub}`, 'osa', 'users:read'],
  ['users/invitations/page', '/admin/users/invitations', 'osa', 'users:read'],
  ['users/invitations/new/page', '/admin/users/invitations/new', 'os', 'users:create'],
  ['users/invitations/several/page', '/admin/users/invitations/several', 'os', 'users:create'],
  ['policies/page', '/admin/policies', 'oa', 'policies:read'],
  ['policies/history/page', '/admin/policies/history', 'oa', 'policies:read'],
  ['scopes/page', '/admin/scopes', everyRole, 'scopes:read'],
  ['scopes/new/page', '/admin/scopes/new', 'om', 'scopes:create'],
  ['scopes/[id]/page', '/admin/scopes/api', everyRole, 'scopes:read'],
  ['scopes/[id]/secrets/page', '/admin/scopes/api/secrets', everyRole, 'scopes:read'],
  ['scopes/[id]/history/page', '/admin/scopes/api/history', everyRole, 'scopes:read'],
  ['scopes/deleted/page', '/admin/scopes/deleted', everyRole, 'scopes:read'],
  ['providers/page', '/admin/providers', everyRole, 'providers:read'],
  ['providers/new/page', '/admin/providers/new', 'o', 'providers:create'],
  ['providers/[id]/page', '/admin/providers/upstream', everyRole, 'providers:read'],
  ['providers/[id]/clients/page', '/admin/providers/upstream/clients', everyRole, 'providers:read'],
  ['providers/[id]/history/page', '/admin/providers/upstream/history', everyRole, 'providers:read'],
  ['providers/deleted/page', '/admin/providers/deleted', everyRole, 'providers:read'],
  ['providers/[id]/test/page', '/admin/providers/upstream/test', everyRole, 'providers:read'],
  ['[...rest]/page', '/admin/clients/web/nowhere', everyRole, 'overview:read'],
  ['search/page', '/admin/search?q=a', everyRole, 'overview:read'],
  ['sessions/page', '/admin/sessions', everyRole, 'grants:read'],
  ['keys/page', '/admin/keys', 'oma', 'keys:read'],
  ['mail/page', '/admin/mail', 'osa', 'mail:read'],
  ['events/page', '/admin/events', everyRole, 'events:read'],
  ['events/requests/[id]/page', '/admin/events/requests/7QK4-M2P9', everyRole, 'events:read'],
  ['sessions/export/route', '/admin/sessions/export', 'oa', 'grants:export'],
  ['events/export/route', '/admin/events/export', 'oa', 'events:export'],
  ['tail/route', '/admin/tail?newest=0', everyRole, 'events:read'],
  ['search/results/route', '/admin/search/results?q=a', everyRole, 'overview:read'],
  ['changes/page', '/admin/changes', 'oa', 'audit:read'],
  ['changes/export/route', '/admin/changes/export', 'oa', 'audit:read'],
  ['status/page', '/admin/status', everyRole, 'status:read'],
  ['configuration/page', '/admin/configuration', 'oa', 'configuration:read'],
  ['configuration/review/page', '/admin/configuration/review', 'oa', 'configuration:read'],
  ['administrators/page', '/admin/administrators', 'oa', 'administrators:read'],
  ['administrators/[id]/page', `/admin/administrators/${staff.auditor.sub}`, 'oa', 'administrators:read'],
]

/** Addresses that forms post to. Those of use cases are in `admin-refusals.test.ts`, those that need no session in `doors`. */
const forms: readonly Row[] = [
  ['configuration/export/route', '/admin/configuration/export', 'oa', 'configuration:read'],
]

/** Routes that need no session; `elsewhere` has routes that check the session themselves. */
const doors = ['sign-in/route', 'theme/route', 'callback/route', 'sign-out/route', 'setup/route']
const elsewhere = ['client-test/return/route', 'do/[name]/route', 'providers/[id]/test/return/route']

const letters = { owner: 'o', client_manager: 'm', user_support: 's', auditor: 'a' } as const

test('AD-01 every address of the dashboard is in the tables of this test', () => {
  const folder = resolve(import.meta.dirname, '../../app/admin')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const served = files.flatMap(file => /^(.*(?:page|route))\.tsx?$/.exec(join('/', file).slice(1))?.[1] ?? [])
  const known = [...[...pages, ...forms].map(([file]) => file), ...doors, ...elsewhere]
  assert.deepEqual(
    served.filter(file => !file.startsWith('_') && file !== 'admin-page').toSorted(),
    known.toSorted(),
  )
})

describe('AD-01 the required permission of each page', () => {
  for (const [, address, who, permission] of [...pages, ...forms]) {
    test(`AD-01 ${address} requires ${permission}`, () => {
      assert.equal(
        rolesThatMay(permission)
          .map(role => letters[role])
          .join(''),
        who,
      )
    })
  }
})

for (const role of roles) {
  describe(`AD-01 ${role}`, () => {
    for (const [, address, who] of pages) {
      const isOpen = who.includes(letters[role])
      test(`${isOpen ? 'can view' : 'cannot view'} ${address}`, async () => {
        const answer = await all[role].get(address)
        if (isOpen) assert.equal(answer.status, nothingAt(address) ? 404 : 200)
        else await assertRefused(answer)
        if (answer.status !== 200 && !isFile(address)) assertInside(answer)
        assertNeverKept(answer)
      })
    }
    for (const [, address, who] of forms) {
      const isOpen = who.includes(letters[role])
      test(`${isOpen ? 'can submit' : 'cannot submit'} ${address}`, async () => {
        const answer = await all[role].browser.post(address, {})
        if (isOpen) assert.ok([200, 303].includes(answer.status), String(answer.status))
        else await assertRefused(answer)
        assertNeverKept(answer)
      })
    }
  })
}

describe('AD-01 every address redirects a caller without an admin session to the sign-in', () => {
  for (const [, address] of pages) {
    test(`AD-01 ${address} redirects to the sign-in`, async () => {
      for (const ask of [
        () => newBrowser(latchkey.issuer).get(address),
        () => visitor.get(address, { 'sec-fetch-site': 'same-origin' }),
        () => send(latchkey.issuer, address, { headers: { cookie: 'latchkey_admin=admin_made-up' } }),
      ])
        assertSentAway(await ask(), address)
    })
  }
  for (const [, address] of forms) {
    test(`AD-01 the form ${address} redirects to the sign-in`, async () => {
      assertSentAway(await newBrowser(latchkey.issuer).post(address, {}), address)
      assertSentAway(await visitor.post(address, {}), address)
    })
  }
})

test('AD-01 signing in without a role is 403, and an event names the user', async () => {
  const browser = newBrowser(latchkey.issuer)
  const before_ = latchkey.server.output().length
  const { answer } = await signInAt(browser, '/admin/sign-in', staff.visitor)
  assert.equal(answer.status, 403)
  assert.match(await logged(latchkey.server, 'not_an_administrator', before_), new RegExp(staff.visitor.sub))
})

describe('missing pages are reported inside the dashboard with links to continue', () => {
  for (const [address, back] of [
    ['/admin/clients/none', '/admin/clients'],
    ['/admin/clients/none/history', '/admin/clients'],
    ['/admin/users/none', '/admin/users'],
    ['/admin/scopes/none', '/admin/scopes'],
    ['/admin/providers/none', '/admin/providers'],
    ['/admin/administrators/none', '/admin/administrators'],
    ['/admin/nonsense', '/admin'],
  ] as const) {
    test(`${address} is not found and links to ${back}`, async () => {
      const answer = await all.owner.get(address)
      assert.equal(answer.status, 404)
      assertInside(answer)
      assert.match(answer.text, new RegExp(`<a class="btn primary" href="${back}">Back to`))
      assertSentAway(await newBrowser(latchkey.issuer).get(address), address)
    })
  }
})

test('a refusal names the roles that have the permission', async () => {
  const { text } = await all.auditor.get('/admin/users/new')
  assert.match(text, /You are signed in as an auditor\. Only owners and user support may do this\./)
  assert.doesNotMatch(text, /name="username"/)
})

/** Whether nothing exists at the address, such as the trace of an unknown request. */
function nothingAt(address: string): boolean {
  return /\/requests\/|\/nowhere$/.test(address)
}

/** Whether the address sends a file or data for script, and not a page. */
function isFile(address: string): boolean {
  return /\/(export|tail|results)\b/.test(address)
}

function assertInside({ text, headers }: Answer): void {
  assert.match(text, /<nav aria-label="Dashboard">/)
  assert.match(text, new RegExp(String(headers['x-reference-id'])))
}

async function assertRefused(answer: Answer): Promise<void> {
  assert.equal(answer.status, 403)
  const reference = String(answer.headers['x-reference-id'])
  await logged(latchkey.server, reference)
  const trace = await all.owner.get(`/admin/events/requests/${reference}`)
  assert.equal(trace.status, 200, 'the refusal has a request trace')
}

/** Checks that a request was redirected to the sign-in, or refused with 403 at an address that only script requests. */
function assertSentAway(answer: Answer, address: string): void {
  if (/^\/admin\/(tail|search\/results)/.test(address)) {
    assert.equal(answer.status, 403)
    return
  }
  assert.ok([303, 307].includes(answer.status), String(answer.status))
  const { pathname } = new URL(answer.headers.location ?? '', latchkey.issuer)
  assert.equal(pathname, '/admin/sign-in')
  assert.doesNotMatch(answer.text, /Harbour Ledger|Alice Liddell/)
}

function assertNeverKept(answer: Answer): void {
  assert.match(answer.headers['cache-control'] ?? '', /no-store/)
}

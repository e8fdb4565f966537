/** AD-04: tests that the dashboard offers only the listed actions because of a request that anyone can send. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Api, roles, type Staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { adminScreens } from '../fixtures/dashboard/dashboard-pages.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { basic, send, withQuery } from '../fixtures/requests/http-client.ts'
import { clientSecret } from '../fixtures/server/configuration.ts'

let all: Staff
let api: Api
/** The paths of traces of requests without a session: one for each offer, and one for latchkey.admin. */
const traces = new Map<string, string>()
const latchkey = sharedStaff(async (opened, { issuer }) => {
  all = opened.all
  api = opened.apis.owner
  await provoke(issuer)
})

/**
 * The expected offers, written by hand: the trace, the use case, and the roles that may use it: owner (o), client manager (m).
 */
const onTraces = [
  ['add_redirect_uri', 'clients.add_redirect_uri', 'om'],
  ['allow_scope', 'clients.allow_scope', 'om'],
  ['allow_grant_type', 'clients.allow_grant_type', 'om'],
  ['enable_client', 'clients.set_enabled', 'om'],
] as const
/** Use cases that pages other than traces may offer. */
const elsewhere = ['users.set_enabled', 'users.allow_sign_in'] as const
const letters = { owner: 'o', client_manager: 'm', user_support: 's', auditor: 'a' } as const

async function provoke(issuer: string): Promise<void> {
  const refused = async (name: string, target: string, options: object = {}) => {
    const { headers } = await send(issuer, target, options)
    traces.set(name, `/admin/events/requests/${String(headers['x-reference-id'])}`)
  }
  const authorize = (changes: object) =>
    withQuery('/connect/authorize', { client_id: 'machine', response_type: 'code', ...changes })
  const machine = { headers: basic('machine', clientSecret) }
  const token = (scope: string) => ({ ...machine, form: { grant_type: 'client_credentials', scope } })
  await refused('add_redirect_uri', authorize({ client_id: 'web', redirect_uri: 'https://evil.example/cb' }))
  await refused(
    'enable_client',
    authorize({ client_id: 'disabled', redirect_uri: 'https://evil.example/cb' }),
  )
  await refused('allow_scope', '/connect/token', token('email'))
  const password = { grant_type: 'password', username: 'alice', password: 'guessed' }
  await refused('allow_grant_type', '/connect/token', { ...machine, form: password })
  await refused('latchkey.admin', '/connect/token', token('latchkey.admin'))
}

type Offered = { readonly action: string; readonly isPrimary: boolean; readonly isAsked: boolean }

/** The forms of the page that call a use case and have a submit button that is not disabled. */
function offersOn(text: string): readonly Offered[] {
  const [, main = text] = /<main[\s\S]*?>([\s\S]*)<\/main>/.exec(text) ?? []
  const asked = (main.match(/<details class="confirmed[\s\S]*?<\/details>/g) ?? []).join('')
  return (main.match(/<form [\s\S]*?<\/form>/g) ?? []).flatMap(form => {
    const [, action] = /action="\/admin\/do\/([^"]+)"/.exec(form) ?? []
    if (action === undefined || !/<button (?![^>]* disabled="")[^>]*type="submit"/.test(form)) return []
    return [{ action, isPrimary: /class="btn[^"]*\bprimary/.test(form), isAsked: asked.includes(form) }]
  })
}

for (const role of roles) {
  describe(`AD-01 what ${role} is offered because of a stranger's request`, () => {
    for (const [name, useCase, who] of onTraces) {
      test(`AD-01 the offer ${name} is shown as the table says`, async () => {
        const { status, text } = await all[role].get(traces.get(name) ?? '')
        assert.equal(status, 200)
        const isOpen = who.includes(letters[role])
        assert.deepEqual(offersOn(text), isOpen ? [{ action: useCase, isPrimary: false, isAsked: true }] : [])
        if (isOpen) assert.match(text, /Anyone /)
      })
    }

    test('AD-03 a request for latchkey.admin leads to no offer', async () => {
      const { status, text } = await all[role].get(traces.get('latchkey.admin') ?? '')
      assert.equal(status, 200)
      assert.match(text, /latchkey\.admin/)
      assert.deepEqual(offersOn(text), [])
      assert.doesNotMatch(text, /Allow latchkey\.admin/)
    })

    test('AD-01 no screen of events, alerts and search has an action outside of the table', async () => {
      const known: readonly string[] = [...onTraces.map(([, useCase]) => useCase), ...elsewhere]
      const screens = ['/admin', '/admin/events', '/admin/events?outcome=failure', '/admin/search?q=machine']
      for (const path of [...screens, ...traces.values(), ...eventScreens()]) {
        const { status, text } = await all[role].get(path)
        if (status !== 200) continue
        const foreign = offersOn(text).filter(
          ({ action, isPrimary, isAsked }) => !known.includes(action) || isPrimary || !isAsked,
        )
        assert.deepEqual(foreign, [], path)
      }
    })
  })
}

function eventScreens(): readonly string[] {
  return adminScreens.filter(path => /^\/admin\/(events|search)/.test(path))
}

test('AD-01 an action that the role does not permit says so to the admin, not to users of an app', async () => {
  const forbidden = await all.client_manager.post('clients.allow_scope', {
    client_id: 'machine',
    scope: 'latchkey.admin',
  })
  assert.equal(forbidden.status, 403)
  assert.match(forbidden.text, /Only owners may let a client administer this service\./)
  const gone = await all.owner.post('clients.allow_scope', { client_id: 'machine', scope: 'no.such.scope' })
  assert.equal(gone.status, 404)
  assert.match(gone.text, /It no longer exists\. Nothing was changed\./)
  for (const { text } of [forbidden, gone]) {
    assert.match(text, /Go to the dashboard/)
    assert.doesNotMatch(text, /Contact the app|page has moved/)
  }
})

test('a trace is no longer shown as open after its offer was used', async () => {
  const body = { kind: 'spa', metadata: { client_name: 'Moved', redirect_uris: ['https://old.example/cb'] } }
  const client_id = String((await api.call('POST', '/clients', { body })).json().client_id)
  const query = { client_id, response_type: 'code', redirect_uri: 'https://new.example/cb' }
  const { headers } = await send(latchkey.issuer, withQuery('/connect/authorize', query))
  const path = `/admin/events/requests/${String(headers['x-reference-id'])}`
  assert.match((await all.owner.get(path)).text, /<section class="verdict bad">/)
  const input = { client_id, redirect_uri: query.redirect_uri }
  assert.equal((await all.owner.post('clients.add_redirect_uri', input, path)).status, 303)
  const { text } = await all.owner.get(path)
  assert.match(text, /<section class="verdict">/)
  assert.match(text, /<h2>Resolved since then: this redirect URI is registered now\.</)
  assert.deepEqual(offersOn(text), [])
})

/** AD-01: tests every use case with each role that may not use it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AdminRole } from '../fixtures/dashboard/administrator.ts'
import { type Api, roles, type Staff, staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { servedUseCases, useCases } from '../fixtures/dashboard/permission-tables.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import type { Answer } from '../fixtures/requests/http-client.ts'
import { bob } from '../fixtures/server/configuration.ts'

/** The roles that may use each use case, written by hand: owner (o), client manager (m), user support (s), auditor (a). */
const decided: Readonly<Record<string, string>> = {
  'clients.list': 'omsa',
  'clients.read': 'omsa',
  'clients.create': 'om',
  'clients.update': 'om',
  'clients.set_enabled': 'om',
  'clients.add_redirect_uri': 'om',
  'clients.allow_scope': 'om',
  'clients.allow_grant_type': 'om',
  'clients.add_secret': 'om',
  'clients.rotate_secret': 'om',
  'clients.expire_secret': 'om',
  'clients.remove_secret': 'om',
  'clients.delete': 'om',
  'clients.restore': 'om',
  'clients.begin_test': 'om',
  'clients.finish_test': 'om',
  'scopes.list': 'omsa',
  'scopes.read': 'omsa',
  'scopes.create': 'om',
  'scopes.update': 'om',
  'scopes.set_enabled': 'om',
  'scopes.add_secret': 'om',
  'scopes.rotate_secret': 'om',
  'scopes.expire_secret': 'om',
  'scopes.remove_secret': 'om',
  'scopes.delete': 'om',
  'scopes.restore': 'om',
  'providers.list': 'omsa',
  'providers.read': 'omsa',
  'providers.find_clients': 'omsa',
  'providers.preview': 'o',
  'providers.create': 'o',
  'providers.update': 'o',
  'providers.set_enabled': 'o',
  'providers.set_clients': 'o',
  'providers.start_test': 'o',
  'providers.finish_test': 'o',
  'providers.delete': 'o',
  'providers.restore': 'o',
  'users.list': 'osa',
  'users.read': 'osa',
  'users.create': 'os',
  'users.update': 'os',
  'users.set_enabled': 'os',
  'users.reset_password': 'os',
  'users.read_factors': 'osa',
  'users.reset_factors': 'os',
  'users.unlink': 'os',
  'users.allow_sign_in': 'os',
  'users.read_limits': 'osa',
  'users.list_mails': 'osa',
  'users.list_planned_changes': 'osa',
  'users.cancel_planned_change': 'os',
  'users.delete': 'o',
  'user_invitations.list': 'osa',
  'user_invitations.create': 'os',
  'user_invitations.preview': 'os',
  'user_invitations.create_several': 'os',
  'user_invitations.send_again': 'os',
  'user_invitations.withdraw': 'os',
  'policies.read': 'oa',
  'policies.list_shared_addresses': 'osa',
  'policies.preview': 'o',
  'policies.update': 'o',
  'policies.restore': 'o',
  'grants.list_sessions': 'omsa',
  'grants.list': 'omsa',
  'grants.list_access': 'omsa',
  'grants.list_consents': 'omsa',
  'grants.end_session': 'os',
  'grants.end_sessions_of_user': 'os',
  'grants.revoke': 'os',
  'grants.revoke_access': 'os',
  'grants.remove_consent': 'os',
  'grants.revoke_client': 'om',
  'grants.revoke_everything': 'o',
  'keys.list': 'oma',
  'keys.rotate': 'o',
  'keys.revoke': 'o',
  'mail.read': 'osa',
  'mail.send_test': 'o',
  'mail.send_again': 'o',
  'events.list': 'omsa',
  'events.read_trace': 'omsa',
  'events.export': 'oa',
  'grants.export': 'oa',
  'clients.export': 'omsa',
  'users.export': 'oa',
  'users.set_several_enabled': 'os',
  'changes.export': 'oa',
  'changes.list': 'oa',
  'administrators.list': 'oa',
  'administrators.invite': 'o',
  'administrators.withdraw_invitation': 'o',
  'administrators.set_role': 'o',
  'administrators.add_client': 'o',
  'administrators.remove': 'o',
  'status.read': 'omsa',
  'status.list_checks': 'oa',
  'status.run_checks': 'oa',
  'status.run_self_test': 'o',
  'configuration.export': 'oa',
  'configuration.compare': 'oa',
  'configuration.review': 'oa',
  'configuration.apply_document': 'o',
}
const letters = { owner: 'o', client_manager: 'm', user_support: 's', auditor: 'a' } as const

let all: Staff
let apis: Readonly<Record<AdminRole, Api>>
const latchkey = sharedStaff(opened => {
  ;({ all, apis } = opened)
})

/** Input for all use cases together, mostly valid and with the names of existing objects. */
const harm = {
  client_id: 'web',
  name: 'api',
  scheme: 'upstream',
  sub: bob.sub,
  subject: staff.auditor.sub,
  role: 'owner',
  enabled: 'false',
  version: '1',
  redirect_uri: 'https://evil.example/callback',
  scope: 'api',
  grant_type: 'client_credentials',
  client_name: 'Sneaky',
  kind: 'web',
  username: 'sneaky',
  secret_name: 'sneaky',
  confirm: 'everyone',
  algorithm: 'ES256',
  document: '{"clients":[]}',
  digest: 'x',
  issuer: 'https://evil.example',
  seq: '1',
}

/** The state of the objects that the requests of this test could change, without times, as one text. */
async function everything(): Promise<string> {
  const paths = [
    '/configuration?users=true',
    '/administrators',
    '/keys',
    '/users?limit=200',
    '/clients/web',
    '/scopes/api',
  ]
  const answers = await Promise.all(paths.map(path => apis.owner.call('GET', path)))
  for (const answer of answers) assert.equal(answer.status, 200, answer.text)
  const text = answers.map(answer => answer.text).join('\n')
  return text.replace(
    /"(last_used_at|last_seen_at|last_sign_in_at|created_at|updated_at)":(null|"[^"]*")/g,
    '""',
  )
}

async function assertToldOf(answer: Answer, who: string): Promise<void> {
  const reference = String(answer.headers['x-reference-id'])
  const trace = await all.owner.get(`/admin/events/requests/${reference}`)
  assert.equal(trace.status, 200, `no event under ${reference}`)
  assert.match(trace.text, new RegExp(who))
}

test('AD-01 every use case is in the permission table of this test', () => {
  assert.deepEqual(useCases.map(({ name }) => name).toSorted(), Object.keys(decided).toSorted())
})

for (const role of roles) {
  const forbidden = Object.keys(decided).filter(name => !decided[name]?.includes(letters[role]))
  if (forbidden.length === 0) continue
  describe(`AD-01 crafted requests of ${role} without permission`, () => {
    test('AD-01 each form without permission is 403 with an event and changes nothing', async () => {
      const before = await everything()
      for (const name of forbidden) {
        for (const fields of [harm, {}]) {
          const answer = await all[role].post(name, fields)
          assert.equal(answer.status, 403, `${name} ${answer.status} ${answer.headers.location}`)
          assert.match(answer.headers['cache-control'] ?? '', /no-store/)
          await assertToldOf(answer, staff[role].username)
        }
      }
      assert.equal(await everything(), before)
    })

    test('AD-01 each API call without permission is 403 with an event and changes nothing', async () => {
      const before = await everything()
      for (const { name, api: route } of servedUseCases.filter(each => forbidden.includes(each.name))) {
        const path = route.path.replace(/\{(\w+)\}/g, (_all, part) => Reflect.get(harm, part) ?? 'made-up')
        const call = route.method === 'GET' ? {} : { body: harm, headers: { 'if-match': '"1"' } }
        const answer = await apis[role].call(route.method, path, call)
        assert.equal(answer.status, 403, `${name} ${answer.text}`)
        assert.equal(answer.json().type, 'urn:latchkey:problem:denied')
        await assertToldOf(answer, `ci-${role}|Scripts of the ${role}`)
      }
      assert.equal(await everything(), before)
    })
  })
}

test('AD-01 no form changes anything without an admin session', async () => {
  const before = await everything()
  const signedIn = newBrowser(latchkey.issuer)
  const { username, password } = staff.visitor
  await signedIn.submit(await signedIn.follow('/login'), { username, password })
  for (const { name } of useCases) {
    for (const browser of [newBrowser(latchkey.issuer), signedIn]) {
      const answer = await browser.post(`/admin/do/${name}`, harm)
      assert.deepEqual([answer.status, answer.headers.location], [303, '/admin/sign-in'], name)
    }
  }
  assert.equal(await everything(), before)
})

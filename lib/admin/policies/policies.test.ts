import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { defaultPolicies, type Policies } from '#lib/protocol/registration/policies.ts'
import { readHistory } from '../configuration/history.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import {
  listSharedAddresses,
  previewPolicies,
  readPolicies,
  restorePolicies,
  updatePolicies,
} from './policies.ts'

let opened: AdminTestPorts
let owner: Caller
before(async () => {
  opened = await openAdminTestPorts()
  owner = await opened.caller('owner')
})
after(() => opened.close())

const current = async () => {
  const read = await readPolicies.call(opened.ports, {}, owner)
  assert.ok(read.kind === 'ok')
  return read.value
}
const save = async (changes: Partial<Policies>) => {
  const { version, updated_at: _time, ...policies } = await current()
  return updatePolicies.call(opened.ports, { ...policies, ...changes, version }, owner)
}
const preview = async (changes: Partial<Policies>) => {
  const { version: _version, updated_at: _time, ...policies } = await current()
  const result = await previewPolicies.call(opened.ports, { ...policies, ...changes }, owner)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value
}

test('AD-01 only owners change the policies, and auditors read them', async () => {
  for (const role of ['client_manager', 'user_support', 'auditor'] as const) {
    const caller = await opened.caller(role)
    const changed = await callUntyped(updatePolicies, opened.ports, { version: 0 }, caller)
    assert.equal(changed.kind, 'denied', role)
    const read = await readPolicies.call(opened.ports, {}, caller)
    assert.equal(read.kind, role === 'auditor' ? 'ok' : 'denied', role)
  }
})

test('a form without a ticked box empties the list of claims, and one without the field leaves the default', () => {
  for (const { fromForm } of [previewPolicies, updatePolicies]) {
    const read = (fields: Readonly<Record<string, readonly string[]>>) =>
      Object(fromForm({ ...fields, version: ['1'] })).profile_fields
    assert.deepEqual(read({ profile_fields: [''] }), [])
    assert.deepEqual(read({ profile_fields: ['', 'name'] }), ['name'])
    assert.equal(read({}), undefined)
  }
})

test('AD-04 a change of the policies needs a fresh sign-in', async () => {
  const stale = { ...owner, actor: { ...owner.actor, authenticatedAt: new Date('2020-01-01T00:00:00Z') } }
  const result = await callUntyped(updatePolicies, opened.ports, { version: 0 }, stale)
  assert.equal(result.kind, 'fresh_sign_in_required')
})

test('a saved policy is in force, and its audit row has the earlier and the new document', async () => {
  const before = await current()
  assert.equal((await save({ registration: 'open', minimum_password_length: 20 })).kind, 'ok')
  assert.equal((await opened.ports.policies.current()).registration, 'open')
  const [row] = await opened.ports.adminStore.audit.list({ targetKind: 'policies' }, null, 1)
  assert.equal(row?.action, 'policies.update')
  const { version: _version, updated_at: _time, ...document } = before
  assert.deepEqual(row?.before, before.version === 0 ? null : document)
  assert.deepEqual(row?.after, { ...document, registration: 'open', minimum_password_length: 20 })
})

test('AD-02 of two owners who change the same version, the second gets the stored state', async () => {
  const { version } = await current()
  const change = (registration: Policies['registration']) =>
    updatePolicies.call(opened.ports, { ...defaultPolicies, registration, version }, owner)
  assert.equal((await change('open')).kind, 'ok')
  const late = await change('invited')
  assert.ok(late.kind === 'conflict' && typeof late.current === 'object')
  assert.equal((await opened.ports.policies.current()).registration, 'open')
})

test('an earlier version is restored from the history', async () => {
  await save({ terms_uri: 'https://example.org/terms', terms_version: '2' })
  await save({ terms_uri: null, terms_version: '1' })
  const entries = await readHistory(opened.ports, { kind: 'policies', id: 'site' })
  const seq = entries[1]?.row.seq ?? 0
  const { version } = await current()
  const restored = await restorePolicies.call(opened.ports, { version, seq }, owner)
  assert.ok(restored.kind === 'ok', JSON.stringify(restored))
  assert.equal(restored.value.terms_version, '2')
  const missing = await restorePolicies.call(opened.ports, { version: version + 1, seq: 999_999 }, owner)
  assert.equal(missing.kind, 'invalid')
})

test('a form without ticked boxes and with empty fields means the defaults', async () => {
  const { version } = await current()
  const fields = {
    version: [String(version)],
    registration: ['invited'],
    registration_required_fields: ['', 'name'],
    registration_optional_fields: [''],
    offer_passkeys: ['false'],
    terms_uri: [''],
    second_factor_required_for: ['role=staff\r\ngroups=IT staff\r\n'],
    minimum_password_length: ['12'],
  }
  const saved = await callUntyped(updatePolicies, opened.ports, updatePolicies.fromForm(fields), owner)
  assert.equal(saved.kind, 'ok', JSON.stringify(saved))
  assert.deepEqual(await opened.ports.policies.current(), {
    ...defaultPolicies,
    registration: 'invited',
    registration_required_fields: ['name'],
    offer_passkeys: false,
    second_factor_required_for: ['role=staff', 'groups=IT staff'],
    minimum_password_length: 12,
  })
})

test('all errors of a form are reported together, each at its field', async () => {
  const result = await callUntyped(
    updatePolicies,
    opened.ports,
    { version: 0, minimum_password_length: 7, terms_uri: 'x', second_factor_required_for: ['staff'] },
    owner,
  )
  assert.ok(result.kind === 'invalid')
  assert.deepEqual(result.errors.map(({ path }) => path).toSorted(), [
    'minimum_password_length',
    'second_factor_required_for.0',
    'terms_uri',
  ])
})

describe('the consequences that are shown before policies are saved', () => {
  beforeEach(async () => {
    await save(defaultPolicies)
  })

  test('name no change if the policies stay the same, and a preview stores nothing', async () => {
    const { version } = await current()
    assert.deepEqual((await preview({})).differences, [])
    assert.deepEqual((await preview({})).consequences, [])
    await preview({ registration: 'open' })
    assert.equal((await current()).version, version)
  })

  const sentences: readonly (readonly [Partial<Policies>, RegExp])[] = [
    [{ registration: 'open' }, /Registration opens: anyone can create an account/],
    [{ registration: 'invited' }, /Only users with an invitation/],
    [{ registration: 'open', email_verification: 'after_sign_in' }, /email_verified: false/],
    [{ second_factor_required_for: ['role=staff', 'role=admin'] }, /Users with role=staff or role=admin/],
    [{ minimum_password_length: 8 }, /NIST SP 800-63B recommends at least 15/],
    [{ terms_uri: 'https://example.org/terms' }, /must accept version 1 of the terms/],
    [{ users_delete_accounts: false }, /Users cannot ask to delete/],
    [{ account_deletion_days: 30 }, /from now on/],
    [{ email_as_username: true }, /sign in with the email address/],
  ]
  for (const [changes, sentence] of sentences)
    test(`of ${JSON.stringify(changes)}`, async () => {
      assert.match((await preview(changes)).consequences.join('\n'), sentence)
    })

  test('count the users without a second factor if everyone needs one', async () => {
    const count = async () => (await preview({ second_factor_required_for: ['everyone'] })).consequences[0]
    const earlier = await opened.ports.adminLists.countUsersWithoutFactor()
    const { subject } = await opened.addUser('no-factor')
    assert.match((await count()) ?? '', new RegExp(`${earlier.count + 1} users have none`))
    const now = opened.ports.clock.now()
    const app = { subject, sealedSecret: 'sealed', lastStep: 1, createdAt: now, lastUsedAt: null }
    await opened.storage.secondFactors.setApp(app, { replaces: null, codes: [], notices: [] })
    assert.match((await count()) ?? '', new RegExp(`${earlier.count} users? ha`))
  })
})

test('the address becomes the user name only if no address names several users, and the report lists them', async () => {
  const { ports } = opened
  await save(defaultPolicies)
  const email = 'shared@example.org'
  const claims = { email, email_verified: true }
  const { subject: first } = await opened.addUser('first-with-address', { claims })
  const { subject: second } = await opened.addUser('second-with-address', { claims })
  const report = async () => {
    const listed = await listSharedAddresses.call(ports, {}, owner)
    assert.ok(listed.kind === 'ok')
    return listed.value.items.map(item => [item.email, item.users.map(({ sub }) => sub)])
  }
  assert.deepEqual(await report(), [[email, [first, second]]])
  const refused = await save({ email_as_username: true })
  assert.ok(refused.kind === 'invalid')
  assert.deepEqual(
    refused.errors.map(({ path }) => path),
    ['email_as_username'],
  )
  const change = async (sub: typeof second, username: string) => {
    const stored = await ports.adminLists.user(sub)
    assert.ok(stored)
    const put = { users: [{ ...stored, username, claims: {} }] }
    await ports.configuration.apply({ put, remove: {} }, ports.clock.now())
  }
  await change(second, email)
  assert.deepEqual(await report(), [[email, [first, second]]], 'the user name of another user counts, too')
  await change(second, 'another-name')
  assert.deepEqual(await report(), [])
  assert.equal((await save({ email_as_username: true })).kind, 'ok')
})

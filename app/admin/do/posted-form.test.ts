import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { currentAdminSession, readRejectedForm, typedSecrets } from '#lib/admin/access/admin-session.ts'
import type { AdminResult } from '#lib/admin/admin-result.ts'
import { previewPolicies } from '#lib/admin/policies/policies.ts'
import { createProvider } from '#lib/admin/providers/write-providers.ts'
import { createScope } from '#lib/admin/scopes/write-scopes.ts'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { signInAsAdmin } from '#lib/admin/testing/sign-in.ts'
import { formOf, readPostedForm, respondToForm, withSecrets } from './posted-form.ts'

test('FUZZ-01 a field may have any name', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'name']
  const { fields } = readPostedForm(names.flatMap(name => [[name, '1'] as const, [name, '2'] as const]))
  assert.deepEqual(
    Object.entries(fields),
    names.map(name => [name, ['1', '2']]),
  )
  assert.equal(Object.getPrototypeOf(fields), Object.prototype)
})

test('WF-07 a form redirects only to pages of the dashboard', () => {
  for (const address of [
    '//evil.example',
    'https://evil.example',
    '/admin/../account',
    '/admin/sign-in',
    '/account',
  ]) {
    const { back, next } = readPostedForm([
      ['_back', address],
      ['_next', address],
    ])
    assert.deepEqual([back, next], ['/admin', '/admin'], address)
  }
})

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

test('a new scope leads to its own page, also if it has the name of a page', async () => {
  const { subject } = await opened.actor('owner')
  const { cookies } = await signInAsAdmin(opened, subject)
  const signedIn = await currentAdminSession(opened.ports, cookies)
  assert.ok(signedIn)
  const form = formOf('/admin/scopes/{name}')
  const nextOf = (name: string) =>
    respondToForm(opened.ports, {
      session: signedIn.session,
      useCase: createScope,
      form,
      result: { kind: 'ok', value: { name } },
    })
  const done = '?done=scopes.create'
  assert.equal(await nextOf('orders/read'), `/admin/scopes/orders%2Fread${done}`)
  assert.equal(await nextOf('new'), `/admin/scopes/~new${done}`)
})

test('AD-04 a secret that was entered before a fresh sign-in is kept, and no page gets it', async () => {
  const { subject } = await opened.actor('owner')
  const { cookies } = await signInAsAdmin(opened, subject)
  const signedIn = await currentAdminSession(opened.ports, cookies)
  assert.ok(signedIn)
  const { session } = signedIn
  const pairs = [
    ['_back', '/admin/providers/new?issuer=x'],
    ['scheme', 'partner'],
    ['client_secret', 'typed by hand'],
    ['password', 'never kept'],
  ] as const
  const form = readPostedForm(pairs)
  const to = await respondToForm(opened.ports, {
    session,
    useCase: createProvider,
    form,
    result: { kind: 'fresh_sign_in_required' },
  })
  const back = new URL(new URL(to, 'http://x').searchParams.get('back') ?? '', 'http://x')
  const handle = back.searchParams.get('rejected_form')
  const draft = await readRejectedForm(opened.ports, session, handle ?? undefined)
  assert.deepEqual([draft?.fields, draft?.hasSecrets], [{ scheme: ['partner'] }, true])

  const again = readPostedForm([
    ['_rejected_form', handle ?? ''],
    ['scheme', 'partner'],
    ['client_secret', ''],
  ])
  const typed = await typedSecrets(opened.ports, session, {
    handle: again.rejectedForm,
    useCase: createProvider.name,
  })
  assert.deepEqual(withSecrets(again, typed).fields.client_secret, ['typed by hand'])
  const other = readPostedForm([['client_secret', 'a new secret']])
  assert.deepEqual(withSecrets(other, typed).fields.client_secret, ['a new secret'])
})

test('a refused form keeps the password lengths that were typed, and no password', async () => {
  const { subject } = await opened.actor('owner')
  const { cookies } = await signInAsAdmin(opened, subject)
  const signedIn = await currentAdminSession(opened.ports, cookies)
  assert.ok(signedIn)
  const kept = async (result: AdminResult<unknown>) => {
    const to = await respondToForm(opened.ports, {
      session: signedIn.session,
      useCase: previewPolicies,
      form: readPostedForm([
        ['_back', '/admin/policies'],
        ['minimum_password_length', '12'],
        ['new_password', 'never kept'],
      ]),
      result,
    })
    const address = new URL(new URL(to, 'http://x').searchParams.get('back') ?? to, 'http://x')
    const handle = address.searchParams.get('rejected_form')
    return (await readRejectedForm(opened.ports, signedIn.session, handle ?? undefined))?.fields
  }
  const lengths = { minimum_password_length: ['12'] }
  assert.deepEqual(await kept({ kind: 'invalid', errors: [] }), lengths)
  assert.deepEqual(await kept({ kind: 'fresh_sign_in_required' }), lengths)
})

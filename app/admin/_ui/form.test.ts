import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateClient } from '#lib/admin/clients/write-clients.ts'
import { fieldPlace, fieldState, inFormOrder, labelOfControl } from './form.tsx'

const labels = { redirect_uris: 'Redirect URIs', claims: 'Other claims', 'claims.email': 'Email' }

test('an error has the label of its field and the number of its line', () => {
  for (const [path, label, id, line] of [
    ['metadata.redirect_uris.1', 'Redirect URIs', 'redirect_uris', 2],
    ['claims.email', 'Email', 'email', null],
    ['claims.birthdate', 'Other claims', 'claims', null],
    ['metadata.claims.role.0', 'Other claims', 'claims', null],
    ['client_id', 'Client id', 'client_id', null],
    ['constructor', 'Constructor', 'constructor', null],
  ] as const) {
    const place = fieldPlace(path, labels)
    assert.deepEqual([place.label, place.id, place.line], [label, id, line], path)
  }
})

test('a field shows all its errors, line by line, and none of other fields', () => {
  const errors = [
    { path: 'redirect_uris.0', message: 'Must use https.' },
    { path: 'redirect_uris.2', message: 'Must not have a fragment.' },
    { path: 'claims.email', message: 'Must be an address.' },
  ]
  const draft = {
    kind: 'rejected_form',
    useCase: 'clients.update',
    fields: {},
    errors,
    conflict: null,
    hasSecrets: false,
  } as const
  const { error } = fieldState({ rejectedForm: draft }, updateClient, labels)
  assert.equal(error('redirect_uris'), 'Line 1: Must use https.\nLine 3: Must not have a fragment.')
  assert.deepEqual([error('claims'), error('claims.email')], [null, 'Must be an address.'])
})

test('a control has its label in the form', () => {
  const names = ['email', 'claims', 'audience'].map(id => labelOfControl(id, labels))
  assert.deepEqual(names, ['Email', 'Other claims', 'Audience'])
})

test('errors are in the order of the form', () => {
  const paths = ['claims.role', 'claims.email', 'metadata.redirect_uris.1', 'metadata.redirect_uris.0', '']
  const sorted = inFormOrder(
    paths.map(path => ({ path })),
    labels,
  ).map(({ path }) => path)
  assert.deepEqual(sorted, [
    '',
    'metadata.redirect_uris.1',
    'metadata.redirect_uris.0',
    'claims.role',
    'claims.email',
  ])
})

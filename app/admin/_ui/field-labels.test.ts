import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldState } from './draft-values.ts'
import { fieldPlace, inFormOrder, labelOfControl } from './field-labels.ts'

const labels = { redirect_uris: 'Redirect URIs', claims: 'Other claims', 'claims.email': 'E-mail' }

test('an error is told by the label of its field, and of its line', () => {
  for (const [path, label, id, line] of [
    ['metadata.redirect_uris.1', 'Redirect URIs', 'redirect_uris', 2],
    ['claims.email', 'E-mail', 'email', null],
    ['claims.birthdate', 'Other claims', 'claims', null],
    ['metadata.claims.role.0', 'Other claims', 'claims', null],
    ['client_id', 'Client id', 'client_id', null],
    ['constructor', 'Constructor', 'constructor', null],
  ] as const) {
    const place = fieldPlace(path, labels)
    assert.deepEqual([place.label, place.id, place.line], [label, id, line], path)
  }
})

test('a field says all that is wrong with it, line by line, and nothing of another', () => {
  const errors = [
    { path: 'redirect_uris.0', message: 'Must use https.' },
    { path: 'redirect_uris.2', message: 'Must not have a fragment.' },
    { path: 'claims.email', message: 'Must be an address.' },
  ]
  const draft = {
    kind: 'draft',
    useCase: 'x',
    fields: {},
    errors,
    conflict: null,
    hasSecrets: false,
  } as const
  const { error } = fieldState({ draft }, 'x', labels)
  assert.equal(error('redirect_uris'), 'Line 1: Must use https.\nLine 3: Must not have a fragment.')
  assert.deepEqual([error('claims'), error('claims.email')], [null, 'Must be an address.'])
})

test('a control is called as it stands on the page', () => {
  const names = ['email', 'claims', 'audience'].map(id => labelOfControl(id, labels))
  assert.deepEqual(names, ['E-mail', 'Other claims', 'Audience'])
})

test('errors stand in the order of the form', () => {
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

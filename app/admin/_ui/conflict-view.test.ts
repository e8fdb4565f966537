import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clientForm } from '#lib/admin/clients/client-resource.ts'
import { scopeForm } from '#lib/admin/scopes/scope-form.ts'
import { untouchedFields } from '#lib/admin/testing/untouched-form.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { absentClaims } from '../users/profile-fields.tsx'
import { differingRows } from './conflict-view.tsx'

const client = clientMetadataSchema.parse({
  client_id: 'shop',
  client_name: 'Shop',
  redirect_uris: ['https://shop.example/b', 'https://shop.example/a'],
  grant_types: ['refresh_token', 'authorization_code', 'implicit'],
  response_types: ['code', 'id_token token'],
  scope: 'profile openid email',
  identity_provider_restrictions: ['corp', 'local'],
  claims: { tenant: { id: 7, zone: 'b' } },
})

const scope = scopeMetadataSchema.parse({
  name: 'orders.read',
  kind: 'resource',
  display_name: 'Read orders',
  claims: ['role', 'email'],
})

describe('the table of a conflict', () => {
  for (const [name, form, document] of [
    ['client', clientForm, client],
    [
      'client without optional fields',
      clientForm,
      clientMetadataSchema.parse({ client_id: 'shop', grant_types: [] }),
    ],
    ['scope', scopeForm, scope],
  ] as const) {
    test(`has no row for any field of a ${name} that was not changed`, () => {
      const fields = untouchedFields(form, document)
      const shown = form.textsOf(document)
      assert.deepEqual(differingRows({ version: 2, metadata: document }, fields, shown), [])
      assert.deepEqual(differingRows({ version: 2, metadata: {} }, fields, shown), [])
    })
  }

  const rows: readonly (readonly [
    what: string,
    field: string,
    posted: string[],
    now: string,
    yours: string,
  ])[] = [
    [
      'one more ticked box',
      'scope',
      ['', 'email', 'openid', 'phone', 'profile'],
      'profile\nopenid\nemail',
      'email\nopenid\nphone\nprofile',
    ],
    [
      'a box that is no longer ticked',
      'scope',
      ['', 'email', 'openid'],
      'profile\nopenid\nemail',
      'email\nopenid',
    ],
    ['no ticked box', 'response_types', [''], 'code\nid_token token', ''],
    [
      'a changed list',
      'redirect_uris',
      ['https://shop.example/b\r\nhttps://shop.example/c'],
      'https://shop.example/b\nhttps://shop.example/a',
      'https://shop.example/b\nhttps://shop.example/c',
    ],
    ['an emptied text', 'client_name', [''], 'Shop', ''],
    [
      'a box for yes or no',
      'require_consent',
      ['false', String(!client.require_consent)],
      String(client.require_consent),
      String(!client.require_consent),
    ],
  ]
  for (const [what, field, posted, now, yours] of rows)
    test(`has a row for ${what}, with all values of both sides`, () => {
      const fields = { ...untouchedFields(clientForm, client), [field]: posted }
      const shown = clientForm.textsOf(client)
      assert.deepEqual(differingRows({ version: 2, metadata: client }, fields, shown), [
        { name: field, now, yours },
      ])
    })

  test('has a row for a field that the other admin emptied, whatever its kind', () => {
    const metadata = { client_id: 'shop', grant_types: ['client_credentials'], response_types: [] }
    const bare = clientMetadataSchema.parse(metadata)
    const fields = {
      ...untouchedFields(clientForm, bare),
      client_uri: ['https://shop.example'],
      redirect_uris: ['https://shop.example/b\r\nhttps://shop.example/c'],
      identity_provider_restrictions: ['', 'corp', 'local'],
    }
    const rows = differingRows({ metadata }, fields, clientForm.textsOf(bare))
    const expected = [
      { name: 'client_uri', now: '', yours: 'https://shop.example' },
      { name: 'identity_provider_restrictions', now: '', yours: 'corp\nlocal' },
      { name: 'redirect_uris', now: '', yours: 'https://shop.example/b\nhttps://shop.example/c' },
    ]
    assert.deepEqual(
      rows.toSorted((left, right) => left.name.localeCompare(right.name)),
      expected,
    )
    const posted = { username: ['alice'], name: ['Alice'], email: [''], email_verified: ['false'] }
    assert.deepEqual(differingRows({ username: 'alice', claims: {} }, posted, absentClaims), [
      { name: 'name', now: '', yours: 'Alice' },
    ])
  })

  test('compares JSON by its content, for claims of a client and of a user', () => {
    const same = { claims: ['{ "tenant": { "zone": "b", "id": 7 } }'] }
    assert.deepEqual(differingRows({ metadata: client }, same, {}), [])
    const other = differingRows({ metadata: client }, { claims: ['{ "tenant": 8 }'] }, {})
    assert.deepEqual(
      other.map(({ name }) => name),
      ['claims'],
    )
    const user = { username: 'alice', claims: { name: 'Alice', address: { country: 'DE' } }, version: 3 }
    assert.deepEqual(differingRows(user, { username: ['alice'], name: ['Alice'], version: ['2'] }, {}), [])
  })
})

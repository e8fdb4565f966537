/**
 * Tests that a rejected form of the dashboard reports every error, by the labels of its fields, and how forms show dates,
 * choices and lists.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Admin } from '../fixtures/dashboard/administrator.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import type { Answer } from '../fixtures/requests/http-client.ts'

let owner: Admin
const latchkey = sharedStaff(({ all }) => {
  owner = all.owner
})

/** The page to which a rejected form returns. */
async function cameBack({ status, headers }: Answer): Promise<string> {
  assert.equal(status, 303)
  const { pathname, search } = new URL(headers.location ?? '', latchkey.issuer)
  return (await owner.get(pathname + search)).text
}

/** The errors in the summary of a rejected form. */
async function summaryOf(answer: Answer): Promise<readonly string[]> {
  const text = await cameBack(answer)
  const list = /<ul class="error-list">[\s\S]*?<\/ul>/.exec(text)?.[0] ?? ''
  return [...list.matchAll(/<a href="(#[^"]+)">([^<]*)/g)].map(([, href = '', said = '']) => {
    assert.ok(text.includes(` id="${href.slice(1)}"`), `${href} is on the page`)
    return said.replaceAll('&quot;', '"')
  })
}

describe('a rejected form reports all problems together, by the labels of its fields', () => {
  const forms: ReadonlyArray<
    readonly [
      useCase: string,
      page: string,
      fields: Readonly<Record<string, string>>,
      said: readonly RegExp[],
    ]
  > = [
    [
      'clients.create',
      '/admin/clients/new?kind=web',
      {
        kind: 'web',
        client_name: '',
        client_id: 'café',
        redirect_uris: 'localhost:8080/cb\nhttps://a.example/cb\nhttps://b.example/cb, https://c.example/cb',
        scope: 'openid profil',
      },
      [
        /^Name: Is missing/,
        /^Client ID: May contain only letters .*"é" is not allowed/,
        /^Redirect URIs, line 1: Lacks "http:\/\/" in front/,
        /^Redirect URIs, line 3: Contains several addresses/,
        /^Scopes: "profil" is not a known scope; did you mean "profile"/,
      ],
    ],
    [
      'scopes.create',
      '/admin/scopes/new',
      { name: 'openid', display_name: 'x'.repeat(300), language_0_language: 'de_DE' },
      [
        /^Name: "openid" is the name of a standard scope/,
        /^Name on the consent page: /,
        /^In other languages: /,
      ],
    ],
    [
      'users.create',
      '/admin/users/new',
      {
        username: '',
        email: 'alice',
        website: 'javascript:alert(1)',
        claims: '{"sub": "x", "birthdate": "May"}',
      },
      [
        /^User name: /,
        /^Email: Must be an email address/,
        /^Website: Must be an http or https address/,
        /^Other claims: "sub" is set by the server/,
        /^Other claims: "birthdate" must be a day/,
      ],
    ],
    [
      'administrators.add_client',
      '/admin/administrators',
      { client_id: 'web', role: 'auditor' },
      [/^Client ID: Users sign in to this client/],
    ],
  ]
  for (const [useCase, page, fields, said] of forms) {
    test(`${useCase} reports every problem at its field`, async () => {
      const summary = await summaryOf(await owner.post(useCase, fields, page))
      assert.equal(summary.length, said.length, summary.join('\n'))
      for (const pattern of said)
        assert.ok(
          summary.some(line => pattern.test(line)),
          `${pattern}\n${summary}`,
        )
    })
  }

  test('adding a client without the scope of the API as administrator links to its settings', async () => {
    const fields = { client_id: 'web', role: 'auditor' }
    const text = await cameBack(
      await owner.post('administrators.add_client', fields, '/admin/administrators'),
    )
    assert.match(text, /href="\/admin\/clients\/web"/)
  })
})

test('the last day of a new secret is entered in a date field', async () => {
  const fields = { client_id: 'web', secret_name: 'production', expires_at: '2001-02-03' }
  const text = await cameBack(await owner.post('clients.add_secret', fields, '/admin/clients/web/secrets'))
  const [field = ''] = /<input[^>]*id="expires_at"[^>]*>/.exec(text) ?? []
  assert.match(field, /type="date"/)
  assert.match(field, /value="2001-02-03"/)
  assert.match(field, /aria-invalid="true"/)
})

test('the settings of a client have boxes and choices in words, and one link to a standard for each group', async () => {
  const { text } = await owner.get('/admin/clients/web')
  for (const name of ['grant_types', 'response_types', 'scope', 'identity_provider_restrictions'])
    assert.match(text, new RegExp(`<input type="checkbox" name="${name}"`), name)
  for (const [, words = ''] of text.matchAll(/<option[^>]*>([^<]*)/g)) assert.doesNotMatch(words, /\w[_-]\w/)
  assert.equal(text.split('class="standard"').length, text.split('class="settings-group"').length)
})

test('the field of the redirect URIs has a line for each, and one more', async () => {
  const uris = Array.from({ length: 8 }, (_, index) => `https://app.example/callback/${index}`).join('\n')
  const fields = {
    kind: 'web',
    client_name: 'Eight',
    client_id: 'eight-uris',
    redirect_uris: uris,
    scope: 'openid',
  }
  await owner.submit('clients.create', fields)
  const { text } = await owner.get('/admin/clients/eight-uris')
  assert.match(text, /<textarea[^>]*id="redirect_uris"[^>]*rows="9"/)
})

test('A20 the end of an invitation is in a time element', async () => {
  const { answer } = await owner.submit('administrators.invite', { role: 'auditor' }, '/admin/administrators')
  assert.match(answer.text, /It works once, until <time [^>]*dateTime="/)
})

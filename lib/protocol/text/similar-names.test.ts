import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestName, looksLike, meantName, unknownName } from './similar-names.ts'

const names = ['redirect_uris', 'post_logout_redirect_uris', 'scope', 'pkce', 'require_consent']

test('suggests the closest name despite typos, case and separators', () => {
  const meant = [
    ['redirect_uri', 'redirect_uris'],
    ['redirectUris', 'redirect_uris'],
    ['scopes', 'scope'],
    ['pcke', 'pkce'],
    ['require-consent', 'require_consent'],
    ['SCOPE', 'scope'],
  ] as const
  for (const [word, name] of meant) assert.equal(closestName(word, names), name, word)
})

test('suggests nothing when no name is close', () => {
  for (const word of ['', 'x', 'jwks_uri', 'completely_different', 'x'.repeat(10_000)])
    assert.equal(closestName(word, names), null, word.slice(0, 30))
})

test('suggests a name that contains the whole word', () => {
  const policies = ['required-s256', 'required', 'optional']
  assert.equal(meantName('S256', policies), 'required-s256')
  assert.equal(meantName('providers', ['clients', 'users', 'identity_providers']), 'identity_providers')
  assert.equal(meantName('secret', ['client_secret', 'client_secrets']), 'client_secret')
  assert.equal(meantName('id', ['client_id']), null)
  assert.equal(meantName('____', policies), null)
})

test('the suggestion is one sentence, and long values are shortened', () => {
  assert.equal(
    unknownName('scopes', 'client field', names),
    '"scopes" is not a known client field; did you mean "scope"?',
  )
  assert.equal(unknownName('other', 'client field', []), '"other" is not a known client field')
  assert.ok(unknownName('x'.repeat(10_000), 'client field', names).length < 120)
})

const same = [
  'Latchkey',
  'LATCHKEY',
  ' latch-key ',
  'Latch Key.',
  'Iatchkey',
  '1atchkey',
  '|atchkey',
  'Lаtсhkеу',
  'Lαtchκey',
  'L\u0430tchkey',
  'Latch\u200bkey',
  'Látchkéy',
  'Ｌａｔｃｈｋｅｙ',
  '𝐋𝐚𝐭𝐜𝐡𝐤𝐞𝐲',
  '\u202eLatchkey',
  'L@tchk3y',
]
for (const name of same) {
  test(`CN-09 ${JSON.stringify(name)} resembles Latchkey`, () =>
    assert.equal(looksLike(name, 'Latchkey'), true))
}

const other = ['Latch', 'Latchkey Shop', 'Patchkey', 'Hatchkey', '鍵', '', '-']
for (const name of other) {
  test(`CN-09 ${JSON.stringify(name)} does not resemble Latchkey`, () =>
    assert.equal(looksLike(name, 'Latchkey'), false))
}

test('CN-09 two letters that look like one count as that letter', () => {
  assert.equal(looksLike('Acrne VVorks', 'Acme Works'), true)
  assert.equal(looksLike('Банк', 'Банк'), true)
  assert.equal(looksLike('--', '!?'), false)
})

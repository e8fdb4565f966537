import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestName, unknownName } from './closest-name.ts'

const names = ['redirect_uris', 'post_logout_redirect_uris', 'scope', 'pkce', 'require_consent']

test('finds what was meant, across letters, case and separators', () => {
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

test('guesses nothing when nothing is near', () => {
  for (const word of ['', 'x', 'jwks_uri', 'completely_different', 'x'.repeat(10_000)])
    assert.equal(closestName(word, names), null, word.slice(0, 30))
})

test('says so in one sentence, and cuts what is long', () => {
  assert.equal(
    unknownName('scopes', 'client field', names),
    '"scopes" is not a known client field; did you mean "scope"?',
  )
  assert.equal(unknownName('other', 'client field', []), '"other" is not a known client field')
  assert.ok(unknownName('x'.repeat(10_000), 'client field', names).length < 120)
})

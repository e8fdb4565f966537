import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redirectUriProblem, severalAddresses } from './redirect-uri.ts'

test('likely mistakes in a redirect URI are reported as such', () => {
  for (const [uri, problem] of [
    ['localhost:8080/cb', /^lacks "http:\/\/" in front$/],
    ['127.0.0.1:8080/cb', /^lacks "http:\/\/" in front$/],
    ['[::1]:8080', /^lacks "http:\/\/" in front$/],
    ['localhost', /^lacks "http:\/\/" in front$/],
    ['app.example/cb', /^lacks "https:\/\/" in front$/],
    ['app.example:8443/cb?x=1', /^lacks "https:\/\/" in front$/],
    ['callback', /^must be an absolute URI/],
    ['/callback', /^must be an absolute URI/],
    ['myapp:/cb', /a scheme with a dot in its name/],
    ['com.example.app:/cb', /^uses the private scheme/],
    ['https://a.example/cb, https://b.example/cb', /^contains several addresses: write each/],
    ['https://a.example/cb https://b.example/cb', /^contains several addresses: write each/],
  ] as const) {
    assert.match(redirectUriProblem(uri, 'web') ?? '', problem, uri)
  }
  assert.match(
    severalAddresses('https://a.example/cb,https://b.example/cb') ?? '',
    /^contains several addresses/,
  )
  for (const one of ['https://a.example/a,b', 'https://a.example/cb?next=x,https://b.example'])
    assert.equal(severalAddresses(one), null, one)
})

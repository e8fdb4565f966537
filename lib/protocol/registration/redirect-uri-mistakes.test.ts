import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redirectUriProblem } from '../wire/redirect-uri.ts'
import { readConfiguration } from './configuration-file.ts'

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
    assert.match(redirectUriProblem(uri, 'web', 'stored') ?? '', problem, uri)
  }
})

test('a comma between two addresses is a mistake in a form, but may be meant in a file', () => {
  const both = 'https://a.example/cb,https://b.example/cb'
  assert.match(redirectUriProblem(both, 'web', 'form') ?? '', /^contains several addresses/)
  assert.equal(redirectUriProblem(both, 'web', 'file'), null)
  for (const one of ['https://a.example/a,b', 'https://a.example/cb?next=x,https://b.example'])
    assert.equal(redirectUriProblem(one, 'web', 'form'), null, one)
})

for (const name of ['code', 'state', 'iss', 'error', 'id_token', 'access_token', 'response']) {
  test(`a redirect URI that contains the response parameter ${name} is refused by name`, () => {
    const problem = `must not contain the response parameter "${name}" in its query`
    for (const uri of [`https://app.example/cb?a=1&${name}=2`, `com.example.app:/cb?${name}`]) {
      assert.equal(redirectUriProblem(uri, 'native', 'form'), problem)
      assert.equal(redirectUriProblem(uri, 'native', 'file'), problem)
      assert.equal(redirectUriProblem(uri, 'native', 'stored'), null)
    }
  })
}

test('other query parameters may be registered', () => {
  assert.equal(redirectUriProblem('https://app.example/code?tenant=a&codes=1&State=x', 'web', 'form'), null)
})

test('a configuration names the redirect URI with a response parameter', () => {
  const client = {
    client_id: 'c',
    client_secret: 'a secret of c',
    redirect_uris: ['https://a.example/?state=1'],
  }
  const read = readConfiguration({ clients: [client] })
  assert.match(
    read.kind === 'invalid' ? read.problems.join() : read.kind,
    /^clients\[0\]\.redirect_uris\[0\]: must not contain the response parameter "state"/,
  )
})

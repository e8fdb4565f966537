import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfiguration } from './configuration-file.ts'
import { responseParameterIn } from './redirect-uri.ts'

for (const name of ['code', 'state', 'iss', 'error', 'id_token', 'access_token', 'response']) {
  test(`a redirect URI that contains the response parameter ${name} is refused by name`, () => {
    const problem = `must not contain the response parameter "${name}" in its query`
    assert.equal(responseParameterIn(`https://app.example/cb?a=1&${name}=2`), problem)
    assert.equal(responseParameterIn(`com.example.app:/cb?${name}`), problem)
  })
}

test('other query parameters may be registered', () => {
  assert.equal(responseParameterIn('https://app.example/code?tenant=a&codes=1&State=x'), null)
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

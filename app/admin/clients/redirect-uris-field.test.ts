import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastCheck from 'fast-check'
import { redirectUriProblem } from '#lib/protocol/wire/redirect-uri.ts'
import { adviseRedirectUris } from './redirect-uris-field.tsx'

const about = { kind: 'web', applicationType: 'web', issuer: 'https://id.example' } as const

const cases: ReadonlyArray<readonly [name: string, text: string, remarks: readonly string[]]> = [
  ['a good redirect URI needs no advice', 'https://app.example/callback', []],
  ['empty lines count as lines and get no advice', '\n\nhttp://app.example/cb', ['3 error']],
  ['a fragment is refused', 'https://app.example/cb#x', ['1 error']],
  [
    'two that differ only in the trailing slash are reported',
    'https://a.example/cb\nhttps://a.example/cb/',
    ['1 warning', '2 warning'],
  ],
  ['a duplicate is reported once', 'https://a.example/cb\nhttps://a.example/cb', ['2 warning']],
  ['the address of this server is suspicious', 'https://id.example/cb', ['1 warning']],
  ['localhost is for development', 'http://localhost:3000/cb', ['1 hint']],
  ['browsers write a host in lower case', 'https://App.example/cb', ['1 hint']],
]

for (const [name, text, remarks] of cases) {
  test(`redirect URI advice: ${name}`, () => {
    const said = adviseRedirectUris(text, about).map(({ line, level }) => `${line} ${level}`)
    assert.deepEqual(said, remarks)
  })
}

test('a native app with a legacy grant may use a private scheme', () => {
  const legacy = { ...about, kind: 'legacy', applicationType: 'native' } as const
  assert.deepEqual(adviseRedirectUris('com.example.app:/cb', legacy), [])
})

test('a response parameter in the query is an error, except in a registered redirect URI', () => {
  const uri = 'https://app.example/cb?state=1'
  const levels = (stored: readonly string[]) =>
    adviseRedirectUris(uri, { ...about, stored }).map(({ level }) => level)
  assert.deepEqual([levels([]), levels([uri])], [['error'], []])
})

test('an error is reported exactly when the server refuses the redirect URI', () => {
  const uri = fastCheck.oneof(
    fastCheck.webUrl({ withFragments: true, withQueryParameters: true }),
    fastCheck.string({ minLength: 1 }).map(text => text.replace(/\s/g, '')),
    fastCheck.constantFrom(
      'javascript:alert(1)',
      'com.example.app:/cb',
      'http://[::1]/cb',
      'https://*.x.test/',
    ),
  )
  fastCheck.assert(
    fastCheck.property(
      uri.filter(text => text !== ''),
      text => {
        const isRefused = redirectUriProblem(text, 'web', 'form') !== null
        const isError = adviseRedirectUris(text, about).some(({ level }) => level === 'error')
        assert.equal(isError, isRefused)
      },
    ),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastCheck from 'fast-check'
import { redirectUriProblem } from './redirect-uri.ts'
import { adviseRedirectUris } from './redirect-uri-advice.ts'

const about = { kind: 'web', issuer: 'https://id.example' } as const

const cases: ReadonlyArray<readonly [name: string, text: string, remarks: readonly string[]]> = [
  ['a good address needs no words', 'https://app.example/callback', []],
  ['empty lines count but say nothing', '\n\nhttp://app.example/cb', ['3 error']],
  ['a fragment is refused', 'https://app.example/cb#x', ['1 error']],
  [
    'a twin by the last slash is named',
    'https://a.example/cb\nhttps://a.example/cb/',
    ['1 warning', '2 warning'],
  ],
  ['the same twice is named once', 'https://a.example/cb\nhttps://a.example/cb', ['2 warning']],
  ['our own address is suspicious', 'https://id.example/cb', ['1 warning']],
  ['localhost is for development', 'http://localhost:3000/cb', ['1 hint']],
  ['a host in capitals is written differently by browsers', 'https://App.example/cb', ['1 hint']],
]

for (const [name, text, remarks] of cases) {
  test(name, () => {
    const said = adviseRedirectUris(text, about).map(({ line, level }) => `${line} ${level}`)
    assert.deepEqual(said, remarks)
  })
}

test('an error is said exactly where the server would refuse', () => {
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
        const isRefused = redirectUriProblem(text, 'web') !== null
        const isError = adviseRedirectUris(text, about).some(({ level }) => level === 'error')
        assert.equal(isError, isRefused)
      },
    ),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCut, shownUri } from './shown-uri.ts'

test('FW-09 a URI is shown without the values of its query and its fragment', () => {
  const rows = [
    ['https://app.example/callback', 'https://app.example/callback'],
    ['https://app.example/callback?', 'https://app.example/callback?'],
    ['https://app.example/callback?token=abc&x=', 'https://app.example/callback?token=…&x='],
    ['https://app.example/callback?a=b=c#id_token=abc', 'https://app.example/callback?a=…#…'],
    ['https://app.example/callback?only-a-word', 'https://app.example/callback?…'],
    [`https://app.example/?${'n'.repeat(41)}=1`, 'https://app.example/?…'],
    ['no address at all', 'no address at all'],
  ] as const
  for (const [uri, shown] of rows) assert.equal(shownUri(uri), shown)
})

test('the values of a registered URI are shown', () => {
  const registered = ['https://app.example/callback?tenant=north']
  assert.equal(
    shownUri('https://app.example/callback?tenant=north&x=1', registered),
    'https://app.example/callback?tenant=north&x=…',
  )
  assert.equal(
    shownUri('https://app.example/callback?tenant=south', registered),
    'https://app.example/callback?tenant=…',
  )
})

test('a long URI is shortened visibly', () => {
  const shown = shownUri(`https://app.example/${'x'.repeat(1000)}`)
  assert.equal(shown.length, 501)
  assert.ok(isCut(shown))
  assert.equal(isCut('https://app.example/callback'), false)
})

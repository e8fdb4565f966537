import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type IdAndSecret, isBasic, readBasicCredentials } from './basic-credentials.ts'

const basic = (text: string) => `Basic ${Buffer.from(text, 'utf8').toString('base64')}`
const formEncode = (value: string) => new URLSearchParams([['', value]]).toString().slice(1)
const hasPair = (pairs: readonly IdAndSecret[], id: string, secret: string) =>
  pairs.some(pair => pair.id === id && pair.secret === secret)

const unicode = fc.string({ unit: 'grapheme', maxLength: 40 })

test('TK-03 reads every Unicode secret that is form-encoded', () => {
  fc.assert(
    fc.property(unicode, unicode, (id, secret) => {
      assert.ok(hasPair(readBasicCredentials(basic(`${formEncode(id)}:${formEncode(secret)}`)), id, secret))
    }),
  )
})

test('TK-03 reads every Unicode secret in plain UTF-8', () => {
  fc.assert(
    fc.property(unicode, unicode, (id, secret) => {
      const plainId = id.replaceAll(':', '')
      assert.ok(hasPair(readBasicCredentials(basic(`${plainId}:${secret}`)), plainId, secret))
    }),
  )
})

test('TK-03 keeps colons in the secret', () => {
  assert.deepEqual(readBasicCredentials(basic('web:a:b:')), [{ id: 'web', secret: 'a:b:' }])
})

test('TK-03 offers both readings only where they differ', () => {
  assert.equal(readBasicCredentials(basic('web:plain')).length, 1)
  assert.deepEqual(readBasicCredentials(basic('web:a%2Bb')), [
    { id: 'web', secret: 'a+b' },
    { id: 'web', secret: 'a%2Bb' },
  ])
})

const unreadable: ReadonlyArray<readonly [string, string]> = [
  ['nothing after the scheme', 'Basic '],
  ['only the scheme', 'Basic'],
  ['no base64', 'Basic ***'],
  ['missing padding', 'Basic d2ViOnM'],
  ['whitespace inside', 'Basic d2Vi OnM='],
  ['base64url', `Basic ${Buffer.from('web:\u{3ff}\u{3ff}?').toString('base64url')}-_`],
  ['stray bits at the end', 'Basic d2ViOnN='],
  ['no colon', basic('web')],
  ['not UTF-8', `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString('base64')}`],
]

for (const [why, header] of unreadable) {
  test(`TK-03 refuses credentials with ${why}`, () => {
    assert.deepEqual(readBasicCredentials(header), [])
  })
}

test('TK-03 accepts the scheme Basic in any letter case', () => {
  assert.ok(isBasic('basic eDp5'))
  assert.ok(isBasic('BASIC eDp5'))
  assert.ok(!isBasic('Basics eDp5'))
  assert.ok(!isBasic('Bearer eDp5'))
})

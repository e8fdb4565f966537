import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeText } from './safe-text.ts'

const handle = `rt_${'Ab3-'.repeat(8)}`
const jwt = `eyJ${'hA'.repeat(300)}.${'pA'.repeat(900)}.signature`

const secrets: readonly (readonly [where: string, text: string, secret: RegExp])[] = [
  ['a handle across the end of the line', `${'word '.repeat(98)}${handle}`, /rt_Ab3/],
  ['a password across the end of the line', `${'word '.repeat(98)}password=correct-horse`, /horse|corr/],
  [
    'a password in a URL across the end',
    `${'word '.repeat(94)}postgresql://app:${'secret'.repeat(4)}@db`,
    /secr/,
  ],
  ['a token that is longer than a line', `${'word '.repeat(90)}${jwt}`, /hAhA/],
  [
    'a password in a URL across the end of the part that is read',
    `${jwt.slice(0, 1800)} postgresql://app:${'secret'.repeat(40)}@db`,
    /secr/,
  ],
  ['a password in a URL without a user', 'redis://:correct-horse@cache', /horse/],
  ['a token after a period', `x.${jwt}`, /hAhA/],
  ['a handle across the end of the part that is read', `${jwt.slice(0, 1990)} ${handle}`, /Ab3/],
]
for (const [where, text, secret] of secrets)
  test(`LG-02 ${where} is redacted`, () => {
    assert.doesNotMatch(safeText(text), secret)
  })

test('LG-02 a line has at most 500 characters before it is escaped', () => {
  assert.equal(safeText('word '.repeat(200)), `${'word '.repeat(100)}…`)
  assert.equal(safeText('word '.repeat(2000)), `${'word '.repeat(100)}…`)
  assert.equal(safeText(`word ${jwt}`.slice(0, 1900)), 'word jwt_[redacted]')
})

test('LG-02 the words before a secret that is longer than the part that is read stay', () => {
  assert.equal(safeText(`The provider sent ${jwt}${'x'.repeat(900)}`), 'The provider sent jwt_[redacted]…')
  assert.equal(safeText(`GET /cb?code=${'c'.repeat(2500)}`), 'GET /cb?code=[redacted]…')
})

test('LG-02 characters that change the direction of text are escaped', () => {
  assert.equal(safeText('a\u061cb\u202ec\u2066d\ne'), 'a\\u061cb\\u202ec\\u2066d\\u000ae')
})

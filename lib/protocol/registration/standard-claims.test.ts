import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../claims.ts'
import { standardClaimProblem } from './standard-claims.ts'

const rows: ReadonlyArray<readonly [name: string, good: readonly JsonValue[], bad: readonly JsonValue[]]> = [
  ['name', ['Alice', 'Ålice 李'], ['', ' ', 7, null, ['Alice']]],
  ['family_name#ja-Kana-JP', ['クワノ'], [false]],
  ['preferred_username', ['a@b/c d'], [{}]],
  [
    'website',
    ['https://a.example', 'http://a.example/~x?y#z'],
    ['javascript:alert(1)', 'a.example', 'data:text/html,x', '//a.example', true],
  ],
  ['picture', ['https://a.example/a.png'], ['data:image/png;base64,AA']],
  ['profile', ['https://a.example/alice'], ['alice']],
  [
    'email',
    ['a@b.example', 'o’neil+x@b.example', 'root@localhost', 'jörg@bücher.example'],
    ['alice', 'a@', '@b', 'a@b@c', 'a b@c.example', 'A <a@b.example>', 'a@b..example', 'a.@b.example', 1],
  ],
  ['email_verified', [true, false], ['true', 1, null]],
  ['phone_number_verified', [true], ['no']],
  [
    'birthdate',
    ['1990-12-31', '1990', '0000-02-29', '2024-02-29'],
    ['31.12.1990', '1990-13-01', '2023-02-29', '90', '1990-12', 1990, '1990-12-31T00:00:00Z'],
  ],
  [
    'zoneinfo',
    ['Europe/Berlin', 'UTC', 'US/Pacific', 'Asia/Calcutta', 'Asia/Kolkata', 'Etc/GMT+5'],
    ['Berlin', '+02:00', 'europe/berlin', 'asia/kolkata', 'Asia/kolkata', '', 1, 'CET or so'],
  ],
  ['locale', ['de', 'en-US', 'en-us', 'zh-Hant-TW'], ['en_US', 'english please', '', 'd', 5]],
  [
    'phone_number',
    ['+1 (425) 555-1212', '+56 (2) 687 2400', '030/123456', '+1 604 555 1234;ext=5678'],
    ['call me', '+', '12', 4912345, 'javascript:1'],
  ],
  ['address', [{ locality: 'Oxford' }, {}, { planet: 3 }], ['Oxford', [], { country: 44 }]],
  ['updated_at', [0, 1_700_000_000], ['2024', -1]],
  ['role', ['admin', 7, null, ['x'], { any: 'thing' }], []],
]

for (const [name, good, bad] of rows) {
  test(`${name} has the form of OpenID Connect Core 5.1`, () => {
    for (const value of good) assert.equal(standardClaimProblem(name, value), null, JSON.stringify(value))
    for (const value of bad) assert.notEqual(standardClaimProblem(name, value), null, JSON.stringify(value))
  })
}

test('the message for a time zone in another letter case names its spelling', () => {
  assert.equal(standardClaimProblem('zoneinfo', 'europe/berlin'), 'is spelled "Europe/Berlin"')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretList } from '#lib/config/limits.ts'
import { successorName, successorOf } from './secret-succession.ts'

const soon = new Date('2026-03-02T12:00:00Z')
const later = new Date('2026-04-01T12:00:00Z')
const longest = 'x'.repeat(secretList.longestName)
const secret = (name: string | null, expiresAt: Date | null = null) => ({ name, expiresAt })

const successions: ReadonlyArray<readonly [string, ReturnType<typeof secret>[], string | null | undefined]> =
  [
    ['the next number without an end replaces', [secret('a', soon), secret('a (2)')], 'a (2)'],
    ['the next number with a later end replaces', [secret('a', soon), secret('a (2)', later)], 'a (2)'],
    ['a secret with the same name replaces', [secret('a', soon), secret('a')], 'a'],
    [
      'the secret that ends last replaces',
      [secret('a', soon), secret('a (2)', later), secret('a (3)')],
      'a (3)',
    ],
    ['a secret without a name replaces one without a name', [secret(null, soon), secret(null)], null],
    ['a rotated secret without a name is replaced', [secret(null, soon), secret('Secret (2)')], 'Secret (2)'],
    ['a secret with another name replaces nothing', [secret('a', soon), secret('b')], undefined],
    ['a secret that ends earlier replaces nothing', [secret('a', later), secret('a (2)', soon)], undefined],
    [
      'a secret with the longest name is replaced',
      [secret(longest, soon), secret(successorName([secret(longest)], secret(longest)))],
      `${longest.slice(0, -7)} (2)`,
    ],
    ['a secret without an end is never replaced', [secret('a'), secret('a (2)')], undefined],
  ]
for (const [rule, secrets, expected] of successions)
  test(rule, () => {
    const [first = secret('missing')] = secrets
    assert.equal(successorOf(secrets, first)?.name, expected)
  })

const names: ReadonlyArray<readonly [(string | null)[], string]> = [
  [['First secret'], 'First secret (2)'],
  [['First secret (2)', 'First secret', 'other (7)'], 'First secret (3)'],
  [['First secret', 'First secret (2)'], 'First secret (3)'],
  [[null], 'Secret (2)'],
  [['2026 (spring)'], '2026 (spring) (2)'],
  [[longest], `${longest.slice(0, -7)} (2)`],
]
for (const [stored, expected] of names)
  test(`the first of ${stored.map(String).join(', ')} is replaced by ${expected}`, () => {
    const secrets = stored.map(name => secret(name))
    const [first = secret('missing')] = secrets
    assert.equal(successorName(secrets, first), expected)
  })

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretList } from '#lib/config/limits.ts'
import { isHandedOver, successorName, successorOf } from './secret-succession.ts'

const created = new Date('2026-03-01T12:00:00Z')
const soon = new Date('2026-03-02T12:00:00Z')
const later = new Date('2026-03-20T12:00:00Z')
const farOff = new Date('2026-04-01T12:00:00Z')
const longest = 'x'.repeat(secretList.longestName)
const secret = (name: string | null, expiresAt: Date | null = null) => ({
  name,
  createdAt: created,
  expiresAt,
})

const successions: ReadonlyArray<readonly [string, ReturnType<typeof secret>[], string | undefined]> = [
  ['the next number without an end replaces', [secret('a', soon), secret('a (2)')], 'a (2)'],
  ['the next number with a later end replaces', [secret('a', soon), secret('a (2)', later)], 'a (2)'],
  ['the highest number replaces', [secret('a', soon), secret('a (3)', later), secret('a (2)')], 'a (3)'],
  ['a rotated secret without a name is replaced', [secret(null, soon), secret('Secret (2)')], 'Secret (2)'],
  ['a secret with the same name replaces nothing', [secret('a', soon), secret('a')], undefined],
  ['a secret without a name replaces nothing', [secret(null, soon), secret(null)], undefined],
  ['"(1)" is not a number of a rotation', [secret('a (1)', soon), secret('a (2)')], undefined],
  ['a lower number replaces nothing', [secret('a (2)', soon), secret('a')], undefined],
  ['a secret with another name replaces nothing', [secret('a', soon), secret('b (2)')], undefined],
  ['a secret that ends earlier replaces nothing', [secret('a', later), secret('a (2)', soon)], undefined],
  [
    'a secret that ends after every overlap is not replaced',
    [secret('a', farOff), secret('a (2)')],
    undefined,
  ],
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

const used = (name: string, lastUsedAt: Date | null, expiresAt: Date | null = null) => ({
  ...secret(name, expiresAt),
  lastUsedAt,
})
const before = new Date('2026-02-28T12:00:00Z')
const uses: ReadonlyArray<readonly [string, Date | null, Date | null, boolean]> = [
  ['both are unused', null, null, false],
  ['only the old one was used', before, null, false],
  ['the new one was used', null, soon, true],
  ['the new one was used, the old one only before', before, soon, true],
  ['both were used since', soon, soon, false],
]
for (const [state, old, current, expected] of uses)
  test(`a secret is${expected ? '' : ' not'} handed over if ${state}`, () => {
    const replaced = used('a', old, soon)
    assert.equal(isHandedOver([replaced, used('a (2)', current)], replaced), expected)
  })

test('a secret stays handed over when its successor is replaced as well', () => {
  const replaced = used('a', before, soon)
  const all = [replaced, used('a (2)', soon, later), used('a (3)', null)]
  assert.equal(isHandedOver(all, replaced), true)
})

test('of two secrets with the same name none counts as replaced', () => {
  const replaced = used('a', before, soon)
  const all = [replaced, used('a', null), used('a (2)', soon)]
  assert.equal(isHandedOver(all, replaced), false)
  assert.equal(successorOf(all, replaced), null)
})

const names: ReadonlyArray<readonly [(string | null)[], string]> = [
  [['First secret'], 'First secret (2)'],
  [['First secret (2)', 'First secret', 'other (7)'], 'First secret (3)'],
  [['First secret', 'First secret (2)'], 'First secret (3)'],
  [[null], 'Secret (2)'],
  [['2026 (spring)'], '2026 (spring) (2)'],
  [['node (1)'], 'node (1) (2)'],
  [[longest], `${longest.slice(0, -7)} (2)`],
  [[`${longest.slice(0, -8)}😀`], `${longest.slice(0, -8)} (2)`],
]
for (const [stored, expected] of names)
  test(`the first of ${stored.map(String).join(', ')} is replaced by ${expected}`, () => {
    const secrets = stored.map(name => secret(name))
    const [first = secret('missing')] = secrets
    assert.equal(successorName(secrets, first), expected)
  })

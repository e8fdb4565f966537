import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parameterLimit, parameterRules, rulesOf } from '#lib/protocol/wire/parameters.ts'
import * as limits from './limits.ts'

const text = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
const rows = [...text.matchAll(/^\|[^|]*\| `([\w.]+)` \|([\d |]+)\|$/gm)].map(
  ([, name = '', numbers = '']) => ({
    name,
    numbers: numbers.split('|').map(Number),
  }),
)

/**
 * Returns the constant with a name such as `adminSession.idleSeconds`; for an object such as `rateLimits.account`, its
 * `limit` and `windowSeconds`.
 */
function constant(name: string): readonly unknown[] {
  const found = name
    .split('.')
    .reduce<unknown>((value, step) => (isObject(value) ? Reflect.get(value, step) : undefined), limits)
  return isObject(found) ? [Reflect.get(found, 'limit'), Reflect.get(found, 'windowSeconds')] : [found]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

test('every number in the tables of constants in docs/security.md equals its constant', () => {
  assert.ok(rows.length > 30, `${rows.length} rows were found`)
  for (const { name, numbers } of rows) assert.deepEqual(numbers, constant(name), name)
})

test('docs/security.md lists every rate limit', () => {
  const listed = rows.map(({ name }) => name).filter(name => name.startsWith('rateLimits.'))
  const declared = Object.keys(limits.rateLimits).map(name => `rateLimits.${name}`)
  assert.deepEqual(listed.toSorted(), declared.toSorted())
})

test('docs/security.md has the length limit of every authorization parameter that has one', () => {
  const listed = new Map(
    [...text.matchAll(/^\| `(\w+)` \| (\d+) \|$/gm)].map(([, name = '', most]) => [name, Number(most)]),
  )
  for (const [name, most] of listed) assert.equal(most, parameterLimit(name), name)
  for (const name of Object.keys(parameterRules)) {
    const { authorize, longest } = rulesOf(name) ?? {}
    if (authorize === true && longest !== undefined) assert.ok(listed.has(name), name)
  }
})

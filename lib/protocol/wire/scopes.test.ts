import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeClaim, scopesOfClaims } from './scopes.ts'

test('the scope claim is a string for one scope and an array for several', () => {
  assert.equal(scopeClaim(['read']), 'read')
  assert.deepEqual(scopeClaim(['read', 'write']), ['read', 'write'])
})

test('reads every form of the scope claim', () => {
  const cases = [
    [{ scope: 'read' }, ['read']],
    [{ scope: 'read write' }, ['read', 'write']],
    [{ scope: ['read', 'write'] }, ['read', 'write']],
    [{ scope: '' }, []],
    [{ scope: 7 }, []],
    [{}, []],
  ] as const
  for (const [claims, words] of cases) assert.deepEqual(scopesOfClaims(claims), words)
})

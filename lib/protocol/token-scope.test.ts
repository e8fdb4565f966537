import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeClaim, scopesOfClaims } from './token-scope.ts'

test('one scope is a string, several are an array', () => {
  assert.equal(scopeClaim(['read']), 'read')
  assert.deepEqual(scopeClaim(['read', 'write']), ['read', 'write'])
})

test('reads back every form of the claim', () => {
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

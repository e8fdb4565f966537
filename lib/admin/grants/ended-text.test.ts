import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endedText } from './ended-text.ts'

function usage([sessions, grants, consents]: readonly [number, number, number]) {
  const counted = (count: number) => ({ count, isMore: count > 1000 })
  return {
    users: counted(1),
    sessions: counted(sessions),
    grants: counted(grants),
    consents: counted(consents),
  }
}

test('a dialog names what ends, and nothing that there is none of', () => {
  for (const [counts, kinds, text] of [
    [[0, 0, 0], ['sessions', 'grants'], null],
    [[0, 0, 4], ['sessions', 'grants'], null],
    [[0, 1, 0], ['sessions', 'grants', 'consents'], '1 grant'],
    [[2, 1, 0], ['sessions', 'grants', 'consents'], '2 sessions and 1 grant'],
    [[1, 2000, 3], ['sessions', 'grants', 'consents'], '1 session, 2,000+ grants, and 3 consents'],
  ] as const)
    assert.equal(endedText(usage(counts), kinds), text)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretList } from '#lib/config/limits.ts'
import type { StoredSecret } from '#lib/ports/clients.ts'
import { invalid, notFound, ok } from '../admin-result.ts'
import { addSecret, expireNow, removeSecret, rotateWithOverlap } from './secrets.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-01T13:00:00Z')

function secret(id: string, expiresAt: Date | null = null): StoredSecret {
  return { id, name: id, digest: `sha256:${id}`, expiresAt }
}

const two = [secret('a'), secret('b', later)]
const many = Array.from({ length: secretList.most }, (_one, at) => secret(`s${at}`))

const full = invalid('', `There are ${secretList.most} secrets already. Remove an unused one.`)

const cases: ReadonlyArray<readonly [string, unknown, unknown]> = [
  ['an added secret is the last', addSecret(two, secret('c')), ok([...two, secret('c')])],
  ['a full list takes no more', addSecret(many, secret('c')), full],
  [
    'a rotated secret is good until the overlap is over',
    rotateWithOverlap(two, { replaced: 'a', successor: secret('c'), overlapHours: 24 }, now),
    ok([secret('a', new Date('2026-03-02T12:00:00Z')), two[1], secret('c')]),
  ],
  [
    'a rotation lets no secret live longer than before',
    rotateWithOverlap(two, { replaced: 'b', successor: secret('c'), overlapHours: 24 }, now),
    ok([...two, secret('c')]),
  ],
  [
    'a rotation without overlap expires the old secret immediately',
    rotateWithOverlap(two, { replaced: 'a', successor: secret('c'), overlapHours: 0 }, now),
    ok([secret('a', now), two[1], secret('c')]),
  ],
  [
    'a rotation needs room for both',
    rotateWithOverlap(many, { replaced: 's0', successor: secret('c'), overlapHours: 1 }, now),
    full,
  ],
  [
    'what is not there cannot be rotated',
    rotateWithOverlap(two, { replaced: 'x', successor: secret('c'), overlapHours: 1 }, now),
    notFound,
  ],
  ['an expired secret stays to be seen', expireNow(two, 'a', now), ok([secret('a', now), two[1]])],
  ['what is not there cannot expire', expireNow(two, 'x', now), notFound],
  ['a removed secret is gone', removeSecret(two, 'a'), ok([two[1]])],
  ['what is not there cannot be removed', removeSecret(two, 'x'), notFound],
]

for (const [rule, actual, expected] of cases) {
  test(rule, () => assert.deepEqual(actual, expected))
}

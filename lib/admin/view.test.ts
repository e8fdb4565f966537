import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { viewOf } from './view.ts'

const schema = z.object({
  sub: z.string(),
  scope: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
const record = {
  subject: 'alice',
  scopes: ['openid', 'email'],
  createdAt: new Date('2026-01-02T03:04:05Z'),
  lastUsedAt: null,
  digest: 'not for the API',
}

test('a view has the names of its record in snake case, times as text, and no other fields of the record', () => {
  assert.deepEqual(viewOf(schema, record, { sub: record.subject, scope: record.scopes.join(' ') }), {
    sub: 'alice',
    scope: 'openid email',
    created_at: '2026-01-02T03:04:05.000Z',
    last_used_at: null,
  })
})

test('a field of the view that the record does not have must be given: without it, the call does not compile', () => {
  // @ts-expect-error: the record has no `scope`
  const view = viewOf(schema, record, { sub: record.subject })
  assert.equal(view.scope, undefined)
})

test('a value that a newer release stored is shown as it is, because it must not hide a whole list', () => {
  const stored: { readonly state: 'active' } = JSON.parse('{ "state": "paused" }')
  assert.deepEqual(viewOf(z.object({ state: z.enum(['active']) }), stored, {}), { state: 'paused' })
})

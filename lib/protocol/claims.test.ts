import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimLimits } from '#lib/config/limits.ts'
import { claimsProblem } from './claims.ts'
import { clientMetadataSchema } from './registration/client.ts'
import { readConfiguration } from './registration/configuration-file.ts'

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, 1]))
const long = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })

test('the number and the length of claims are limited', () => {
  const { most, userBytes } = claimLimits
  assert.equal(claimsProblem(many(most), userBytes), null)
  assert.match(claimsProblem(many(most + 1), userBytes) ?? '', /has 101 claims, and may have at most 100/)
  assert.equal(claimsProblem(long(userBytes), userBytes), null)
  assert.match(claimsProblem(long(userBytes + 1), userBytes) ?? '', /is 6145 bytes .* at most 6144/)
})

test('the size of claims counts bytes, not characters', () => {
  assert.notEqual(claimsProblem({ a: '字'.repeat(10) }, 30), null)
})

test('the longest claims of a user and a client fit into a header of 16 kB as a JWT', () => {
  const { userBytes, clientBytes } = claimLimits
  const payload = JSON.stringify({ ...long(userBytes), b: long(clientBytes).a })
  assert.ok(Buffer.from(payload).toString('base64url').length < 14_000)
})

const client = { client_id: 'm', grant_types: ['client_credentials'], client_secret: 'a secret of m' }

test('a configuration with oversized claims is refused by name', () => {
  const rows = [
    [{ clients: [{ ...client, claims: long(4000) }] }, /^clients\[0\]\.claims: is 4000 bytes/],
    [{ users: [{ username: 'u', claims: many(101) }] }, /^users\[0\]\.claims: has 101 claims/],
    [{ scopes: [{ name: 's', claims: Object.keys(many(101)) }] }, /^scopes\[0\]\.claims: must not have more/],
    [{ users: [{ username: 'half \ud83d' }] }, /^users\[0\]\.username: must be valid Unicode/],
    [
      { clients: [{ ...client, contacts: ['a\0b'] }] },
      /^clients\[0\]\.contacts\[0\]: must not contain the character U\+0000/,
    ],
    [
      { clients: [{ ...client, claims: { 'x\ud800': 1 } }] },
      /^clients\[0\]\.claims: has a field whose name must be valid/,
    ],
  ] as const
  for (const [document, expected] of rows) {
    const read = readConfiguration(document)
    assert.match(read.kind === 'invalid' ? read.problems.join('\n') : read.kind, expected)
  }
})

test('a stored client with oversized claims can still be read', () => {
  const { client_secret: _, ...metadata } = client
  assert.ok(clientMetadataSchema.safeParse({ ...metadata, claims: long(4000) }).success)
})

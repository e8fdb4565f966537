import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { AuditHash, AuditRow, StoredAuditRow } from '#lib/ports/admin-store.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { createAuditHash, verifyAuditChain } from './audit-chain.ts'

const hash = createAuditHash(randomBytes(32))
const now = new Date('2030-01-02T03:04:05.678Z')

function chainOf(length: number, by: AuditHash = hash): readonly AuditRow[] {
  const rows: AuditRow[] = []
  for (let seq = 1; seq <= length; seq += 1) {
    const row = { ...sample, seq, targetId: `client-${seq}` }
    rows.push({ ...row, hash: by(rows.at(-1)?.hash ?? '', row) })
  }
  return rows
}

const sample: Omit<AuditRow, 'hash'> = {
  seq: 1,
  time: now,
  action: 'clients.update',
  actor: subjectIdSchema.parse('alice'),
  actorRole: 'owner',
  targetKind: 'client',
  targetId: 'web',
  before: { name: 'Before', list: [1, null] },
  after: { name: 'After' },
  requestId: '7QK4-M2P9',
  address: '192.0.2.1',
}

/** Makes an audit log with these rows, whose stored end is that of `written`. */
function trail(rows: readonly StoredAuditRow[], written: readonly AuditRow[]) {
  return {
    read: async (after: number, limit: number) => rows.filter(({ seq }) => seq > after).slice(0, limit),
    head: async () => written.at(-1) ?? null,
  }
}

const stored = (rows: readonly AuditRow[]) => rows.map(row => ({ seq: row.seq, row }))

for (const length of [0, 1, 3, 1201]) {
  test(`LG-04 a chain of ${length} unchanged rows is intact`, async () => {
    const rows = chainOf(length)
    const expected = { kind: 'intact', rows: length, hash: rows.at(-1)?.hash ?? '' }
    assert.deepEqual(await verifyAuditChain(trail(stored(rows), rows), hash), expected)
  })
}

const columns: ReadonlyArray<Partial<AuditRow>> = [
  { time: new Date(now.getTime() + 1) },
  { action: 'clients.delete' },
  { actor: subjectIdSchema.parse('bob') },
  { actor: null },
  { actorRole: 'auditor' },
  { targetKind: 'scope' },
  { targetId: 'other' },
  { before: null },
  { before: { list: [1, null], name: 'Before' } },
  { after: { name: 'after' } },
  { requestId: 'AAAA-AAAA' },
  { address: null },
  { hash: 'x' },
]

for (const edited of columns) {
  test(`LG-04 names a row with another ${Object.keys(edited)}: ${JSON.stringify(edited)}`, async () => {
    const rows = chainOf(4)
    const changed = rows.map(row => (row.seq === 3 ? { ...row, ...edited } : row))
    const expected = { kind: 'broken', seq: 3, problem: 'changed' }
    assert.deepEqual(await verifyAuditChain(trail(stored(changed), rows), hash), expected)
  })
}

test('LG-04 names a row that can no longer be read', async () => {
  const rows = chainOf(4)
  const damaged = stored(rows).map(one => (one.seq === 2 ? { ...one, row: null } : one))
  const expected = { kind: 'broken', seq: 2, problem: 'changed' }
  assert.deepEqual(await verifyAuditChain(trail(damaged, rows), hash), expected)
})

for (const seq of [1, 2, 4]) {
  test(`LG-04 names row ${seq} of four when it was removed`, async () => {
    const rows = chainOf(4)
    const kept = stored(rows).filter(row => row.seq !== seq)
    const expected = { kind: 'broken', seq, problem: 'missing' }
    assert.deepEqual(await verifyAuditChain(trail(kept, rows), hash), expected)
  })
}

test('LG-04 names the first of two rows that changed places', async () => {
  const rows = chainOf(4)
  const places: Readonly<Record<number, number>> = { 2: 3, 3: 2 }
  const swapped = rows.map(row => ({ ...row, seq: places[row.seq] ?? row.seq }))
  const inOrder = stored(swapped).toSorted((left, right) => left.seq - right.seq)
  const expected = { kind: 'broken', seq: 2, problem: 'changed' }
  assert.deepEqual(await verifyAuditChain(trail(inOrder, rows), hash), expected)
})

test('LG-04 verification reports rows that were renumbered after one was removed', async () => {
  const rows = chainOf(4)
  const renumbered = rows.filter(({ seq }) => seq !== 2).map((row, index) => ({ ...row, seq: index + 1 }))
  const expected = { kind: 'broken', seq: 2, problem: 'changed' }
  assert.deepEqual(await verifyAuditChain(trail(stored(renumbered), rows.slice(0, 3)), hash), expected)
})

test('LG-04 an end that was moved back, or changed, is named', async () => {
  const rows = chainOf(4)
  const other = rows.map(row => ({ ...row, hash: 'x' }))
  for (const end of [[], rows.slice(0, 3), other]) {
    const expected = { kind: 'broken', seq: 4, problem: 'end' }
    assert.deepEqual(await verifyAuditChain(trail(stored(rows), end), hash), expected)
  }
})

test('LG-04 names the first row when all rows were removed, but not the end', async () => {
  const expected = { kind: 'broken', seq: 1, problem: 'missing' }
  assert.deepEqual(await verifyAuditChain(trail([], chainOf(2)), hash), expected)
})

test('LG-04 a chain that was written with a different master key is not intact', async () => {
  const forged = chainOf(2, createAuditHash(randomBytes(32)))
  const expected = { kind: 'broken', seq: 1, problem: 'changed' }
  assert.deepEqual(await verifyAuditChain(trail(stored(forged), forged), hash), expected)
})

test('rows that are added during the verification do not affect it', async () => {
  const rows = chainOf(5)
  let reads = 0
  const growing = {
    read: async (after: number, limit: number) => {
      reads += 1
      // The verification reads three rows; two more are added before it reads the end
      const there = reads < 3 ? rows.slice(0, 3) : rows
      return stored(there)
        .filter(({ seq }) => seq > after)
        .slice(0, limit)
    },
    head: async () => rows.at(-1) ?? null,
  }
  const expected = { kind: 'intact', rows: 3, hash: rows[2]?.hash }
  assert.deepEqual(await verifyAuditChain(growing, hash), expected)
})

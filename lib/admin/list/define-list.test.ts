import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { listOf } from './define-list.ts'
import { searchFilter, statusChoice } from './filters.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

type Row = { readonly id: string; readonly isOn: boolean; readonly usedAt: Date | null }

const { column, timeOrNull, flag, define } = listOf<Row>()
const rows: readonly Row[] = ['a', 'b', 'c'].map(id => ({ id, isOn: id !== 'b', usedAt: null }))
const list = define({
  name: 'users.list_things',
  permission: 'users:read',
  summary: 'Lists things.',
  path: 'things',
  filter: searchFilter({ enabled: statusChoice('Off') }),
  columns: {
    thing: column(z.string(), ({ id }) => id, { csv: 'id', label: 'Thing' }),
    enabled: flag(({ isOn }) => isOn, ['on', 'off'], { csv: 'status' }),
    used_at: timeOrNull(({ usedAt }) => usedAt, { csv: false, sort: 'used' }),
  },
  read: async (_ports, { filter, page, order }) => {
    const found = rows.filter(({ isOn }) => filter.enabled === null || filter.enabled === isOn)
    const sorted = order?.isDescending === true ? found.toReversed() : found
    const begin = Number(page.after ?? 0)
    const end = begin + page.limit
    return { items: sorted.slice(begin, end), next: end < sorted.length ? String(end) : null }
  },
})
const call = async (input: Parameters<typeof list.useCase.call>[1]) => {
  const result = await list.useCase.call(opened.ports, input, await opened.caller('auditor'))
  return result.kind === 'ok' ? result.value : result
}

test('a list answers with the members that its columns name, page by page', async () => {
  const first = await call({ limit: 2 })
  assert.ok('items' in first)
  assert.deepEqual(first.items, [
    { thing: 'a', enabled: true, used_at: null },
    { thing: 'b', enabled: false, used_at: null },
  ])
  const second = await call({ limit: 2, after: first.next })
  assert.ok('items' in second)
  assert.deepEqual([second.items.map(({ thing }) => thing), second.next], [['c'], null])
})

test('AD-07 a page token is of no use with another order or filter: the list begins again', async () => {
  const first = await call({ limit: 2, sort: '-used' })
  assert.ok('items' in first)
  for (const other of [{ sort: 'used' }, { sort: '-used', enabled: 'true' }]) {
    const again = await call({ limit: 1, after: first.next, ...other })
    assert.ok('items' in again)
    assert.equal(again.items[0]?.thing, other.sort === 'used' ? 'a' : 'c')
  }
})

test('a list is sorted by its columns with an order, and by no others', async () => {
  const sorted = await call({ sort: '-used' })
  assert.ok('items' in sorted)
  assert.deepEqual(
    sorted.items.map(({ thing }) => thing),
    ['c', 'b', 'a'],
  )
  assert.deepEqual(Object.keys(await call({ sort: 'thing' })), ['kind', 'errors'])
})

test('the CSV file has the columns with a heading for it, and the filter of the list', async () => {
  const useCase = list.exportAs({
    name: 'users.export_things',
    permission: 'users:export',
    summary: 'Exports things.',
    audited: null,
  })
  const auditor = await opened.caller('auditor')
  const exported = await useCase.call(opened.ports, { enabled: 'true' }, auditor)
  assert.deepEqual(exported, { kind: 'ok', value: { csv: 'id,status\r\na,on\r\nc,on\r\n' } })
})

test('an address with an unknown choice or order asks for the whole list', () => {
  assert.deepEqual(list.readQuery({ q: 'x', enabled: 'false' }), {
    asked: { q: 'x', enabled: 'false' },
    filter: { search: 'x', enabled: false },
  })
  const whole = { asked: {}, filter: { search: null, enabled: null } }
  assert.deepEqual(list.readQuery({ q: 'x', enabled: 'perhaps' }), whole)
  assert.deepEqual(list.readQuery({ sort: 'thing' }), whole)
})

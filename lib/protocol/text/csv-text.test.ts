import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from './csv-text.ts'

const rows = (...cells: readonly (readonly [line: number, ...cells: string[]])[]) => ({
  kind: 'rows',
  rows: cells.map(([line, ...rest]) => ({ line, cells: rest })),
})

const cases: readonly (readonly [what: string, text: string, expected: unknown])[] = [
  ['an empty text has no rows', '', rows()],
  [
    'commas separate cells, whose spaces are removed',
    'a, b ,c\n1,2,3',
    rows([1, 'a', 'b', 'c'], [2, '1', '2', '3']),
  ],
  [
    'semicolons separate cells if the first line has more of them',
    'a;b\r\n1,5;2\r\n',
    rows([1, 'a', 'b'], [2, '1,5', '2']),
  ],
  ['tabs separate cells', 'a\tb\r1\t2', rows([1, 'a', 'b'], [2, '1', '2'])],
  [
    'quoted cells contain separators, quotes and line ends',
    'a,b\n"1,2","say ""hi""\nthere"\n3,4',
    rows([1, 'a', 'b'], [2, '1,2', 'say "hi"\nthere'], [4, '3', '4']),
  ],
  [
    'empty lines are left out, and lines are still counted',
    '\n\na,b\n,\n\n1,2\n',
    rows([3, 'a', 'b'], [6, '1', '2']),
  ],
  ['a mark of the byte order is ignored', '\ufeffa,b', rows([1, 'a', 'b'])],
  [
    'a quote without an end is a fault with its line',
    'a,b\n1,"2\n',
    { kind: 'fault', line: 2, problem: 'The quotes of this line do not match.' },
  ],
  [
    'text after a quoted cell is a fault',
    'a\n"1"2\n',
    { kind: 'fault', line: 2, problem: 'The quotes of this line do not match.' },
  ],
]

for (const [what, text, expected] of cases)
  test(`CSV: ${what}`, () => {
    assert.deepEqual(readCsv(text), expected)
  })

test('CSV: a large text is read in linear time', () => {
  const started = performance.now()
  const text = `a,b\n${'x@example.org,"Name"\n'.repeat(100_000)}`
  const read = readCsv(text)
  assert.ok(read.kind === 'rows' && read.rows.length === 100_001)
  assert.equal(readCsv(`a\n"${'x'.repeat(2_000_000)}`).kind, 'fault')
  assert.ok(performance.now() - started < 5000)
})

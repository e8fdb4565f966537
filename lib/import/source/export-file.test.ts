import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writeExport } from '../testing/write-export.ts'
import { readExportFile } from './export-file.ts'
import { createRowScanner } from './row-scanner.ts'

async function rowsOf(content: unknown): Promise<readonly string[]> {
  const rows: string[] = []
  for await (const { table, index, text } of readExportFile(writeExport(content)))
    rows.push(`${table}[${index}] ${text}`)
  return rows
}

const content = '{ "A": [{"x":"}],\\"{"}, [1,[2]], "s,]" , 7], "B": null, "C": [ ],\n"D":[{"y":"ü"}] }\n'
const expected = ['A[0] {"x":"}],\\"{"}', 'A[1] [1,[2]]', 'A[2] "s,]" ', 'A[3] 7', 'D[0] {"y":"ü"}']

describe('reading an export', () => {
  test('returns each row of each table as its text', async () => {
    assert.deepEqual(await rowsOf(content), expected)
    assert.deepEqual(await rowsOf({}), [])
  })

  test('reads UTF-16 with and without a byte order mark, and UTF-8 with one', async () => {
    const little = Buffer.from(content, 'utf16le')
    assert.deepEqual(await rowsOf(little), expected)
    assert.deepEqual(await rowsOf(Buffer.concat([Buffer.from([0xff, 0xfe]), little])), expected)
    const big = Buffer.from(little).swap16()
    assert.deepEqual(await rowsOf(Buffer.concat([Buffer.from([0xfe, 0xff]), big])), expected)
    assert.deepEqual(await rowsOf(`\uFEFF${content}`), expected)
  })

  test('reads exports with a list around them, an object instead of a list, a title or a count of rows', async () => {
    assert.deepEqual(await rowsOf(`[${content}]`), expected)
    assert.deepEqual(await rowsOf('{"A":{"x":[{}]},"B":{"y":1} }'), ['A[0] {"x":[{}]}', 'B[0] {"y":1}'])
    const title = 'JSON_F52E2B61-18A1-11d1-B105-00805F49916B'
    const printed = `${title}\r\n${'-'.repeat(50)}\r\n${content}\r\n\r\n(1 row affected)\r\n\r\nCompletion time: 2026-11-23T20:00:00.1+01:00\r\n`
    assert.deepEqual(await rowsOf(printed), expected)
  })

  test('SQL Server Management Studio breaks an export into lines, wherever 2,033 characters end', async () => {
    for (const width of [1, 2, 3, 5, 2033]) {
      const broken = content
        .trim()
        .replaceAll(/[^\n]/g, (sign, at) => (at % width === 0 ? `\r\n${sign}` : sign))
      assert.deepEqual(await rowsOf(broken), expected)
    }
  })

  test('parts of any length give the same rows', () => {
    for (const length of [1, 2, 3, 7]) {
      const scanner = createRowScanner(problem => new Error(problem))
      const rows: string[] = []
      for (let at = 0; at < content.length; at += length)
        for (const { table, index, text } of scanner.read(content.slice(at, at + length)))
          rows.push(`${table}[${index}] ${text}`)
      scanner.end()
      assert.deepEqual(rows, expected)
    }
  })

  test('a row of ten million characters is named and not kept', async () => {
    const rows = await rowsOf({ A: [{ x: 'a'.repeat(10_000_000) }, 1] })
    assert.deepEqual(rows, ['A[0] null', 'A[1] 1'])
  })

  const faults: readonly (readonly [string, unknown, RegExp])[] = [
    ['nothing', '', /the end of the export is missing at the beginning/],
    ['a list of rows', '[{"Id":1},{"Id":2}]', /it is a list of rows; an export is an object such as/],
    ['a list of numbers', '[1]', /the "\{" of an object with a member for each table is missing/],
    [
      'an end that is missing',
      '{"A":[{"x":1}',
      /the end of the export is missing in line 1, near the table "A"/,
    ],
    ['a comma too many', '{"A":[1,]}', /a row after the last comma is missing in line 1, near the table "A"/],
    ['a comma after the last row', '{"A":[\n{"x":1},\n]}', /after the last comma is missing in line 3, near/],
    [
      'a comma after the last table',
      '{"A":[],\n"B":[],\n}',
      /name of a table .* missing in line 3, near the table "B"/,
    ],
    ['rows without a list', '{"A":{"x":1},{"x":2}}', /name of a table .* near the table "A"/],
    ['two exports in one file', '[{"A":[]},{"B":[]}]', /the "\]" after the export is missing/],
    ['a text as a table', '{"A":"[{}]"}', /the table "A" is a text, not a list of rows/],
    ['a number as a table', '{"A":1}', /the "\[" of a list of rows is missing in line 1, near the table "A"/],
    ['a table that appears twice', '{"A":[],"A":[]}', /the table "A" appears twice/],
    ['more after the end', '{"A":[]} x', /the end of the file/],
    ['another encoding', Buffer.from('{"A":["\xfc"]}', 'latin1'), /neither UTF-8 nor UTF-16/],
  ]
  for (const [name, broken, problem] of faults)
    test(`refuses ${name}`, () => assert.rejects(rowsOf(broken), problem))

  test('refuses a file that is not there, and a folder', async () => {
    await assert.rejects(readExportFile('/nowhere/x.json').next(), /There is no file/)
    await assert.rejects(readExportFile('/tmp').next(), /is a folder/)
  })

  test('refuses what is not a regular file, such as a pipe that a running server would wait for', () =>
    assert.rejects(readExportFile('/dev/zero').next(), /is not a regular file/))
})

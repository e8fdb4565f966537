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
  test('each row of each table, as its text', async () => {
    assert.deepEqual(await rowsOf(content), expected)
    assert.deepEqual(await rowsOf({}), [])
  })

  test('UTF-16 with and without a byte order mark, and UTF-8 with one', async () => {
    const little = Buffer.from(content, 'utf16le')
    assert.deepEqual(await rowsOf(little), expected)
    assert.deepEqual(await rowsOf(Buffer.concat([Buffer.from([0xff, 0xfe]), little])), expected)
    const big = Buffer.from(little).swap16()
    assert.deepEqual(await rowsOf(Buffer.concat([Buffer.from([0xfe, 0xff]), big])), expected)
    assert.deepEqual(await rowsOf(`\uFEFF${content}`), expected)
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
    ['a list', '[{}]', /the "\{" of an object with a member for each table is missing/],
    ['a table that is an object', '{"A":{}}', /the "\[" of a list of rows is missing near the table "A"/],
    ['an end that is missing', '{"A":[{"x":1}', /the end of the export is missing near the table "A"/],
    ['a comma too many', '{"A":[1,]}', /a row after the last comma is missing/],
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

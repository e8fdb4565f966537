/** Every ship-stopper of the security requirements whose subject exists has a test that carries its id in its name. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'

const root = resolve(import.meta.dirname, '../..')

const expected: Readonly<Record<string, string>> = {
  AZ: '01 02 03 04 05 06 07 08 09 10 11 12 13 16 17 18 28',
  CD: '01 02 03 04 05 06 07 08 09 10 11 14',
  TK: '01 02 03 04 05 06 07 08 09 10 11 16 18',
  RT: '01 02 03 04 05 06 07 08',
  JW: '01 02 03 04 05 06 07 08 09 10 11 16',
  VE: '01 02 03 04 05',
  CN: '01 02 03 04 05 06 07',
  AU: '01 02 03 05 06 07 08 09 10 11 12 18',
  SE: '01 02 03 04 05 06 07',
  FD: '01 02 03 04 05 06 07',
  LO: '01 02 03 06',
  WF: '01 02 03 04 05 06 07 12',
  FW: '01 02 03 04 05 06 07 08',
  AD: '01 02 03 04',
  CR: '01 02 03 04',
  LG: '01 02 03 05 06',
  CF: '01 02',
}

/** Rows whose subject does not exist yet. Whoever builds it moves the row up. */
const subjectMissing: Readonly<Record<string, string>> = {
  'AU-04': 'a review item; there are neither hints nor expiry',
  'MF-01': 'no second factor yet',
  'MF-02': 'no second factor yet',
  'MF-03': 'no second factor yet',
  'MF-04': 'no second factor yet',
}

const named = namesInTests(['lib', 'app', 'prisma', 'e2e'])

describe('every security requirement has its test', () => {
  for (const [topic, numbers] of Object.entries(expected)) {
    for (const number of numbers.split(' ')) {
      const id = `${topic}-${number}`
      test(`row ${topic} ${number}`, () => assert.ok(named.has(id), `no test carries ${id} in its name`))
    }
  }
  test('a row is expected or missing its subject, not both', () => {
    const both = Object.keys(subjectMissing).filter(id =>
      expected[id.slice(0, 2)]?.split(' ').includes(id.slice(3)),
    )
    assert.deepEqual(both, [])
  })
})

/** Ids in the names of tests and in the rows of their tables; this file does not count. */
function namesInTests(folders: readonly string[]): ReadonlySet<string> {
  const files = folders
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file =>
        join(root, folder, file),
      ),
    )
    .filter(file => /\.(test|spec)\.ts$/.test(file) && file !== import.meta.filename)
  return new Set(files.flatMap(file => idsIn(readFileSync(file, 'utf8'))))
}

function idsIn(source: string): readonly string[] {
  const withoutComments = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  return [...withoutComments.matchAll(/\b[A-Z]{2}-\d\d\b/g)].map(match => match[0])
}

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { isConfigError } from '#lib/errors/config-error.ts'
import { makeFilter } from './breached-filter.ts'
import { type BreachedList, openBreachedList } from './breached-list.ts'
import { createPasswordFlaws } from './password-flaws.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-breached-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
const hashes = Array.from({ length: 3000 }, (_, index) => sha1(`breached ${index}`)).toSorted()

function write(content: string | Buffer): string {
  files += 1
  const file = join(folder, `list-${files}`)
  writeFileSync(file, content)
  return file
}

async function withList(file: string, use: (list: BreachedList) => Promise<void>): Promise<void> {
  const list = await openBreachedList(file)
  try {
    await use(list)
  } finally {
    await list.close()
  }
}

async function refusal(content: string | Buffer): Promise<string> {
  const error = await openBreachedList(write(content)).then(
    () => 'accepted',
    error => error,
  )
  assert.ok(isConfigError(error), String(error))
  return error.message
}

async function filterOf(content: string, atLeast = 1): Promise<string> {
  files += 1
  const filter = join(folder, `filter-${files}`)
  await makeFilter({ list: write(content), filter, atLeast })
  return filter
}

const withCounts = hashes.map((hash, index) => `${hash}:${index % 20}`)
const forms: ReadonlyArray<readonly [string, () => Promise<string>]> = [
  ['a list of Pwned Passwords', async () => write(`${withCounts.join('\r\n')}\r\n`)],
  [
    'a list without counts, in small letters, without a last line break',
    async () => write(hashes.join('\n').toLowerCase()),
  ],
  ['a filter', () => filterOf(`${withCounts.join('\n')}\n`, 0)],
]
for (const [form, make] of forms) {
  test(`AU-02 finds each password of ${form}, and no other one`, async () => {
    await withList(await make(), async list => {
      for (let index = 0; index < hashes.length; index += 1)
        assert.equal(await list.contains(`breached ${index}`), true, `${index}`)
      for (let index = 0; index < 1000; index += 1) assert.equal(await list.contains(`other ${index}`), false)
    })
  })
}

test('AU-02 finds passwords in the shortest lists, and their first and last lines', async () => {
  for (const count of [1, 2, 3, 40]) {
    const some = hashes.slice(0, count)
    const names = Array.from({ length: 3000 }, (_, index) => `breached ${index}`)
    await withList(write(some.join('\n')), async list => {
      const found = await Promise.all(names.map(name => list.contains(name)))
      assert.equal(found.filter(Boolean).length, count)
    })
  }
})

test('a filter leaves out passwords of too few breaches, and has six bytes for each other one', async () => {
  const filter = await filterOf(withCounts.join('\n'), 10)
  await withList(filter, async list => {
    const found = await Promise.all(hashes.map((_, index) => list.contains(`breached ${index}`)))
    assert.equal(found.filter(Boolean).length, 1500)
  })
})

test('AU-02 a breached password is refused with its own reason, in its normal form', async () => {
  await withList(write(sha1('caf\u00e9 in the old harbor')), async list => {
    const flawsOf = createPasswordFlaws(list)
    assert.deepEqual(await flawsOf('cafe\u0301 in the old harbor', { minimum: 15, words: [] }), ['breached'])
    assert.deepEqual(await flawsOf('cafe\u0301 in the new harbor', { minimum: 15, words: [] }), [])
  })
})

describe('a start refuses', () => {
  test('a missing file and a folder', async () => {
    await assert.rejects(openBreachedList(join(folder, 'missing')), /there is no such file/)
    await assert.rejects(openBreachedList(folder), /it is not a file/)
  })

  const wrong: ReadonlyArray<readonly [string, string | Buffer, RegExp]> = [
    ['an empty file', '', /is empty/],
    ['plain passwords', 'hunter2\nletmein\n', /no SHA-1 hash after its byte 0/],
    ['NTLM hashes', `${'AB'.repeat(16)}:3\n`, /no SHA-1 hash/],
    ['SHA-256 hashes', `${'AB'.repeat(32)}\n`, /no SHA-1 hash/],
    [
      'a list ordered by the number of breaches',
      hashes.toReversed().join('\n'),
      /not sorted by hash near its byte/,
    ],
    [
      'a filter that was cut',
      Buffer.concat([Buffer.from('latchkey-breach1\x06'), Buffer.alloc(14), Buffer.of(9)]),
      /instead of/,
    ],
  ]
  for (const [what, content, problem] of wrong)
    test(`${what}`, async () => assert.match(await refusal(content), problem))
})

describe('no filter is made of', () => {
  const wrong: ReadonlyArray<readonly [string, string, RegExp]> = [
    ['a list that is not sorted', `${hashes[5]}:1\n${hashes[4]}:1\n`, /not sorted by hash at its line 2/],
    ['other lines', `${hashes[5]}:1\nhello\n`, /Line 2/],
    ['an empty list', '', /no hash/],
  ]
  for (const [what, content, problem] of wrong) {
    test(what, async () => {
      await assert.rejects(filterOf(content), problem)
    })
  }
})

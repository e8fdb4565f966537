import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordProblems } from './check-words.mjs'

const problemsOf = (file: string, text: string) => wordProblems([file], () => text)

const refused: readonly (readonly [file: string, text: string, line: number])[] = [
  ['a.ts', '\n/** What it returns. */', 2],
  ['a.ts', '/**\n * The same, sorted.\n */', 2],
  ['a.mjs', '  // As above', 1],
  ['a.tsx', '  {/* Of the page */}', 1],
  ['a.css', '/* Its color. */', 1],
]

for (const [file, text, line] of refused)
  test(`a comment that names no subject is refused: ${JSON.stringify(text)}`, () => {
    assert.match(problemsOf(file, text).join('\n'), new RegExp(`^${file}:${line}: .*begin the comment with`))
  })

const accepted: readonly (readonly [file: string, text: string])[] = [
  ['a.ts', '/** Returns the rows. It sorts them. */'],
  ['a.ts', '/**\n * Returns the rows.\n * It sorts them.\n */'],
  ['a.ts', '// Returns the rows.\n// It sorts them.'],
  ['a.ts', "const text = 'What it returns'"],
  ['a.ts', '/** Issuers and items */'],
  ['a.md', 'What it returns'],
]

for (const [file, text] of accepted)
  test(`no problem is reported for ${JSON.stringify(text)}`, () => {
    assert.deepEqual(problemsOf(file, text), [])
  })

for (const text of ['A disabled account.', 'The user\nis disabled.', 'Disabling a user ends it.'])
  test(`users are locked and not disabled: ${JSON.stringify(text)}`, () => {
    assert.match(problemsOf('a.md', text).join('\n'), /write: locked/)
  })

test('a word that the project does not use is refused', () => {
  assert.match(problemsOf('a.md', 'Ask somebody.').join('\n'), /^a\.md:1: “somebody”; write: name the user/)
})

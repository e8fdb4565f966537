import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasswordFlaws } from '#lib/crypto/passwords/password-flaws.ts'
import { passwordProblem } from './password-problem.ts'

const flawsOf = createPasswordFlaws()

const rows: ReadonlyArray<readonly [string, number, string | null]> = [
  ['', 8, 'must have at least 8 characters'],
  ['hammer-nails', 15, 'must have at least 15 characters'],
  ['qwerty', 8, 'must have at least 8 characters and is one of the passwords that attackers try first'],
  [
    '111111',
    8,
    'must have at least 8 characters, must not repeat one or two characters, and is one of the passwords that attackers try first',
  ],
  [
    'alice+7',
    8,
    'must have at least 8 characters and must not be a name or word that belongs to you or this site',
  ],
  ['hammer-and-nails', 15, null],
]

for (const [password, minimum, problem] of rows) {
  test(`AU-02 says of ${JSON.stringify(password)} with ${minimum} characters: ${problem ?? 'nothing'}`, async () => {
    assert.equal(await passwordProblem(flawsOf, password, { minimum, words: ['alice'] }), problem)
  })
}

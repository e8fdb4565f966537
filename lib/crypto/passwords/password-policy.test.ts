import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dictionary } from '@zxcvbn-ts/language-common'
import { passwordProblem } from './password-policy.ts'

test('AU-02 the list refuses at least 3,000 passwords that fit the length rule', async () => {
  const problems = await Promise.all(
    dictionary['passwords-common'].map(password => passwordProblem(password)),
  )
  assert.ok(problems.filter(problem => problem?.includes('attackers')).length >= 3000)
})

const refused: ReadonlyArray<readonly [string, readonly string[], RegExp]> = [
  ['short', [], /at least 8/],
  ['x'.repeat(1025), [], /1024 bytes/],
  ['ü'.repeat(600), [], /1024 bytes/],
  ['lone\ud800surrogate', [], /Unicode/],
  ['aaaaaaaaaaaaaaaa', [], /repeat/],
  ['abababababab', [], /repeat/],
  ['12345678', [], /attackers/],
  ['qwertyuiop', [], /attackers/],
  ['iloveyou1', [], /attackers/],
  ['SUNSHINE1', [], /attackers/],
  ['latchkey2026', [], /belongs to you or this site/],
  ['Password-123', [], /attackers/],
  ['password123', ['alice'], /attackers/],
  ['latchkeypassword1', [], /belongs to you or this site/],
  ['alice.liddell!', ['alice', 'Alice Liddell'], /belongs to you/],
  ['alice2026', ['alice@example.com'], /belongs to you/],
]

for (const [password, context, reason] of refused) {
  test(`AU-02 refuses ${JSON.stringify(password.slice(0, 30))}`, async () => {
    assert.match((await passwordProblem(password, context)) ?? 'accepted', reason)
  })
}

test('AU-01 asks for no kinds of characters and no more than 64 of them', async () => {
  const passwords = [
    'correct horse battery staple',
    'wonderland-tea-party',
    'hammer-and-nails',
    'ванильное небо',
    '  leading and trailing  ',
  ]
  for (const password of [...passwords, 'rainy tuesday '.repeat(9), '7319482650']) {
    assert.equal(await passwordProblem(password, ['alice', 'bob', 'alice@example.com']), null, password)
  }
})

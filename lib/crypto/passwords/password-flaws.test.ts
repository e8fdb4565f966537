import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dictionary } from '@zxcvbn-ts/language-common'
import type { PasswordFlaw } from '#lib/ports/passwords.ts'
import { createPasswordFlaws } from './password-flaws.ts'

const flawsOf = createPasswordFlaws()

test('AU-02 the list refuses at least 3,000 passwords that fit the length rule', async () => {
  const flaws = await Promise.all(
    dictionary['passwords-common'].map(password => flawsOf(password, { minimum: 8, words: [] })),
  )
  assert.ok(flaws.filter(found => found.includes('common') && !found.includes('too_short')).length >= 3000)
})

const refused: ReadonlyArray<readonly [string, readonly string[], readonly PasswordFlaw[]]> = [
  ['k4-zu', [], ['too_short']],
  ['x'.repeat(1025), [], ['too_long', 'repeats']],
  ['ü'.repeat(600), [], ['too_long', 'repeats']],
  ['lone\ud800surrogate', [], ['not_unicode']],
  ['aaaaaaaaaaaaaaaa', [], ['repeats']],
  ['abababababab', [], ['repeats']],
  ['12345678', [], ['common']],
  ['qwertyuiop', [], ['common']],
  ['iloveyou1', [], ['common']],
  ['SUNSHINE1', [], ['common']],
  ['latchkey2026', [], ['personal']],
  ['Password-123', [], ['common']],
  ['password123', ['alice'], ['common']],
  ['latchkeypassword1', [], ['personal']],
  ['alice.liddell!', ['alice', 'Alice Liddell'], ['personal']],
  ['alice2026', ['alice@example.com'], ['personal']],
  ['', [], ['too_short']],
  ['qwerty', [], ['too_short', 'common']],
  ['111111', [], ['too_short', 'repeats', 'common']],
  ['alice+7', ['alice'], ['too_short', 'personal']],
]

for (const [password, words, flaws] of refused) {
  test(`AU-02 refuses ${JSON.stringify(password.slice(0, 30))} as ${flaws.join(' and ')}`, async () => {
    assert.deepEqual(await flawsOf(password, { minimum: 8, words }), flaws)
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
    const words = ['alice', 'bob', 'alice@example.com']
    assert.deepEqual(await flawsOf(password, { minimum: 8, words }), [], password)
  }
})

test('AU-01 counts characters and not bytes, and not the parts of a composed letter', async () => {
  const rules = { minimum: 15, words: [] }
  assert.deepEqual(await flawsOf('grüße vom rhein', rules), [])
  assert.deepEqual(await flawsOf('🐇🐈🐕🐟🐢🐎🐖🦆🐐🐑🐓🦉🐝🦋', rules), ['too_short'])
  assert.deepEqual(await flawsOf('cafe\u0301 und kuche', rules), ['too_short'])
})

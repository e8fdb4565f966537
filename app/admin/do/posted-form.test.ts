import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPostedForm } from './posted-form.ts'

test('FUZZ-01 a field may be called anything', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'name']
  const { fields } = readPostedForm(names.flatMap(name => [[name, '1'] as const, [name, '2'] as const]))
  assert.deepEqual(
    Object.entries(fields),
    names.map(name => [name, ['1', '2']]),
  )
  assert.equal(Object.getPrototypeOf(fields), Object.prototype)
})

test('WF-07 a form leads back to pages of the dashboard alone', () => {
  for (const address of [
    '//evil.example',
    'https://evil.example',
    '/admin/../account',
    '/admin/sign-in',
    '/account',
  ]) {
    const { back, next } = readPostedForm([
      ['_back', address],
      ['_next', address],
    ])
    assert.deepEqual([back, next], ['/admin', '/admin'], address)
  }
})

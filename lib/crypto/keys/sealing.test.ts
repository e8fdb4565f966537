import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSealing } from './sealing.ts'

const key = randomBytes(32)
const sealing = createSealing(key)
const place = 'signing_key:private_jwk:1'

test('opens what it sealed, whatever the text', () => {
  for (const text of ['', 'a', 'grüße 👋', 'x'.repeat(100_000), 'with\0nul']) {
    assert.equal(sealing.open(sealing.seal(text, place), place), text)
  }
})

test('seals the same text differently each time and never shows it', () => {
  const sealed = sealing.seal('plain words', place)
  assert.notEqual(sealed, sealing.seal('plain words', place))
  assert.ok(
    !sealed.includes('plain') && !Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes('plain'),
  )
})

test('JW-09 refuses a text that was moved to another row, column or table', () => {
  const sealed = sealing.seal('key one', 'signing_key:private_jwk:1')
  for (const other of [
    'signing_key:private_jwk:2',
    'signing_key:public_jwk:1',
    'meta:private_jwk:1',
    '',
    `${place} `,
  ]) {
    assert.throws(() => sealing.open(sealed, other))
  }
})

test('CR-03 refuses a text in which any one character was changed', () => {
  const sealed = sealing.seal('secret', place)
  for (let index = 0; index < sealed.length; index += 1) {
    const replacement = sealed[index] === 'A' ? 'B' : 'A'
    assert.throws(
      () => sealing.open(sealed.slice(0, index) + replacement + sealed.slice(index + 1), place),
      `character ${index}`,
    )
  }
})

test('CR-03 refuses truncated, padded and foreign texts', () => {
  const sealed = sealing.seal('secret', place)
  for (const wrong of [
    sealed.slice(0, -1),
    `${sealed}A`,
    `${sealed}=`,
    `${sealed}\n`,
    '',
    'sealed1',
    'sealed1..',
    sealed.toUpperCase(),
  ]) {
    assert.throws(() => sealing.open(wrong, place), JSON.stringify(wrong))
  }
})

test('CR-03 the sealed text identifies its key, and a different one is refused', () => {
  const other = createSealing(randomBytes(32))
  assert.throws(() => other.open(sealing.seal('secret', place), place), /not sealed under this key/)
  assert.equal(createSealing(Buffer.from(key)).open(sealing.seal('secret', place), place), 'secret')
})

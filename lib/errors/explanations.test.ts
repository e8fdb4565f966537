import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { explanationOf } from './explanations.ts'

const source = readFileSync(new URL('./explanations.ts', import.meta.url), 'utf8')
const reasons = [...source.matchAll(/^ {2}(\w+): '/gm)].map(([, reason = '']) => reason)

test('TK-18 an explanation fits into error_description and ends as a sentence', () => {
  assert.ok(reasons.length > 20)
  for (const reason of reasons)
    assert.match(explanationOf(reason) ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]+\.$/)
})

test('TK-02 what would help to guess a client secret is not explained', () => {
  for (const reason of ['wrong_credentials', 'no_secret', 'credentials_too_long'])
    assert.equal(explanationOf(reason), null)
})

test('every explained reason is thrown somewhere in the core', () => {
  const core = new URL('../core/', import.meta.url)
  const code = readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => readFileSync(new URL(file, core), 'utf8'))
    .join('\n')
  for (const reason of reasons) assert.ok(code.includes(`'${reason}'`), reason)
})

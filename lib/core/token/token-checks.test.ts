import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tokenChecks } from './token-checks.ts'

const grants = ['authorization_code', 'refresh_token', 'client_credentials', 'password', 'unknown']
/** What custom grants refuse with, whose checks are their own. */
const elsewhere = new Set(['custom_grant_refused', 'no_subject'])

test('every reason that the token endpoint refuses with has its check', () => {
  const folders = ['.', '../grants'].map(folder => join(import.meta.dirname, folder))
  const sources = folders.flatMap(folder =>
    readdirSync(folder)
      .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('test-'))
      .map(file => readFileSync(join(folder, file), 'utf8')),
  )
  const reasons = sources.flatMap(source =>
    [...source.matchAll(/new OauthError\(\s*'\w+',\s*'(\w+)'/g)].map(([, reason = '']) => reason),
  )
  assert.ok(reasons.length > 30, String(reasons.length))
  const unknown = reasons.filter(
    reason => !elsewhere.has(reason) && grants.every(grant => tokenChecks(grant, reason) === null),
  )
  assert.deepEqual(unknown, [])
})

test('what came before the failed check has passed, what comes after was not reached', () => {
  const checks = tokenChecks('authorization_code', 'verifier_wrong') ?? []
  const results = checks.map(({ check, result }) => `${check} ${result}`)
  assert.deepEqual(results.slice(5, 9), [
    'code_not_spoilt passed',
    'code_redirect_uri_same passed',
    'code_verifier_right failed',
    'code_unused not_reached',
  ])
})

test('a reason of another grant tells nothing', () => {
  assert.equal(tokenChecks('client_credentials', 'code_expired'), null)
})

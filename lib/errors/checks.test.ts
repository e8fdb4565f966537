import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordChecks } from './checks.ts'

const namesAndResults = (recorder: ReturnType<typeof recordChecks>) =>
  recorder.failed().map(({ check, result }) => `${check} ${result}`)

test('records the checks that began, the last one as failed, and the expected ones that were not reached', () => {
  const recorder = recordChecks(['request_read', 'client_known', 'client_enabled'])
  recorder.begin('client_known')
  assert.deepEqual(namesAndResults(recorder), [
    'request_read passed',
    'client_known failed',
    'client_enabled not_reached',
  ])
})

test('records a check that was not expected', () => {
  const recorder = recordChecks(['request_read'])
  recorder.begin('extension_accepted')
  assert.deepEqual(namesAndResults(recorder), ['request_read passed', 'extension_accepted failed'])
})

test('a request that is evaluated again keeps only what precedes the check that begins again', () => {
  const recorder = recordChecks([])
  for (const check of ['code_known', 'code_unused', 'grant_live', 'code_known', 'code_unused'] as const)
    recorder.begin(check)
  assert.deepEqual(namesAndResults(recorder), [
    'request_read passed',
    'code_known passed',
    'code_unused failed',
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoUsers } from './demo.ts'

test('every user of the demo has a verified email address, so that the demo shows their mails', () => {
  for (const { username, claims } of demoUsers) assert.equal(claims?.email_verified, true, username)
})

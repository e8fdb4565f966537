import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClient } from '../testing/registrations.ts'
import { frontChannelSeconds } from './issue.ts'

test('an access token from the front channel lives 10 minutes at most, and no longer than others', () => {
  assert.equal(frontChannelSeconds(testClient({ access_token_lifetime: 3600 })), 600)
  assert.equal(frontChannelSeconds(testClient({ access_token_lifetime: 60 })), 60)
})

/** Tests that random walks over the hosted pages without script never reach a dead end. `npm run walk` runs more of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latchkeySuite } from '../fixtures/server/suite.ts'
import { runWalks, walkConfiguration, walkEnvironment } from '../fixtures/walks/walks.ts'

const latchkey = latchkeySuite({ configuration: walkConfiguration, environment: walkEnvironment })

test('UXC-01 UXC-04 a hundred random walks without script reach no dead end, and each user signs in at last', async () => {
  const { failures, pages } = await runWalks(latchkey.server, { count: 100, seed: 1, steps: 10 })
  assert.deepEqual(failures, [])
  for (const page of [
    '/login',
    '/consent',
    '/login/second-factor',
    '/login/new-password',
    '/login/forgot/password',
    '/login/register',
    '/login/register/sent',
    '/login/terms',
    '/account',
  ])
    assert.ok((pages.get(page) ?? 0) > 0, `no walk came to ${page}`)
})

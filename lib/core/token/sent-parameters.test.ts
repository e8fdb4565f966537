import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testMachine } from '../testing/registrations.ts'
import {
  issued,
  openTestFlow,
  redemption,
  refusedCode,
  secret,
  type TestFlow,
} from '../testing/token-flow.ts'

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addClient({ client_id: 'machine', ...testMachine }, secret)
})
after(() => flow.close())

test('V-20b the names of parameters without effect are in the event, their values are not', async () => {
  const code = await flow.issueCode()
  const extra = { scope: 'secret value', utm: 'x', 'not plain': 'y', client_id: 'web', client_secret: secret }
  issued(await flow.ask({ ...redemption(code), ...extra }))
  const event = flow.events.findLast(({ name }) => name === 'tokens_issued')
  assert.deepEqual(event?.details, { ignored: 'scope unknown:2' })
  issued(await flow.ask({ grant_type: 'authorization_code', ...redemption(await flow.issueCode()) }))
  assert.equal(flow.events.findLast(({ name }) => name === 'tokens_issued')?.details?.ignored, undefined)
})

test('TK-18 no refusal repeats sent values; the request trace has those that are not secret', async () => {
  const mark = 'CANARY'
  const shown = 'SHOWN'
  const sent = {
    code: mark,
    refresh_token: mark,
    username: mark,
    password: mark,
    scope: shown,
    code_verifier: mark,
    redirect_uri: shown,
  }
  for (const grantType of ['authorization_code', 'refresh_token', 'client_credentials', 'password', mark]) {
    const outcomes = [
      await flow.ask({ ...sent, grant_type: grantType }),
      await flow.ask({ ...sent, grant_type: grantType }, 'machine'),
      await flow.ask({ ...sent, grant_type: grantType, client_secret: mark }),
      await flow.ask({ ...sent, grant_type: grantType, [`${mark}"`]: mark.repeat(3000) }),
    ]
    for (const outcome of outcomes) {
      refusedCode(outcome)
      assert.doesNotMatch(JSON.stringify(outcome), /CANARY|SHOWN/)
    }
  }
  assert.ok(!JSON.stringify(flow.events).includes(mark))
})

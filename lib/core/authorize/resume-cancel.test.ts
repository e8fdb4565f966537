import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context, issuer, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import { authorize } from './authorize.ts'
import { cancelRequest, resume } from './resume.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
})
after(() => t.close())

/** Begins a request that is pending until a user signs in. */
async function begin() {
  const browser = t.ports.random.handle('browser')
  const outcome = await authorize(
    t.ports,
    { parameters: parametersFrom(validParameters), session: null, browser },
    context,
  )
  assert.ok(outcome.kind === 'interact')
  return { pending: outcome.pending, browser }
}

test('a user who cancels is redirected to the client with access_denied and its state', async () => {
  const outcome = await cancelRequest(t.ports, await begin(), context)
  assert.ok(outcome.kind === 'respond')
  const { error, state, iss } = Object.fromEntries(outcome.fields)
  assert.deepEqual([error, state, iss], ['access_denied', validParameters.state, issuer])
  assert.equal(outcome.to.redirectUri, validParameters.redirect_uri)
  assert.deepEqual([t.events.at(-1)?.name, t.events.at(-1)?.reason], ['authorize_refused', 'cancelled'])
})

test('a pending request is answered once: it can be neither canceled again nor resumed afterwards', async () => {
  const waiting = await begin()
  await cancelRequest(t.ports, waiting, context)
  for (const again of [
    await cancelRequest(t.ports, waiting, context),
    await resume(t.ports, { ...waiting, session: null }, context),
  ]) {
    assert.equal(again.kind === 'error_page' && again.error.reason, 'request_finished')
  }
})

test('a request that is unknown, another browser’s or too old cannot be canceled', async () => {
  const waiting = await begin()
  const other = t.ports.random.handle('browser')
  const code = async (input: Parameters<typeof cancelRequest>[1]) => {
    const outcome = await cancelRequest(t.ports, input, context)
    return outcome.kind === 'error_page' ? outcome.error.reason : outcome.kind
  }
  assert.equal(await code({ pending: null, browser: waiting.browser }), 'request_expired')
  assert.equal(await code({ ...waiting, browser: other }), 'request_expired')
  t.advance(86_400)
  assert.equal(await code(waiting), 'request_expired')
})

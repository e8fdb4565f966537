import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { context, withPolicies } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, startExternalSignIn } from '../external-sign-in.ts'
import { signIn } from '../sign-in.ts'
import {
  form,
  instantUserService,
  openTestSignIn,
  pendingRequest,
  type TestSignIn,
} from '../testing/sign-in.ts'

let setup: TestSignIn
let provider: TestProvider

before(async () => {
  setup = await openTestSignIn()
  provider = await startTestProvider()
  provider.now = setup.ports.clock.now()
})
after(async () => {
  provider.close()
  await setup.close()
})

const careful: Parameters<TestSignIn['addClient']>[0] = {
  require_acr: 'urn:latchkey:mfa',
  identity_provider_restrictions: [],
}

function withPolicy(changes: Partial<Ports> = {}): Ports {
  const policies = withPolicies({ second_factor_required_for: ['everyone'] })
  return { ...setup.ports, ...changes, policies }
}

async function atProvider(secondFactorValues: readonly string[]) {
  await setup.addProvider('partner', { issuer: provider.issuer, ...testProviderClient, secondFactorValues })
  provider.faults = { claims: honest => ({ ...honest, amr: ['mfa'] }) }
  const waiting = await pendingRequest(setup, await setup.addClient(careful))
  const started = await startExternalSignIn(setup.ports, { scheme: 'partner', ...waiting }, context)
  assert.ok(started.kind === 'redirect')
  const parameters = provider.approve(started.url)
  const callback = { scheme: 'partner', parameters, browser: setup.browser, previous: [] }
  return completeExternalSignIn(setup.ports, callback, context)
}

test('MF-06 a provider does not replace a factor that the client requires', async () => {
  const outcome = await atProvider([])
  assert.ok(outcome.kind === 'partial' && outcome.path === '/login/enroll', JSON.stringify(outcome))
})

test('MF-06 a provider that is trusted for two factors replaces the factor that the client requires', async () => {
  assert.equal((await atProvider(['mfa'])).kind, 'signed_in')
})

test('MF-06 a custom user service does not replace a factor, whatever it confirms', async () => {
  const subject = subjectIdSchema.parse('elsewhere')
  const userService = instantUserService(async () => ({
    ...{ kind: 'full', subject, name: 'Elsewhere', amr: ['pwd', 'otp', 'mfa'] },
    acr: 'urn:latchkey:passkey',
  }))
  const waiting = await pendingRequest(setup, await setup.addClient(careful))
  const outcome = await signIn({ ...setup.ports, userService }, form(waiting), context)
  assert.ok(outcome.kind === 'partial' && outcome.path === '/login/enroll', JSON.stringify(outcome))
  const bySite = await signIn(withPolicy({ userService }), form(), context)
  assert.ok(bySite.kind === 'partial' && bySite.path === '/login/enroll', JSON.stringify(bySite))
})

test('MF-06 an upgrade asks no user for a factor', async () => {
  assert.equal((await signIn(setup.ports, form(), context)).kind, 'signed_in')
  const waiting = await pendingRequest(setup, await setup.addClient())
  assert.equal((await signIn(setup.ports, form(waiting), context)).kind, 'signed_in')
})

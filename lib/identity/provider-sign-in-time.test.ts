import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { resume } from '#lib/core/authorize/resume.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, startExternalSignIn } from './external-sign-in.ts'
import { currentSession } from './session.ts'
import type { ReturningSignInOutcome } from './sign-in-outcome.ts'
import { openTestSignIn, pendingRequest, type TestSignIn } from './testing/sign-in.ts'

type Asked = Readonly<Record<string, string>>

let setup: TestSignIn
let mock: TestProvider
let client: Client

before(async () => {
  setup = await openTestSignIn()
  mock = await startTestProvider()
  client = await setup.addClient({ identity_provider_restrictions: [] })
  await register()
})

const register = (changes: Partial<IdentityProvider> = {}) =>
  setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient, ...changes })

after(async () => {
  mock.close()
  await setup.close()
})

async function goOut(parameters: Asked): Promise<URL> {
  const { ports } = setup
  const waiting = await pendingRequest(setup, client, parameters)
  const outcome = await startExternalSignIn(ports, { scheme: 'partner', ...waiting }, context)
  assert.ok(outcome.kind === 'redirect', JSON.stringify(outcome))
  return new URL(outcome.url)
}

/** Completes the callback ten seconds later. `said`: the age in seconds that the provider reports for the sign-in. */
async function comeBack(url: URL, said: number | null): Promise<ReturningSignInOutcome> {
  setup.advance(10)
  mock.now = setup.ports.clock.now()
  const now = Math.floor(mock.now.getTime() / 1000)
  mock.faults = said === null ? {} : { claims: honest => ({ ...honest, auth_time: now - said }) }
  const { ports, browser } = setup
  const input = {
    scheme: 'partner',
    parameters: mock.approve(url.href),
    browser,
    previous: [],
  }
  return completeExternalSignIn(ports, input, context)
}

const wishes: ReadonlyArray<readonly [Asked, prompt: string | null, maxAge: string | null]> = [
  [{}, null, null],
  [{ prompt: 'login' }, 'login', '0'],
  [{ max_age: '0' }, 'login', '0'],
  [{ max_age: '300' }, null, '300'],
  [{ prompt: 'login', max_age: '300' }, 'login', '0'],
]
for (const [parameters, prompt, maxAge] of wishes) {
  test(`AZ-17 AZ-18 ${JSON.stringify(parameters)} is passed on to the provider`, async () => {
    const url = await goOut(parameters)
    assert.equal(url.searchParams.get('prompt'), prompt)
    assert.equal(url.searchParams.get('max_age'), maxAge)
  })
}

const day = 86_400
const times: ReadonlyArray<readonly [asked: Asked, said: number | null, age: number | string]> = [
  [{}, null, 0],
  [{}, day, day],
  [{}, -day, 0],
  [{ prompt: 'login' }, null, 0],
  [{ prompt: 'login' }, 0, 0],
  [{ prompt: 'login' }, 30, 10],
  [{ prompt: 'login' }, day, 'auth_time_too_old'],
  [{ prompt: 'login' }, 80, 'auth_time_too_old'],
  [{ prompt: 'login', max_age: '900' }, 600, 'auth_time_too_old'],
  [{ max_age: '0' }, day, 'auth_time_too_old'],
  [{ max_age: '0' }, 5, 5],
  [{ max_age: '900' }, null, 0],
  [{ max_age: '1' }, null, 0],
  [{ max_age: '900' }, 600, 600],
  [{ max_age: '900' }, 901, 'auth_time_too_old'],
  [{ max_age: '1' }, 5, 5],
  [{ max_age: '1' }, 30, 'auth_time_too_old'],
]
for (const [parameters, said, expected] of times) {
  test(`MF-06 ${JSON.stringify(parameters)}, signed in there ${said} s ago: ${expected}`, async () => {
    const outcome = await comeBack(await goOut(parameters), said)
    if (typeof expected === 'string') {
      assert.ok(outcome.kind === 'refused' && outcome.why === 'provider_failed')
      assert.equal(setup.events.at(-1)?.reason, expected)
      return
    }
    assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
    const session = await currentSession(setup.ports, outcome.session)
    const elapsed = setup.ports.clock.now().getTime() - (session?.authenticatedAt.getTime() ?? 0)
    assert.equal(Math.floor(elapsed / 1000), expected)
  })
}

for (const parameters of [{ prompt: 'login' }, { max_age: '900' }] as readonly Asked[]) {
  test(`MF-06 ${JSON.stringify(parameters)}: a provider that must report auth_time is refused without it`, async () => {
    await register({ reauthentication: 'auth_time' })
    const outcome = await comeBack(await goOut(parameters), null)
    await register()
    assert.ok(outcome.kind === 'refused' && outcome.why === 'provider_failed')
    assert.equal(setup.events.at(-1)?.reason, 'auth_time_missing')
  })

  test(`${JSON.stringify(parameters)}: a provider without prompt=login is asked for an account`, async () => {
    await register({ reauthentication: 'select_account' })
    const { searchParams } = await goOut(parameters)
    const plain = await goOut({})
    await register()
    assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['select_account', null])
    assert.equal(plain.searchParams.get('prompt'), null)
  })
}

const demands: readonly Asked[] = [
  { prompt: 'login' },
  { max_age: '900' },
  { max_age: '1' },
  { max_age: '0' },
  {},
]
for (const parameters of demands) {
  test(`AZ-17 AZ-18 there is no redirect loop with ${JSON.stringify(parameters)}`, async () => {
    for (const said of [null, 0, 9, 10, 30, 600, day]) {
      const outcome = await comeBack(await goOut({ ...parameters, acr_values: 'idp:partner' }), said)
      if (outcome.kind === 'refused') continue
      assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
      const session = await currentSession(setup.ports, outcome.session)
      const { pending } = outcome
      const next = await resume(setup.ports, { pending, browser: setup.browser, session }, context)
      assert.notEqual(next.kind, 'forward', `${said}`)
    }
  })
}

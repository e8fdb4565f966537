import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { assuranceOfSession } from '#lib/core/sign-in/assurance.ts'
import { context } from '#lib/core/testing/ports.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, type ExternalCallback, startExternalSignIn } from './external-sign-in.ts'
import { currentSession } from './session.ts'
import { openTestSignIn, pendingRequest, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
let mock: TestProvider
let client: Client

before(async () => {
  setup = await openTestSignIn()
  mock = await startTestProvider()
})
after(async () => {
  mock.close()
  await setup.close()
})
beforeEach(async () => {
  mock.faults = {}
  mock.now = setup.ports.clock.now()
  client = await setup.addClient({ identity_provider_restrictions: [] })
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient })
  await setup.addProvider('school', { issuer: mock.issuer, ...testProviderClient })
})

type Away = { readonly parameters: Readonly<Record<string, string>>; readonly url: URL }

/** Starts a sign-in with the provider, which authenticates the user immediately. */
async function goOut(parameters: Readonly<Record<string, string>> = {}): Promise<Away> {
  const waiting = await pendingRequest(setup, client, parameters)
  const outcome = await startExternalSignIn(setup.ports, { scheme: 'partner', ...waiting }, context)
  assert.ok(outcome.kind === 'redirect', JSON.stringify(outcome))
  return { url: new URL(outcome.url), parameters: mock.approve(outcome.url) }
}

function comeBack({ parameters }: Pick<Away, 'parameters'>, changes: Partial<ExternalCallback> = {}) {
  const { browser } = setup
  const input = { scheme: 'partner', parameters, browser, previous: [], ...changes }
  return completeExternalSignIn(setup.ports, input, context)
}

async function refusal(returned: ReturnType<typeof comeBack>): Promise<string> {
  const outcome = await returned
  return outcome.kind === 'refused' ? outcome.why : outcome.kind
}

test('FD-01 a user of a provider gets a session that names the provider, and the pending request continues', async () => {
  const outcome = await comeBack(await goOut())
  assert.ok(outcome.kind === 'signed_in')
  assert.ok(outcome.pending)
  assert.equal(outcome.knownBrowser, null)
  const session = await currentSession(setup.ports, outcome.session)
  assert.deepEqual([session?.idp, session?.amr, session?.name], ['partner', ['external'], 'Upstream Una'])
  const again = await comeBack(await goOut())
  assert.ok(again.kind === 'signed_in')
  assert.equal((await currentSession(setup.ports, again.session))?.subject, session?.subject)
})

const reported = [
  ['a value of amr', { amr: ['pwd', 'mfa'] }, 'mfa'],
  ['acr', { acr: 'https://refeds.org/profile/mfa' }, 'mfa'],
  ['no value of the list', { amr: ['pwd', 'otp'], acr: '1' }, 'pwd'],
  ['nothing', {}, 'pwd'],
  ['values of another type', { amr: 'mfa', acr: 2 }, 'pwd'],
] as const
for (const [name, claims, level] of reported) {
  test(`MF-06 a provider that is trusted for two factors and reports ${name} leads to the level ${level}`, async () => {
    const secondFactorValues = ['mfa', 'https://refeds.org/profile/mfa']
    await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient, secondFactorValues })
    mock.faults = { claims: honest => ({ ...honest, ...claims }) }
    const outcome = await comeBack(await goOut())
    assert.ok(outcome.kind === 'signed_in')
    const session = await currentSession(setup.ports, outcome.session)
    assert.ok(session)
    assert.equal(assuranceOfSession(session), level)
    assert.equal(session.amr.includes('mfa'), level === 'mfa')
  })
}

test('MF-06 what a provider reports raises no level unless its settings trust it', async () => {
  mock.faults = { claims: honest => ({ ...honest, amr: ['mfa'], acr: 'urn:latchkey:mfa' }) }
  const outcome = await comeBack(await goOut())
  assert.ok(outcome.kind === 'signed_in')
  const session = await currentSession(setup.ports, outcome.session)
  assert.equal(session && assuranceOfSession(session), 'pwd')
})

test('LG-01 the events of the start and the callback at a provider name the same sign-in', async () => {
  const before = setup.events.length
  await comeBack(await goOut())
  const recorded = setup.events.slice(before).filter(({ name }) => !name.startsWith('authorize_'))
  assert.deepEqual(
    recorded.map(({ name }) => name),
    ['external_sign_in_started', 'sign_in_succeeded'],
  )
  const [flow] = recorded.map(event => event.flow)
  assert.ok(flow)
  assert.ok(recorded.every(event => event.flow === flow && event.clientId === client.clientId))
})

test('FD-01 the same subject of another provider is another user', async () => {
  const waiting = { pending: null }
  const subjects = new Set<string | undefined>()
  for (const scheme of ['partner', 'school']) {
    const { browser } = setup
    const out = await startExternalSignIn(setup.ports, { scheme, browser, ...waiting }, context)
    assert.ok(out.kind === 'redirect')
    const outcome = await comeBack({ parameters: mock.approve(out.url) }, { scheme })
    assert.ok(outcome.kind === 'signed_in')
    subjects.add((await currentSession(setup.ports, outcome.session))?.subject)
  }
  assert.equal(subjects.size, 2)
})

test('FD-01 a provider that takes over a scheme does not get the accounts of its former provider', async () => {
  const subjectOf = async (returned: ReturnType<typeof comeBack>) => {
    const outcome = await returned
    assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
    return (await currentSession(setup.ports, outcome.session))?.subject
  }
  const before = await subjectOf(comeBack(await goOut()))
  const successor = await startTestProvider()
  try {
    successor.now = setup.ports.clock.now()
    await setup.addProvider('partner', { issuer: successor.issuer, ...testProviderClient })
    const { url } = await goOut()
    assert.notEqual(await subjectOf(comeBack({ parameters: successor.approve(url.href) })), before)
  } finally {
    successor.close()
  }
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient })
  assert.equal(await subjectOf(comeBack(await goOut())), before)
})

test('FD-02 the parameters of the app about the sign-in are passed on', async () => {
  const { url } = await goOut({ login_hint: 'una@partner.example', ui_locales: 'de en' })
  assert.equal(url.searchParams.get('login_hint'), 'una@partner.example')
  assert.equal(url.searchParams.get('ui_locales'), 'de en')
  assert.equal(url.searchParams.get('redirect_uri'), 'https://id.example/login/external/partner/callback')
})

test('FD-02 the state belongs to one browser', async () => {
  const away = await goOut()
  assert.equal(await refusal(comeBack(away, { browser: setup.ports.random.handle('browser') })), 'expired')
  assert.equal(await refusal(comeBack(away, { browser: null })), 'expired')
  assert.equal(await refusal(comeBack(away)), 'signed_in', 'a stranger’s try does not spend it')
})

test('FD-02 the state belongs to one provider', async () => {
  assert.equal(await refusal(comeBack(await goOut(), { scheme: 'school' })), 'not_allowed')
})

test('FD-02 an unknown state, or a missing one, is refused', async () => {
  const { parameters } = await goOut()
  for (const state of [setup.ports.random.handle('externalState'), 'ext_x', '']) {
    assert.equal(await refusal(comeBack({ parameters: { ...parameters, state } })), 'expired')
  }
  assert.equal(await refusal(comeBack({ parameters: { code: parameters.code ?? '' } })), 'expired')
})

test('FD-02 a state ends after ten minutes', async () => {
  const away = await goOut()
  setup.advance(lifetimeSeconds.externalSignIn + 1)
  const outcome = await comeBack(away)
  assert.equal(outcome.kind, 'came_back_again')
  assert.ok(outcome.pending, 'the user starts again from the pending request')
})

test('FD-04 only one of many concurrent callbacks is a sign-in', async () => {
  const away = await goOut()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => refusal(comeBack(away))))
  assert.deepEqual(outcomes.toSorted(), [...Array.from({ length: 19 }, () => 'came_back_again'), 'signed_in'])
})

test('FD-04 the error description of the provider is not shown, and its error consumes the state', async () => {
  const { parameters } = await goOut()
  const markup = '<script>alert(1)</script>'
  const error = { state: parameters.state ?? '', error: 'access_denied', error_description: markup }
  const outcome = await comeBack({ parameters: error })
  assert.ok(outcome.kind === 'refused')
  assert.deepEqual([outcome.why, outcome.message], ['provider_cancelled', null])
  assert.equal('scheme' in outcome && outcome.scheme, 'partner', 'the page can name the provider')
  assert.ok(outcome.pending, 'the user can choose another way to sign in')
  assert.ok(!JSON.stringify(setup.events).includes('script'))
  assert.equal(setup.events.at(-1)?.reason, 'provider_answered')
  assert.equal(setup.events.at(-1)?.details?.answer, 'access_denied')
  assert.equal(await refusal(comeBack({ parameters })), 'came_back_again')
})

const changesBeforeCallback: ReadonlyArray<readonly [string, () => Promise<unknown>, string]> = [
  [
    'the provider was disabled',
    () => setup.addProvider('partner', { issuer: mock.issuer, enabled: false }),
    'not_allowed',
  ],
  [
    'the client stopped allowing it',
    () => setup.addClient({ identity_provider_restrictions: ['school'] }),
    'not_allowed',
  ],
  ['the client was disabled', () => setup.addClient({ enabled: false }), 'expired'],
  [
    'the waiting request ran out',
    async () => setup.advance(lifetimeSeconds.pendingRequest + 1),
    'came_back_again',
  ],
]

for (const [what, change, expected] of changesBeforeCallback) {
  test(`FD-06 cannot complete if since its start ${what}`, async () => {
    const away = await goOut()
    await change()
    assert.equal(await refusal(comeBack(away)), expected)
  })
}

test('FD-06 a callback whose request is no longer valid names the request, which can say why', async () => {
  const away = await goOut()
  await setup.addClient({ enabled: false })
  const outcome = await comeBack(away)
  assert.ok(outcome.kind === 'expired' && outcome.pending !== null)
})

test('FD-06 a sign-in cannot start at a provider that is unknown, disabled, not allowed or not the required one', async () => {
  await setup.addProvider('off', { enabled: false })
  client = await setup.addClient({ identity_provider_restrictions: ['partner'] })
  const cases: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ['unknown', {}],
    ['../partner', {}],
    ['off', {}],
    ['school', {}],
    ['latchkey', {}],
  ]
  for (const [scheme, parameters] of cases) {
    const waiting = await pendingRequest(setup, client, parameters)
    const outcome = await startExternalSignIn(setup.ports, { scheme, ...waiting }, context)
    assert.deepEqual(outcome, { kind: 'refused', why: 'unknown_provider' }, scheme)
  }
  client = await setup.addClient()
  const waiting = await pendingRequest(setup, client, { acr_values: 'idp:school' })
  const outcome = await startExternalSignIn(setup.ports, { scheme: 'partner', ...waiting }, context)
  assert.deepEqual(outcome, { kind: 'refused', why: 'unknown_provider' })
})

test('FD-10 an unavailable provider leads to a refusal, not to a failure', async () => {
  await setup.addProvider('partner', { issuer: 'http://127.0.0.1:1' })
  const waiting = await pendingRequest(setup, client)
  const outcome = await startExternalSignIn(setup.ports, { scheme: 'partner', ...waiting }, context)
  assert.deepEqual(outcome, { kind: 'refused', why: 'provider_failed' })
})

test('FD-03 the event of another issuer has the one that was named and the registered one', async () => {
  const issuer = 'https://partner.example'
  const evidence = { sent: `${issuer}/`, expected: [issuer] }
  const upstream = {
    ...setup.ports.upstream,
    authorizationUrl: () => Promise.reject(new OauthError('issuer_differs', { evidence })),
  }
  const waiting = await pendingRequest(setup, client)
  await startExternalSignIn({ ...setup.ports, upstream }, { scheme: 'partner', ...waiting }, context)
  const { reason, details, checks } = setup.events.at(-1) ?? assert.fail()
  assert.deepEqual([reason, details?.answer], ['issuer_differs', undefined])
  assert.deepEqual(checks, [{ check: 'provider_issuer_matches', result: 'failed', atMs: null, ...evidence }])
})

test('SE-02 a sign-in at a provider also ends the previous session', async () => {
  const before = await comeBack(await goOut())
  assert.ok(before.kind === 'signed_in')
  const after = await comeBack(await goOut(), { previous: [before.session] })
  assert.ok(after.kind === 'signed_in')
  assert.equal(await currentSession(setup.ports, before.session), null)
})

test('AU-10 a locked user is refused after the provider authenticated them', async () => {
  const outcome = await comeBack(await goOut())
  assert.ok(outcome.kind === 'signed_in')
  const session = await currentSession(setup.ports, outcome.session)
  await setup.addUser(session?.subject ?? '', { enabled: false })
  assert.equal(await refusal(comeBack(await goOut())), 'account_refused')
})

test('LG-01 a callback without a started sign-in is recorded', async () => {
  await comeBack({ parameters: { state: 'made-up', code: 'made-up' } })
  const last = setup.events.at(-1)
  assert.deepEqual([last?.name, last?.reason], ['external_sign_in_failed', 'external_state_unknown'])
})

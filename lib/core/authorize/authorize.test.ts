import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { grantIdSchema, parseHandle } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context, issuer, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import type { AuthorizeOutcome } from './authorize.ts'
import { authorize } from './authorize.ts'
import { findPendingRequest } from './pending.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addClient({ client_id: 'switched-off', enabled: false })
  await t.addClient({
    client_id: 'by-reference',
    access_token_type: 'reference',
    access_token_lifetime: 7200,
  })
  await t.addClient({ client_id: 'consenting', require_consent: true })
  await t.addUser('alice', { claims: { name: 'Alice Example' } })
  await t.addUser('gone', { enabled: false })
})
after(() => t.close())

type Parameters = Readonly<Record<string, string>>

/** Sends one authorization request for this user; `null`: no user is signed in. */
async function ask(parameters: Parameters, subject: string | null = 'alice'): Promise<AuthorizeOutcome> {
  const session = subject === null ? null : await t.openSession(subject)
  const browser = t.ports.random.handle('browser')
  return authorize(
    t.ports,
    { parameters: parametersFrom({ ...validParameters, ...parameters }), session, browser },
    context,
  )
}

function answer(outcome: AuthorizeOutcome): { fields: Record<string, string>; mode: string; uri: string } {
  assert.equal(outcome.kind, 'respond')
  if (outcome.kind !== 'respond') throw new Error('unreachable')
  return {
    fields: Object.fromEntries(outcome.fields),
    mode: outcome.to.responseMode,
    uri: outcome.to.redirectUri,
  }
}

const implicit = { response_type: 'id_token token', scope: 'openid profile api', nonce: 'n-1' }

test('AZ-03 an unknown, disabled or missing client gets an error page, never a redirect', async () => {
  const rows = [
    [{ client_id: 'unregistered' }, 'unknown_client'],
    [{ client_id: 'WEB' }, 'unknown_client'],
    [{ client_id: 'web\u0000' }, 'unknown_client'],
    [{ client_id: 'x'.repeat(101) }, 'unknown_client'],
    [{ client_id: 'switched-off' }, 'client_disabled'],
    [{ client_id: '' }, 'client_id_missing'],
  ] as const
  for (const [parameters, code] of rows) {
    const outcome = await ask(parameters)
    assert.deepEqual(
      [outcome.kind, outcome.kind === 'error_page' && outcome.error.reason],
      ['error_page', code],
    )
  }
})

test('AZ-05 an unverified redirect URI gets an error page, whatever else is wrong', async () => {
  const faults: readonly Parameters[] = [
    {},
    { prompt: 'none' },
    { prompt: 'nonsense' },
    { scope: 'nonsense' },
    { scope: '' },
    { response_type: 'nonsense' },
    { response_type: '' },
    { response_mode: 'nonsense' },
    { max_age: '-1' },
    { request: 'x' },
    { request_uri: 'https://evil.example' },
    { state: 'x'.repeat(5000) },
  ]
  for (const fault of faults) {
    for (const uri of [
      '',
      'https://evil.example',
      'https://app.example/callback/',
      'https://app.example/Callback',
    ]) {
      const outcome = await ask({ ...fault, redirect_uri: uri })
      assert.equal(outcome.kind, 'error_page', JSON.stringify(fault))
    }
  }
})

test('AZ-04 AZ-12 errors of other parameters reach the client with error, state and iss', async () => {
  const rows: ReadonlyArray<readonly [Parameters, string, string]> = [
    [{ response_type: '' }, 'invalid_request', 'query'],
    [{ response_type: 'nonsense' }, 'unsupported_response_type', 'query'],
    [{ response_mode: 'nonsense' }, 'invalid_request', 'query'],
    [{ ...implicit, response_mode: 'query' }, 'invalid_request', 'fragment'],
    [{ ...implicit, nonce: '' }, 'invalid_request', 'fragment'],
    [{ ...implicit, nonce: '', response_mode: 'form_post' }, 'invalid_request', 'form_post'],
    [{ scope: 'openid nonsense' }, 'invalid_scope', 'query'],
    [{ prompt: 'none login' }, 'invalid_request', 'query'],
    [{ max_age: 'x' }, 'invalid_request', 'query'],
    [{ request: 'eyJ' }, 'request_not_supported', 'query'],
    [{ request_uri: 'urn:x' }, 'request_uri_not_supported', 'query'],
    [{ registration: '{}' }, 'registration_not_supported', 'query'],
    [{ code_challenge: 'short' }, 'invalid_request', 'query'],
  ]
  for (const [parameters, code, expectedMode] of rows) {
    const { fields, mode, uri } = answer(await ask(parameters))
    assert.deepEqual([fields.error, mode, uri], [code, expectedMode, validParameters.redirect_uri])
    assert.deepEqual([fields.state, fields.iss], ['st', issuer])
    assert.match(fields.error_description ?? '', /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  }
})

test('AZ-04 state is returned byte for byte, with success and with an error', async () => {
  const session = await t.openSession('alice')
  const browser = t.ports.random.handle('browser')
  const property = fc.asyncProperty(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
    async state => {
      for (const scope of ['openid', 'nonsense']) {
        const parameters = { ...validParameters, scope, state }
        assert.equal(
          answer(
            await authorize(t.ports, { parameters: parametersFrom(parameters), session, browser }, context),
          ).fields.state,
          state,
        )
      }
    },
  )
  await fc.assert(property, { numRuns: 30 })
  const quoted = answer(await ask({ state: '"><script>&#0; \u{1f511} ' })).fields
  assert.equal(quoted.state, '"><script>&#0; \u{1f511} ')
  assert.equal('state' in answer(await ask({ state: '' })).fields, false)
})

test('AZ-06 an empty parameter is absent, an unknown one ignored', async () => {
  const parameters = {
    prompt: '',
    max_age: '',
    nonce: '',
    request: '',
    'a[]': 'x',
    PROMPT: 'none login',
    __proto__x: 'y',
  }
  assert.ok(answer(await ask(parameters)).fields.code)
})

test('a code is stored as a digest, with everything it is bound to', async () => {
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  const { fields } = answer(await ask({ ...pkce, nonce: 'n', scope: 'openid offline_access' }))
  assert.deepEqual(Object.keys(fields), ['code', 'state', 'iss'])
  const code = parseHandle('code', fields.code)
  assert.ok(code)
  const stored = await t.ports.codes.find(t.ports.hashing.digest(code))
  assert.ok(stored)
  const { clientId, redirectUri, nonce, codeChallenge, expiresAt } = stored
  assert.deepEqual([clientId, redirectUri, nonce], ['web', validParameters.redirect_uri, 'n'])
  assert.equal(codeChallenge, challenge)
  const now = t.ports.clock.now().getTime()
  assert.equal(expiresAt.getTime() - now, 60_000)
  const grant = await t.ports.grants.find(stored.grantId)
  assert.deepEqual(
    [grant?.subject, grant?.scopes, grant?.isOffline],
    ['alice', ['openid', 'offline_access'], true],
  )
  assert.equal(Number(grant?.expiresAt) - now, (60 + 2_592_000 + 3600) * 1000)
})

test('response_type=id_token token returns both tokens, bound to each other and to the request', async () => {
  const { fields, mode } = answer(await ask(implicit))
  assert.equal(mode, 'fragment')
  const names = ['id_token', 'access_token', 'token_type', 'expires_in', 'scope', 'state', 'iss']
  assert.deepEqual(Object.keys(fields), names)
  assert.deepEqual(
    [fields.token_type, fields.expires_in, fields.scope],
    ['Bearer', '600', 'openid profile api'],
  )
  const identity = (await t.ports.signer.verify(fields.id_token ?? '', 'JWT'))?.claims
  assert.equal(identity?.nonce, 'n-1')
  assert.equal(identity?.at_hash, t.ports.hashing.halfHash(fields.access_token ?? '', 'RS256'))
  assert.equal('name' in (identity ?? {}), false)
  const access = (await t.ports.signer.verify(fields.access_token ?? '', 'at+jwt'))?.claims
  assert.deepEqual([access?.sub, access?.client_id], ['alice', 'web'])
  const grantId = grantIdSchema.parse(String(access?.jti).split('.')[0])
  const grant = await t.ports.grants.find(grantId)
  assert.deepEqual(
    [grant?.subject, grant?.scopes, grant?.revokedAt],
    ['alice', ['openid', 'profile', 'api'], null],
  )
})

test('response_type=id_token puts the claims of the scopes into the ID token', async () => {
  const { fields } = answer(await ask({ response_type: 'id_token', scope: 'openid profile', nonce: 'n' }))
  assert.deepEqual(Object.keys(fields), ['id_token', 'scope', 'state', 'iss'])
  const claims = (await t.ports.signer.verify(fields.id_token ?? '', 'JWT'))?.claims
  assert.deepEqual([claims?.name, claims?.aud, 'at_hash' in (claims ?? {})], ['Alice Example', 'web', false])
})

test('response_type=token returns an access token of at most 10 minutes and no ID token', async () => {
  const { fields, mode } = answer(
    await ask({ client_id: 'by-reference', response_type: 'token', scope: 'api' }),
  )
  assert.deepEqual([mode, fields.expires_in, 'id_token' in fields], ['fragment', '600', false])
  const handle = parseHandle('accessToken', fields.access_token)
  assert.ok(handle !== null)
  const stored = await t.ports.referenceTokens.find(t.ports.hashing.tokenDigest(handle))
  assert.equal(stored?.expiresAt.getTime(), Math.floor(t.ports.clock.now().getTime() / 1000) * 1000 + 600_000)
})

test('AZ-16 prompt=none returns an error to the client instead of asking the user, and says why', async () => {
  const rows: ReadonlyArray<readonly [Parameters, string | null, string, RegExp]> = [
    [{ prompt: 'none' }, null, 'login_required', /^No user is signed in/],
    [{ prompt: 'none' }, 'gone', 'login_required', /^No user is signed in/],
    [{ prompt: 'none', max_age: '0' }, 'alice', 'login_required', /max_age/],
    [{ prompt: 'none', acr_values: 'urn:latchkey:mfa' }, 'alice', 'login_required', /acr_values/],
    [{ prompt: 'none', client_id: 'consenting' }, 'alice', 'consent_required', /onsent/],
    [{ prompt: 'none', id_token_hint: 'forged' }, 'alice', 'login_required', /id_token_hint/],
  ]
  for (const [parameters, subject, code, description] of rows) {
    const { fields } = answer(await ask(parameters, subject))
    assert.equal(fields.error, code)
    assert.match(fields.error_description ?? '', description)
  }
  const { fields, mode } = answer(await ask({ ...implicit, prompt: 'none' }, null))
  assert.deepEqual([fields.error, mode], ['login_required', 'fragment'])
  assert.ok(answer(await ask({ prompt: 'none' })).fields.code)
})

test('a request whose user must act is paused and found only by the same browser', async () => {
  const browser = t.ports.random.handle('browser')
  const input = { parameters: parametersFrom({ ...validParameters, utm: 'x' }), session: null, browser }
  const outcome = await authorize(t.ports, input, context)
  assert.deepEqual([outcome.kind, outcome.kind === 'interact' && outcome.at], ['interact', 'login'])
  if (outcome.kind !== 'interact') return
  const { pending } = outcome
  assert.deepEqual((await findPendingRequest(t.ports, { pending, browser }))?.parameters, validParameters)
  const other = t.ports.random.handle('browser')
  assert.equal(await findPendingRequest(t.ports, { pending, browser: other }), null)
})

test('answers are recorded with their reasons and without a code or token', async () => {
  const names: Array<[string, string | undefined]> = []
  const requests: readonly Parameters[] = [
    {},
    { scope: 'nonsense' },
    { client_id: 'unregistered' },
    { prompt: 'login' },
  ]
  for (const parameters of requests) {
    await ask(parameters)
    const event = t.events.at(-1)
    names.push([event?.name ?? '', event?.reason])
  }
  assert.deepEqual(names, [
    ['authorize_answered', undefined],
    ['authorize_refused', 'scope_unknown'],
    ['authorize_refused', 'unknown_client'],
    ['authorize_paused', 'prompt_login'],
  ])
  assert.doesNotMatch(JSON.stringify(t.events), /code_[A-Za-z0-9_-]{43}|eyJ[\w-]+\.eyJ/)
})

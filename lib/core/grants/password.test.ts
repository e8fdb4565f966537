import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { rateLimits } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Authentication, SignInHints } from '#lib/ports/users.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context } from '../testing/ports.ts'
import {
  decodeJwt,
  issued,
  openTestFlow,
  refreshing,
  refusedCode,
  secret,
  type TestFlow,
} from '../testing/token-flow.ts'
import { answerTokenRequest } from '../token/token.ts'

const legacy = {
  client_id: 'legacy',
  grant_types: ['password', 'refresh_token'],
  redirect_uris: [],
  response_types: [],
  scope: 'openid profile api offline_access',
}
const password = 'alice opens doors'
const form = { grant_type: 'password', username: 'alice', password, scope: 'openid api' }

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addClient(legacy, secret)
  await flow.addUser('locked', { enabled: false, password })
})
after(() => flow.close())

const ask = (
  changes: Readonly<Record<string, string>> = {},
  ports: Ports = flow.ports,
  address: string | null = null,
) =>
  answerTokenRequest(
    ports,
    {
      parameters: parametersFrom({ client_id: 'legacy', client_secret: secret, ...form, ...changes }),
      authorization: null,
    },
    { ...context, address },
  )

test('a right password returns an access token for the user, and no ID token', async () => {
  const response = issued(await ask())
  assert.deepEqual(Object.keys(response), ['access_token', 'expires_in', 'token_type', 'scope'])
  const { payload } = decodeJwt(String(response.access_token))
  assert.deepEqual([payload.sub, payload.amr, payload.idp], ['alice', ['pwd'], 'latchkey'])
  assert.equal(payload.scope, 'api openid', 'in alphabetical order')
})

test('offline_access gives a refresh token that works', async () => {
  const first = issued(await ask({ scope: 'openid offline_access' }))
  assert.equal((await flow.ask(refreshing(String(first.refresh_token)), 'legacy')).kind, 'issued')
})

describe('TK-16 AU-05 users who may not sign in are all refused in the same way', () => {
  const rows: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
    ['a wrong password', { password: 'wrong' }],
    ['an unknown user', { username: 'unregistered' }],
    ['a locked user', { username: 'locked' }],
    ['a password with a blank more', { password: `${password} ` }],
  ]
  for (const [title, changes] of rows) {
    test(title, async () => {
      const outcome = await ask(changes)
      const description = 'The grant is invalid, expired or revoked.'
      const refusal = { code: 'invalid_grant', wireCode: null, description, retryAfterSeconds: null }
      assert.deepEqual(outcome, { kind: 'refused', refusal })
    })
  }
})

describe('refusals of the password grant', () => {
  const rows: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string]> = [
    ['no username', { username: '' }, 'invalid_request'],
    ['no password', { password: '' }, 'invalid_request'],
    ['no scope', { scope: '' }, 'invalid_scope'],
    ['a scope the client may not have', { scope: 'roles' }, 'invalid_scope'],
  ]
  for (const [title, changes, error] of rows) {
    test(`${title}: ${error}`, async () => assert.equal(refusedCode(await ask(changes)), error))
  }
  test('refuses a client that is not registered for the password grant', async () => {
    assert.equal(refusedCode(await flow.ask(form)), 'unauthorized_client')
  })
  test('refuses a client whose users may not sign in with a password', async () => {
    await flow.addClient({ ...legacy, client_id: 'federated', enable_local_login: false }, secret)
    assert.equal(refusedCode(await flow.ask(form, 'federated')), 'unauthorized_client')
  })
})

describe('TK-16 the rate limits of the sign-in page apply to the password grant', () => {
  const from = (address: string, changes: Readonly<Record<string, string>>) =>
    ask(changes, flow.ports, address)
  test('AU-07 every spelling of a name shares one counter, and the right password does not help then', async () => {
    await flow.addUser('bob', { password })
    for (const username of ['bob', 'BOB', ' bob', 'Bob', 'ＢＯＢ']) {
      assert.equal(refusedCode(await from('198.51.100.7', { username, password: 'wrong' })), 'invalid_grant')
    }
    const outcome = await from('198.51.100.7', { username: 'bob' })
    assert.equal(refusedCode(outcome), 'too_many_requests')
    assert.ok(outcome.kind === 'refused' && Number(outcome.refusal.retryAfterSeconds) > 0)
    assert.equal((await from('198.51.100.8', { username: 'bob' })).kind, 'issued')
  })
  test('TK-16 a right password is not refused for the wrong ones of other users of the same client', async () => {
    const { limit } = rateLimits.address
    for (let count = 0; count < limit + 5; count++) {
      const outcome = await from('198.51.100.30', { username: `invented-${count}`, password: 'wrong' })
      assert.equal(refusedCode(outcome), 'invalid_grant')
    }
    assert.equal((await from('198.51.100.30', {})).kind, 'issued')
    for (const code of ['invalid_grant', 'too_many_requests'])
      assert.equal(
        refusedCode(await from('198.51.100.30', { username: 'one-name', password: 'wrong' })),
        code,
      )
  })
  test('AU-07 right passwords are not refused for being parallel', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({}, flow.ports, '198.51.100.77')))
    for (const answer of answers) assert.ok(issued(answer).access_token)
  })

  test('AU-09 of 40 parallel guesses no more are tried than the limit allows', async () => {
    const guesses = Array.from({ length: 40 }, () =>
      from('198.51.100.9', { username: 'carol', password: 'wrong' }),
    )
    const codes = (await Promise.all(guesses)).map(refusedCode)
    assert.equal(codes.filter(code => code === 'invalid_grant').length, 5)
  })
  test('an attempt that did not reach the password check is not counted', async () => {
    const authenticate = async () => {
      throw new OauthError('password_queue_full')
    }
    const busy = { ...flow.ports, userService: { ...flow.ports.userService, authenticate } }
    for (let count = 0; count < 2 * rateLimits.account.limit; count++)
      assert.equal(refusedCode(await ask({}, busy, '198.51.100.11')), 'temporarily_unavailable')
    assert.equal((await from('198.51.100.11', {})).kind, 'issued')
  })
  test('a right password uses up no attempt', async () => {
    for (let count = 0; count < 12; count++) assert.equal((await from('198.51.100.10', {})).kind, 'issued')
  })
})

describe('the user service decides', () => {
  const answering = (answer: Authentication, seen: SignInHints[] = []): Ports => ({
    ...flow.ports,
    userService: {
      ...flow.ports.userService,
      authenticate: async (_credentials, hints) => {
        seen.push(hints)
        return answer
      },
    },
  })
  const subject = subjectIdSchema.parse('alice')
  test('TK-16 an inactive user gets no token, although the password is right', async () => {
    assert.equal(refusedCode(await flow.whileAway(() => ask())), 'invalid_grant')
    assert.equal((await ask()).kind, 'issued')
  })
  test('a sign-in that requires a page is refused at the password grant', async () => {
    const partial = { kind: 'partial', subject, path: '/terms' } as const
    assert.equal(refusedCode(await ask({}, answering(partial))), 'invalid_grant')
  })
  for (const [message, description] of [
    ['Your account is closed.', 'Your account is closed.'],
    ['Ihr Konto ist "geschlossen".', 'The grant is invalid, expired or revoked.'],
  ] as const) {
    test(`the message of the user service is sent only if it has the characters of error_description: ${message}`, async () => {
      const outcome = await ask({}, answering({ kind: 'refused', message }))
      assert.ok(outcome.kind === 'refused' && outcome.refusal.description === description)
    })
  }
  test('the user service receives the tenant and the other values of acr_values', async () => {
    const seen: SignInHints[] = []
    const full = { kind: 'full', subject, name: 'Alice', amr: ['pwd', 'otp'], acr: 'gold' } as const
    const response = issued(await ask({ acr_values: 'tenant:north gold' }, answering(full, seen)))
    assert.deepEqual([seen[0]?.tenant, seen[0]?.acrValues], ['north', ['gold']])
    const { payload } = decodeJwt(String(response.access_token))
    assert.deepEqual([payload.amr, payload.acr], [['pwd', 'otp'], 'gold'])
  })
})

test('SE-06 RT-08 TK-16 a password that is replaced, or an account that is locked, during the sign-in opens no grant', async () => {
  const changes = [{ password: 'a new anchor' }, { password, enabled: false }]
  for (const [index, change] of changes.entries()) {
    const username = `sailor-${index}`
    const { subject } = await flow.addUser(username, { password })
    const { grants } = flow.ports
    const open: typeof grants.open = async (...given) => {
      await flow.addUser(username, change)
      return grants.open(...given)
    }
    const ports = { ...flow.ports, grants: { ...grants, open } }
    assert.equal(refusedCode(await ask({ username }, ports)), 'invalid_grant')
    assert.deepEqual(await grants.liveOf(subject, flow.ports.clock.now()), [])
  }
})

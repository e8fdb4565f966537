import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { ClientMetadata } from '#lib/protocol/registration/client.ts'
import {
  findRefreshToken,
  issued,
  openTestFlow,
  readTokens,
  redemption,
  refreshing,
  refusedCode,
  secret,
  type TestFlow,
} from '../testing/token-flow.ts'
import type { TokenOutcome } from '../token/token.ts'
import { readAccessToken } from '../validation/read-access-token.ts'

const day = 86_400

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
})
after(() => flow.close())
beforeEach(() => flow.addUser('alice'))

const refresh = (value: string, changes = {}, clientId = 'web') =>
  flow.ask(refreshing(value, changes), clientId)
const lives = async (access: string) => (await readAccessToken(flow.ports, access)) !== null
const scopeOf = (outcome: TokenOutcome) => String(issued(outcome).scope).split(' ')
/** Registers the client `special`, or replaces it, so that no test changes the client `web`. */
const clientWith = (changes: Partial<ClientMetadata>) =>
  flow.addClient({ client_id: 'special', ...changes }, secret)

describe('RT-03 reuse ends the whole family', () => {
  test('outside the retry window', async () => {
    const first = await flow.tokens()
    const second = readTokens(issued(await refresh(first.refresh)))
    flow.advance(11)
    assert.equal(refusedCode(await refresh(first.refresh)), 'invalid_grant')
    assert.equal(refusedCode(await refresh(second.refresh)), 'invalid_grant')
    assert.deepEqual([await lives(first.access), await lives(second.access)], [false, false])
    assert.ok(
      flow.events.some(event => event.name === 'refresh_token_replayed' && event.outcome === 'failure'),
    )
  })
  test('inside it, once the successor was used', async () => {
    const first = await flow.tokens()
    const second = readTokens(issued(await refresh(first.refresh)))
    const third = readTokens(issued(await refresh(second.refresh)))
    assert.equal(refusedCode(await refresh(first.refresh)), 'invalid_grant')
    assert.equal(refusedCode(await refresh(third.refresh)), 'invalid_grant')
  })
  test('long after the spent token itself expired', async () => {
    const client = await clientWith({
      refresh_token_expiration: 'sliding',
      sliding_refresh_token_lifetime: day,
    })
    const first = await flow.tokens({ client })
    flow.advance(day - 60)
    const second = readTokens(issued(await refresh(first.refresh, {}, 'special')))
    flow.advance(day - 60)
    assert.equal(refusedCode(await refresh(first.refresh, {}, 'special')), 'invalid_grant')
    assert.equal(refusedCode(await refresh(second.refresh, {}, 'special')), 'invalid_grant')
  })
  const hidden: ReadonlyArray<readonly [string, Record<string, string>, () => Promise<unknown>]> = [
    ['a scope that was not granted', { scope: 'openid api.write' }, async () => {}],
    ['offline access taken away', {}, () => clientWith({ scope: 'openid api' })],
    ['every scope taken away', {}, () => clientWith({ scope: 'api.write' })],
  ]
  for (const [title, changes, change] of hidden) {
    test(`whatever else is wrong: ${title}`, async () => {
      const first = await flow.tokens({ client: await clientWith({}) })
      const second = readTokens(issued(await refresh(first.refresh, {}, 'special')))
      flow.advance(11)
      await change()
      assert.equal(refusedCode(await refresh(first.refresh, changes, 'special')), 'invalid_grant')
      await clientWith({})
      assert.equal(refusedCode(await refresh(second.refresh, {}, 'special')), 'invalid_grant')
      assert.equal(await lives(second.access), false)
    })
  }
  test('inside the retry window a wrong scope ends nothing', async () => {
    const first = await flow.tokens()
    const second = readTokens(issued(await refresh(first.refresh)))
    assert.equal(refusedCode(await refresh(first.refresh, { scope: 'openid api.write' })), 'invalid_scope')
    assert.equal((await refresh(second.refresh)).kind, 'issued')
  })
  test('while a user service reports the user as inactive', async () => {
    const first = await flow.tokens()
    const second = readTokens(issued(await refresh(first.refresh)))
    flow.advance(11)
    assert.equal(refusedCode(await flow.whileAway(() => refresh(first.refresh))), 'invalid_grant')
    assert.equal(refusedCode(await refresh(second.refresh)), 'invalid_grant')
  })
  test('a repeat is refused immediately when the retry window is 0', async () => {
    const strict = await openTestFlow()
    Object.assign(strict.ports.settings, { refreshRetryWindowSeconds: 0 })
    const first = await strict.tokens()
    const second = readTokens(issued(await strict.ask(refreshing(first.refresh))))
    assert.equal(refusedCode(await strict.ask(refreshing(first.refresh))), 'invalid_grant')
    assert.equal(refusedCode(await strict.ask(refreshing(second.refresh))), 'invalid_grant')
    await strict.close()
  })
})

describe('RT-04 honest concurrency', () => {
  test('a client with a longer retry window gets the same answer for longer', async () => {
    const client = await clientWith({ refresh_retry_window: 60 })
    const { refresh: value } = await flow.tokens({ client })
    const first = issued(await refresh(value, {}, 'special'))
    flow.advance(59)
    assert.deepEqual(issued(await refresh(value, {}, 'special')), first)
    flow.advance(1)
    assert.equal(refusedCode(await refresh(value, {}, 'special')), 'invalid_grant')
  })
  const publicClient = { token_endpoint_auth_method: 'none', pkce: 'required-s256' } as const
  const windows = [
    ['its own window', { ...publicClient, refresh_retry_window: 60 }, 60],
    ['none, and a server with a longer one: five seconds', publicClient, 5],
  ] as const
  for (const [title, changes, seconds] of windows) {
    test(`RT-04 the retry window of a public client with ${title}`, async () => {
      const client = await flow.addClient({ client_id: 'app', ...changes })
      const withoutSecret = { client_secret: '' }
      const code = await flow.issueCode({ client })
      const { refresh: value } = readTokens(issued(await flow.ask(redemption(code, withoutSecret), 'app')))
      const use = () => flow.ask(refreshing(value, withoutSecret), 'app')
      const first = issued(await use())
      flow.advance(seconds - 1)
      assert.deepEqual(issued(await use()), first)
      flow.advance(1)
      assert.equal(refusedCode(await use()), 'invalid_grant')
    })
  }
  test('a client whose retry window is 0 gets no second answer', async () => {
    const client = await clientWith({ refresh_retry_window: 0 })
    const { refresh: value } = await flow.tokens({ client })
    await refresh(value, {}, 'special')
    assert.equal(refusedCode(await refresh(value, {}, 'special')), 'invalid_grant')
  })
  test('a repeat inside the window gets the very same answer', async () => {
    const { refresh: value } = await flow.tokens()
    const first = issued(await refresh(value))
    flow.advance(9)
    assert.deepEqual(issued(await refresh(value)), first)
    assert.equal((await refresh(String(first.refresh_token))).kind, 'issued', 'and the family lives')
  })
  test('RT-01 a purge after the end of the window erases the answer', async () => {
    const { refresh: value } = await flow.tokens()
    await refresh(value)
    const answer = async () => (await findRefreshToken(flow.ports, value))?.sealedAnswer ?? null
    flow.advance(9)
    await flow.purge()
    assert.notEqual(await answer(), null)
    flow.advance(1)
    await flow.purge()
    assert.equal(await answer(), null)
    assert.equal(refusedCode(await refresh(value)), 'invalid_grant')
  })
  test('RT-07 a repeat that asks for another scope is refused, and the family lives', async () => {
    const { refresh: value } = await flow.tokens()
    const whole = issued(await refresh(value))
    assert.equal(refusedCode(await refresh(value, { scope: 'openid' })), 'invalid_scope')
    const same = { scope: 'offline_access api profile openid' }
    assert.deepEqual(issued(await refresh(value, same)), whole, 'in another order it is the same')
    const next = String(whole.refresh_token)
    const narrow = issued(await refresh(next, { scope: 'api' }))
    assert.equal(refusedCode(await refresh(next)), 'invalid_scope')
    assert.deepEqual(issued(await refresh(next, { scope: 'api' })), narrow)
    assert.equal((await refresh(String(narrow.refresh_token))).kind, 'issued')
  })
  test('RT-07 each of several concurrent requests with one token gets the scope it asks for, or is refused', async () => {
    const { refresh: value } = await flow.tokens()
    const asked = ['openid', 'api', 'openid profile', 'api openid', 'profile', 'openid']
    const outcomes = await Promise.all(asked.map(scope => refresh(value, { scope })))
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind === 'refused') assert.equal(refusedCode(outcome), 'invalid_scope')
      else assert.deepEqual(scopeOf(outcome).toSorted(), asked[index]?.split(' ').toSorted())
    }
    assert.ok(outcomes.some(outcome => outcome.kind === 'issued'))
  })
  for (const accessTokenType of ['jwt', 'reference'] as const) {
    test(`of 50 parallel refreshes all get one successor: ${accessTokenType}`, async () => {
      const client = await clientWith({ access_token_type: accessTokenType })
      const { refresh: value } = await flow.tokens({ client })
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => refresh(value, {}, 'special')))
      const answers = outcomes.map(outcome => readTokens(issued(outcome)))
      assert.equal(new Set(answers.map(answer => answer.refresh)).size, 1)
      const [answer] = answers
      assert.ok(answer !== undefined && (await lives(answer.access)))
      assert.equal((await refresh(answer.refresh, {}, 'special')).kind, 'issued')
    })
  }
})

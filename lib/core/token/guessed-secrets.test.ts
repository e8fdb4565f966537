import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { rateLimits } from '#lib/config/limits.ts'
import { createSecretHashing, createSecrets } from '#lib/crypto/passwords/secrets.ts'
import { countArgon2 } from '#lib/crypto/testing/count-argon2.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context } from '../testing/ports.ts'
import { issued, openTestFlow, refusedCode, secret, type TestFlow } from '../testing/token-flow.ts'
import { answerTokenRequest, type TokenOutcome } from './token.ts'

const machine = { grant_type: 'client_credentials', scope: 'api' }
const machineClient = {
  client_id: 'machine',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  scope: 'openid api api.write retired',
}

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addClient(machineClient, secret)
})
after(() => flow.close())

const ask = (parameters: Readonly<Record<string, string>>, address = '192.0.2.1') =>
  answerTokenRequest(
    flow.ports,
    { parameters: parametersFrom(parameters), authorization: null },
    { ...context, address },
  )

describe('TK-07 guessing', () => {
  const guess = (clientId: string, guessed: string, address?: string) =>
    ask({ ...machine, client_id: clientId, client_secret: guessed }, address)
  const limitedAfter = async (attempts: () => Promise<TokenOutcome>) => {
    for (let count = 0; count < 200; count++) {
      const outcome = await attempts()
      if (outcome.kind === 'refused' && outcome.refusal.code === 'too_many_requests')
        return { count, outcome }
    }
    return assert.fail('never limited')
  }
  test('stops after 20 attempts from one address, also for the right secret, and for no other address', async () => {
    await flow.addClient({ ...machineClient, client_id: 'guessed' }, secret)
    const { count, outcome } = await limitedAfter(() => guess('guessed', 'wrong'))
    assert.equal(count, 20)
    assert.ok(Number(outcome.refusal.retryAfterSeconds) > 0)
    assert.equal(refusedCode(await guess('guessed', secret)), 'too_many_requests')
    assert.equal((await guess('machine', secret)).kind, 'issued')
    assert.equal((await guess('guessed', secret, '192.0.2.2')).kind, 'issued')
  })
  test('after 100 attempts from all addresses each network has one more, and the right secret is accepted, after a restart as well', async () => {
    await flow.addClient({ ...machineClient, client_id: 'besieged' }, secret)
    let attempts = 0
    const { count } = await limitedAfter(() => guess('besieged', 'wrong', `198.51.100.${attempts++ % 7}`))
    assert.equal(count, rateLimits.client.limit + 7)
    assert.equal((await guess('besieged', secret, '198.51.100.77')).kind, 'issued')
    const restarted = { ...flow.ports, secrets: createSecrets(createSecretHashing()) }
    const parameters = parametersFrom({ ...machine, client_id: 'besieged', client_secret: secret })
    const elsewhere = { ...context, address: '198.51.100.78' }
    const outcome = await answerTokenRequest(restarted, { parameters, authorization: null }, elsewhere)
    assert.equal(outcome.kind, 'issued')
  })
  test('a right secret uses nothing up, known or not', async () => {
    await flow.addClient({ ...machineClient, client_id: 'busy' }, secret)
    for (let count = 0; count < 50; count++) assert.equal((await guess('busy', secret)).kind, 'issued')
  })
  test('made-up clients from one address reach the rate limit, without hashing, and others do not', async t => {
    const from = (address: string) => (name: number) => guess(`made-up-${name}`, 'wrong', address)
    const { limit } = rateLimits.clientAddress
    for (let name = 0; name < limit; name++) await from('2001:db8:7::1')(name)
    const argon2 = countArgon2(t)
    assert.equal(refusedCode(await from('2001:db8:7::2')(limit)), 'too_many_requests')
    assert.equal(argon2.count(), 0)
    assert.equal(refusedCode(await from('2001:db8:8::1')(limit)), 'invalid_client')
    assert.equal((await guess('machine', secret, '2001:db8:7::1')).kind, 'issued')
  })
  test('an attempt that never reached the secret is not counted', async () => {
    const verify = async () => Promise.reject(new OauthError('secret_queue_full'))
    const ports = { ...flow.ports, secrets: { ...flow.ports.secrets, verify } }
    const parameters = { ...machine, client_id: 'unlucky', client_secret: 'x' }
    for (let count = 0; count < 30; count++) {
      const outcome = await answerTokenRequest(
        ports,
        { parameters: parametersFrom(parameters), authorization: null },
        context,
      )
      assert.equal(refusedCode(outcome), 'temporarily_unavailable')
    }
  })
  test('AU-09 of 100 parallel guesses no more are tried than the limit allows', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, number) => guess('another-client', `wrong ${number}`)),
    )
    assert.equal(outcomes.filter(outcome => refusedCode(outcome) === 'invalid_client').length, 20)
  })
  test('AU-09 the right one after 20 parallel guesses is not accepted, known or not', async () => {
    await flow.addClient({ ...machineClient, client_id: 'known' }, secret)
    issued(await guess('known', secret))
    const wrong = Array.from({ length: 20 }, (_, number) => guess('known', `wrong ${number}`))
    await new Promise(setImmediate)
    assert.equal(refusedCode(await guess('known', secret)), 'too_many_requests')
    assert.ok((await Promise.all(wrong)).every(outcome => refusedCode(outcome) === 'invalid_client'))
  })
  test('concurrent first requests of a busy client are all accepted, at the cost of one hash', async t => {
    await flow.addClient({ ...machineClient, client_id: 'just-started' }, secret)
    const argon2 = countArgon2(t)
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => guess('just-started', secret)))
    assert.ok(outcomes.every(({ kind }) => kind === 'issued'))
    assert.equal(argon2.count(), 1)
  })
  test('many concurrent requests with the same wrong secret count as one attempt', async t => {
    const argon2 = countArgon2(t)
    const from = '203.0.113.7'
    const wrong = await Promise.all(Array.from({ length: 50 }, () => guess('unregistered', 'wrong', from)))
    assert.ok(wrong.every(outcome => refusedCode(outcome) === 'invalid_client'))
    assert.equal(argon2.count(), 1)
  })
})

/** Tests that an authorization code can be used once, and only with its client, redirect URI and code verifier. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  authorize,
  type CodeInHand,
  codeRequest,
  delivered,
  newProof,
  obtainCode,
  type Parameters,
  redeem,
  refresh,
} from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { type Answer, basic, bearer, send } from '../fixtures/requests/http-client.ts'
import { clientSecret } from '../fixtures/server/configuration.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const code = (changes: Parameters = {}) => obtainCode(latchkey.issuer, app, changes)
const spend = (inHand: CodeInHand, changes: Parameters = {}) => redeem(latchkey.issuer, inHand, changes)

test('an authorization code is exchanged for tokens', async () => {
  const answer = await spend(await code())
  assert.equal(answer.status, 200, answer.text)
  const { access_token, token_type, expires_in, id_token, refresh_token } = answer.json()
  assert.equal(token_type, 'Bearer')
  assert.equal(typeof expires_in, 'number')
  for (const token of [access_token, id_token, refresh_token]) assert.equal(typeof token, 'string')
})

test('CD-01 a code is long, unique and has a prefix', async () => {
  const [first, second] = [await code(), await code()]
  assert.match(first.code, /^code_[\w-]{43}$/)
  assert.notEqual(first.code, second.code)
})

test('CD-02 of twenty concurrent redemptions exactly one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const inHand = await code({ scope: 'openid' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => spend(inHand)))
    assert.equal(answers.filter(answer => answer.status === 200).length, 1)
    assert.ok(answers.every(answer => answer.status === 200 || answer.status === 400))
  }
})

test('CD-03 a second valid redemption is refused and revokes the tokens of the first', async () => {
  const inHand = await code()
  const first = (await spend(inHand)).json()
  refused(await spend(inHand), 'invalid_grant')
  const userinfo = await send(latchkey.issuer, '/connect/userinfo', {
    headers: bearer(String(first.access_token)),
  })
  assert.equal(userinfo.status, 401)
  refused(await refresh(latchkey.issuer, String(first.refresh_token)), 'invalid_grant')
})

test('CD-04 a failed redemption before or after the valid one revokes nothing', async () => {
  const inHand = await code()
  refused(await spend(inHand, { code_verifier: newProof().verifier }), 'invalid_grant')
  refused(await redeem(latchkey.issuer, { ...inHand, clientId: 'other' }), 'invalid_grant')
  const first = await spend(inHand)
  assert.equal(first.status, 200, 'still unused')
  refused(await spend(inHand, { code_verifier: newProof().verifier }), 'invalid_grant')
  refused(await redeem(latchkey.issuer, { ...inHand, clientId: 'other' }), 'invalid_grant')
  const userinfo = await send(latchkey.issuer, '/connect/userinfo', {
    headers: bearer(String(first.json().access_token)),
  })
  assert.equal(userinfo.status, 200, 'the tokens of the first still live')
})

describe('CD-06 CD-07 a code is bound to its client, redirect URI and code challenge', () => {
  const wrong: readonly (readonly [string, Parameters, string])[] = [
    ['another redirect_uri', { redirect_uri: 'https://app.example.org/other' }, 'invalid_grant'],
    [
      'redirect_uri with a slash more',
      { redirect_uri: 'https://app.example.org/callback/' },
      'invalid_grant',
    ],
    ['no redirect_uri', { redirect_uri: '' }, 'invalid_grant|invalid_request'],
    ['another verifier', { code_verifier: newProof().verifier }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant|invalid_request'],
    ['CD-10 verifier too short', { code_verifier: 'a'.repeat(42) }, 'invalid_grant|invalid_request'],
    ['CD-10 verifier too long', { code_verifier: 'a'.repeat(129) }, 'invalid_grant|invalid_request'],
    [
      'CD-10 verifier with other characters',
      { code_verifier: `${'a'.repeat(43)} +` },
      'invalid_grant|invalid_request',
    ],
    ['verifier of white space', { code_verifier: ' '.repeat(43) }, 'invalid_grant|invalid_request'],
    ['unknown code', { code: `code_${'a'.repeat(43)}` }, 'invalid_grant'],
    ['garbage code', { code: 'nonsense' }, 'invalid_grant'],
    ['no code', { code: '' }, 'invalid_request'],
    ['code over its limit', { code: 'c'.repeat(101) }, 'invalid_grant|invalid_request'],
  ]
  for (const [name, changes, error] of wrong) {
    test(`CD-06 CD-07 refuses a code with ${name}`, async () =>
      refused(await spend(await code(), changes), error))
  }
  test('CD-07 refuses a code with an empty redirect_uri', async () => {
    const inHand = await code()
    const form = {
      grant_type: 'authorization_code',
      code: inHand.code,
      redirect_uri: '',
      code_verifier: inHand.proof.verifier,
    }
    refused(
      await send(latchkey.issuer, '/connect/token', { form, headers: basic('trusted', clientSecret) }),
      'invalid_grant|invalid_request',
    )
  })
  test('CD-06 refuses a code of another client', async () => {
    refused(await redeem(latchkey.issuer, { ...(await code()), clientId: 'other' }), 'invalid_grant')
  })
  test('CD-06 refuses a code from a client without the grant type', async () => {
    refused(await redeem(latchkey.issuer, { ...(await code()), clientId: 'machine' }), 'unauthorized_client')
  })
})

describe('CD-08 CD-09 PKCE cannot be downgraded', () => {
  const plain = { client_id: 'plain-pkce' }
  const none = { client_id: 'no-pkce' }
  const without = { ...none, code_challenge: '', code_challenge_method: '' }
  test('CD-09 code_challenge_method defaults to plain if the client allows it', async () => {
    const verifier = newProof().verifier
    const inHand = await code({ ...plain, code_challenge: verifier, code_challenge_method: '' })
    assert.equal((await spend(inHand, { code_verifier: verifier })).status, 200)
  })
  test('CD-09 the method plain compares the verifier with the challenge', async () => {
    const inHand = await code({
      ...plain,
      code_challenge: newProof().verifier,
      code_challenge_method: 'plain',
    })
    refused(await spend(inHand), 'invalid_grant')
  })
  test('CD-09 a code with a challenge requires a verifier, even if PKCE is optional', async () => {
    refused(await spend(await code(none), { code_verifier: '' }), 'invalid_grant|invalid_request')
  })
  test('CD-09 a verifier for a code without a challenge is an error', async () => {
    refused(await spend(await code(without)), 'invalid_grant|invalid_request')
  })
  test('CD-08 a code without a challenge is accepted if PKCE is optional', async () => {
    assert.equal((await spend(await code(without), { code_verifier: '' })).status, 200)
  })
  test('CD-08 a public client redeems a code with only its verifier', async () => {
    const proof = newProof()
    const visit = await authorize(
      newBrowser(latchkey.issuer),
      codeRequest(app, proof, { client_id: 'public', scope: 'openid api' }),
    )
    const form = {
      grant_type: 'authorization_code',
      client_id: 'public',
      code: delivered(visit).get('code') ?? '',
      redirect_uri: `${app}/callback`,
      code_verifier: proof.verifier,
    }
    const answer = await send(latchkey.issuer, '/connect/token', { form })
    assert.equal(answer.status, 200, answer.text)
  })
})

test('CD-12 a code is invalid after five failed redemptions', async () => {
  const inHand = await code()
  for (let attempt = 0; attempt < 5; attempt++)
    refused(await spend(inHand, { code_verifier: newProof().verifier }), 'invalid_grant')
  refused(await spend(inHand), 'invalid_grant')
})

function refused(answer: Answer, error: string): void {
  assert.equal(answer.status, 400, answer.text)
  assert.match(String(answer.json().error), new RegExp(`^(${error})$`))
  assert.match(answer.headers['cache-control'] ?? '', /no-store/)
}

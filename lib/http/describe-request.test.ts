import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestDescription } from './describe-request.ts'
import { readFormParameters } from './read-params.ts'
import { emptyReply, jsonReply, seeOther } from './reply.ts'

const canary = 'hunter2-canary'

function get(query: string): Request {
  return new Request(`https://id.example/connect/authorize?${query}`)
}

function post(form: string): Request {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${btoa(`web:${canary}`)}`,
  }
  return new Request('https://id.example/connect/token', { method: 'POST', body: form, headers })
}

test('a refused GET is described with its parameters and with the error in the redirect', () => {
  const query = `client_id=web&redirect_uri=https://app.example/cb?key=${canary}&state=${canary}&scope=a+b`
  const { describe, addAnswer } = requestDescription(get(query), '/connect/authorize')
  const described = describe()
  addAnswer(seeOther(`https://app.example/cb?error=invalid_scope&error_description=No.&state=${canary}`))
  assert.deepEqual(described, {
    method: 'GET',
    endpoint: '/connect/authorize',
    parameters: {
      client_id: 'web',
      redirect_uri: 'https://app.example/cb?key=…',
      state: null,
      scope: 'a b',
    },
    others: 0,
    authorization: null,
    answer: { status: 303, error: 'invalid_scope', description: 'No.' },
  })
})

test('a parameter that was sent several times is described with every value', () => {
  const { describe } = requestDescription(get(`scope=a&scope=b&state=1&state=2`), '/connect/authorize')
  assert.deepEqual(describe().parameters, { scope: 'a, b', state: null })
})

test('of a form no secret is described, neither as a value nor as a name', async () => {
  const secret = ['client_secret', 'code', 'code_verifier', 'password', 'refresh_token', 'token', 'username']
  const request = post(
    `grant_type=password&${secret.map(name => `${name}=${canary}`).join('&')}&${canary}=1&${canary}2`,
  )
  await readFormParameters(request, 10_000)
  const { describe, addAnswer } = requestDescription(request, '/connect/token')
  const described = describe()
  addAnswer(jsonReply(400, { error: 'invalid_grant', error_description: 'Wrong.' }))
  assert.ok(!JSON.stringify(described).includes(canary))
  assert.equal(described.parameters.grant_type, 'password')
  assert.equal(described.others, 2)
  assert.equal(described.authorization, 'Basic')
  assert.deepEqual(described.answer, { status: 400, error: 'invalid_grant', description: 'Wrong.' })
})

test('a description is bounded in size', () => {
  const { describe } = requestDescription(get(`scope=${'x'.repeat(5000)}&a=1&b=2`), '/connect/authorize')
  const { parameters, others } = describe()
  assert.equal(parameters.scope?.length, 301)
  assert.equal(others, 2)
})

test('the fields of a page’s own form are not called unknown parameters', async () => {
  const request = post(`username=${canary}&password=${canary}&pending=${canary}`)
  await readFormParameters(request, 10_000)
  const { parameters, others } = requestDescription(request, '/login').describe()
  assert.deepEqual(parameters, { username: null, password: null })
  assert.equal(others, 0)
})

test('a request that cannot be read is described without parameters', () => {
  const { describe, addAnswer } = requestDescription(get('client_id=%ff'), '/connect/authorize')
  assert.deepEqual(describe().parameters, {})
  addAnswer(emptyReply(400))
  assert.deepEqual(describe().answer, { status: 400, error: null, description: null })
})

test('nothing of a request is kept once it is answered', () => {
  const { describe, addAnswer } = requestDescription(get('client_id=web'), '/connect/authorize')
  addAnswer(emptyReply(200))
  assert.deepEqual(describe().parameters, {})
})

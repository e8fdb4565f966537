import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryCharacters } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { parameterLimit, parameterRules } from '#lib/protocol/wire/parameters.ts'
import { formFields, readForm, readFormParameters, readParameters, readQuery } from './read-params.ts'

const formType = 'application/x-www-form-urlencoded'
const query = (text: string) => new Request(`http://localhost/x?${text}`)

function post(body: BodyInit, headers: Record<string, string> = { 'content-type': formType }): Request {
  return new Request('http://localhost/x?client_id=from-query', { method: 'POST', body, headers })
}

function refusal(reason: string) {
  return (error: unknown) => isOauthError(error) && error.reason === reason
}

describe('parameters of a query', () => {
  test('AZ-06 reads each parameter once, decoded', () => {
    const read = readQuery(query('scope=openid+api&state=a%26b%20c&redirect_uri=https%3A%2F%2Fx.test'))
    assert.deepEqual(read, { scope: 'openid api', state: 'a&b c', redirect_uri: 'https://x.test' })
  })
  test('AZ-06 an empty value is absent', () => {
    assert.deepEqual(readQuery(query('state=&nonce&scope=x')), { scope: 'x' })
  })
  test('AZ-06 names are case-sensitive and arrays are unknown names', () => {
    const read = readQuery(query('Scope=a&scope[]=b&scope=c'))
    assert.equal(read.scope, 'c')
  })
  test('a parameter name cannot reach the prototype', () => {
    const read = readQuery(query('__proto__=x&constructor=y'))
    assert.equal(Object.getPrototypeOf(read), Object.prototype)
    assert.equal(Object.hasOwn(read, '__proto__'), true)
  })
  for (const name of Object.keys(parameterRules)) {
    test(`AZ-06 refuses a repeated ${name}`, () => {
      assert.throws(() => readQuery(query(`${name}=a&${name}=a`)), refusal('parameter_repeated'))
    })
  }
  for (const name of Object.keys(parameterRules)) {
    const longest = parameterLimit(name)
    test(`AZ-24 ${name} is limited to ${longest}`, () => {
      assert.equal(formFields([[name, 'a'.repeat(longest)]])[name]?.length, longest)
      assert.throws(() => formFields([[name, 'a'.repeat(longest + 1)]]), refusal('parameter_too_long'))
    })
  }
  test('AZ-24 the whole query is limited', () => {
    assert.throws(() => readQuery(query('a'.repeat(queryCharacters + 1))), refusal('query_too_long'))
  })
  test('TK-18 an error does not contain an unknown parameter name', () => {
    const check = (error: unknown) => isOauthError(error) && !String(error.description).includes('<script>')
    assert.throws(() => readQuery(query('%3Cscript%3E=a&%3Cscript%3E=a')), check)
  })
})

describe('TK-01 malformed encodings are refused', () => {
  const cases: ReadonlyArray<readonly [text: string, reason: string]> = [
    ['a=%', 'bad_encoding'],
    ['a=%zz', 'bad_encoding'],
    ['a=%c3', 'bad_encoding'],
    ['a=%c0%80', 'bad_encoding'],
    ['a=%ed%a0%80', 'bad_encoding'],
    ['%ff=a', 'bad_encoding'],
    ['a=%00', 'nul_character'],
    ['a%00b=c', 'nul_character'],
    ['x=1&'.repeat(300), 'too_many_parameters'],
  ]
  for (const [text, reason] of cases) {
    test(`TK-01 refuses ${text.slice(0, 20)}`, () =>
      assert.throws(() => readQuery(query(text)), refusal(reason)))
  }
})

describe('parameters of a form', () => {
  test('TK-01 reads the body and ignores the query', async () => {
    assert.deepEqual(await readForm(post('grant_type=password')), { grant_type: 'password' })
  })
  for (const type of [
    `${formType}; charset=UTF-8`,
    'Application/X-WWW-Form-Urlencoded',
    `${formType};charset="utf-8"`,
  ]) {
    test(`TK-01 accepts the content type ${type}`, async () => {
      assert.deepEqual(await readForm(post('a=b', { 'content-type': type })), { a: 'b' })
    })
  }
  test('a request without body and content type has no parameters', async () => {
    assert.deepEqual(await readForm(new Request('http://localhost/x', { method: 'POST' })), {})
  })
  const refused: ReadonlyArray<readonly [name: string, request: () => Request, reason: string]> = [
    ['JSON', () => post('{}', { 'content-type': 'application/json' }), 'content_type'],
    ['multipart', () => post('x', { 'content-type': 'multipart/form-data; boundary=x' }), 'content_type'],
    ['text', () => post('a=b', { 'content-type': 'text/plain' }), 'content_type'],
    ['an empty type', () => post('a=b', { 'content-type': '' }), 'content_type'],
    ['no type', () => post(new Uint8Array([97]), {}), 'content_type_missing'],
    ['another charset', () => post('a=b', { 'content-type': `${formType}; charset=utf-16` }), 'charset'],
    [
      'a compressed body',
      () => post('a', { 'content-type': formType, 'content-encoding': 'gzip' }),
      'content_encoding',
    ],
    ['bytes that are not UTF-8', () => post(new Uint8Array([0x61, 0x3d, 0xff])), 'bad_encoding'],
  ]
  for (const [name, request, reason] of refused) {
    test(`TK-01 refuses ${name}`, async () => assert.rejects(readForm(request()), refusal(reason)))
  }
  const broken: ReadonlyArray<readonly [name: string, error: Error, reason: string]> = [
    ['gone', Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), 'body_incomplete'],
    ['malformed', Object.assign(new Error('x'), { code: 'HPE_INVALID_CHUNK_SIZE' }), 'body_incomplete'],
    ['cut off', new DOMException('x', 'AbortError'), 'body_incomplete'],
    ['wrapped', new TypeError('x', { cause: { code: 'ECONNRESET' } }), 'body_incomplete'],
    ['slow', Object.assign(new Error('x'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), 'body_timeout'],
  ]
  for (const [name, error, reason] of broken) {
    test(`LG-05 a body that ends early is not an internal error: ${name}`, async () => {
      const lengths: ReadonlyArray<Record<string, string>> = [{}, { 'content-length': '10' }]
      for (const headers of lengths) {
        const body = new ReadableStream({ start: controller => controller.error(error) })
        const init = {
          method: 'POST',
          body,
          headers: { 'content-type': formType, ...headers },
          duplex: 'half',
        } as const
        await assert.rejects(readForm(new Request('http://localhost/x', init)), refusal(reason))
      }
    })
  }
  test('LG-05 any other failure to read a body is an internal error', async () => {
    const body = new ReadableStream({ start: controller => controller.error(new RangeError('x')) })
    const init = { method: 'POST', body, headers: { 'content-type': formType }, duplex: 'half' } as const
    await assert.rejects(readForm(new Request('http://localhost/x', init)), RangeError)
  })
  test('LIM-02 a declared length over the limit is refused unread', async () => {
    const request = post('a=b', { 'content-type': formType, 'content-length': '1000' })
    await assert.rejects(readForm(request, 100), refusal('body_too_large'))
    assert.equal(request.bodyUsed, false)
  })
  test('LIM-02 an endless body is aborted at the limit', async () => {
    let pulled = 0
    const endless = new ReadableStream({
      pull: controller => {
        pulled += 1
        controller.enqueue(new Uint8Array(50).fill(97))
      },
    })
    const init = {
      method: 'POST',
      body: endless,
      headers: { 'content-type': formType },
      duplex: 'half',
    } as const
    await assert.rejects(readForm(new Request('http://localhost/x', init), 100), refusal('body_too_large'))
    assert.ok(pulled <= 5, String(pulled))
  })
})

test('CD-09 an empty code_verifier is read, and a repeated one refused', async () => {
  const form = 'code_verifier=&redirect_uri=&code=&scope='
  assert.deepEqual((await readFormParameters(post(form), 1000)).all('code_verifier'), [''])
  assert.deepEqual((await readFormParameters(post('code_verifier'), 1000)).all('code_verifier'), [''])
  assert.deepEqual((await readFormParameters(post('code=x'), 1000)).names, ['code'])
  await assert.rejects(
    readFormParameters(post('code_verifier=&code_verifier='), 1000),
    refusal('parameter_repeated'),
  )
})

test('a parameter that is repeatable keeps all its values; the others come once', () => {
  const pairs = [
    ['scope', 'a'],
    ['scope', 'b'],
  ] as const
  assert.deepEqual(readParameters(pairs, { repeatable: ['scope'] }).all('scope'), ['a', 'b'])
  assert.throws(() => readParameters(pairs, { repeatable: ['made_up'] }), refusal('parameter_repeated'))
})

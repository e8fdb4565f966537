/** Tests access to the admin API, versions of objects, and the format of refusals. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Admin, openAdmin } from '../fixtures/dashboard/administrator.ts'
import {
  type Api,
  apiWith,
  callApi,
  type Member,
  staff,
} from '../fixtures/dashboard/administrators-by-role.ts'
import { assertProblem } from '../fixtures/dashboard/problem.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import {
  type CodeInHand,
  machineToken,
  newProof,
  obtainCode,
  redeem,
} from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { bearer, send } from '../fixtures/requests/http-client.ts'
import { createUser } from '../fixtures/requests/own-password.ts'
import { app } from '../fixtures/server/suite.ts'

let owner: Admin
let api: Api
let auditorApi: Api
const latchkey = sharedStaff(({ all, apis }) => {
  owner = all.owner
  api = apis.owner
  auditorApi = apis.auditor
})

/** Returns an access token that the client `desk` obtains when this user signs in. */
async function tokenOf(who: Member, scope: string): Promise<string> {
  const proof = newProof()
  const inHand: CodeInHand = await obtainCode(
    latchkey.issuer,
    app,
    { client_id: 'desk', scope, nonce: '', code_challenge: proof.challenge },
    await signedIn(who),
  )
  const answer = await redeem(latchkey.issuer, inHand, { code_verifier: proof.verifier })
  assert.equal(answer.status, 200, answer.text)
  return String(answer.json().access_token)
}

async function signedIn(who: Member) {
  const browser = newBrowser(latchkey.issuer)
  await browser.submit(await browser.follow('/login'), { username: who.username, password: who.password })
  return browser
}

describe('AD-01 authentication of the admin API', () => {
  const refusedTokens: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, RegExp]> = [
    ['no token', {}, /^Bearer realm="[^"]+"$/],
    ['a made-up token', bearer('at_made-up'), /error="invalid_token"/],
    ['a token of another shape', bearer(`${'a'.repeat(40)}.e30.x`), /error="invalid_token"/],
    ['an empty token', { authorization: 'Bearer ' }, /^Bearer realm/],
    ['a client that says its secret', { authorization: 'Basic Y2ktb3duZXI6eA==' }, /^Bearer realm/],
  ]
  for (const [what, headers, challenge] of refusedTokens) {
    test(`AD-01 answers 401 with a challenge to ${what}`, async () => {
      for (const [method, path] of [
        ['GET', '/clients'],
        ['POST', '/clients'],
        ['DELETE', '/users/x'],
        ['GET', '/nowhere'],
      ] as const) {
        const answer = await callApi(latchkey.issuer, method, path, { headers })
        await assertProblem(owner, answer, 401, 'unauthorized')
        assert.match(String(answer.headers['www-authenticate']), challenge)
      }
    })
  }

  test('AD-01 refuses an access token in the query or in a form', async () => {
    const query = await send(latchkey.issuer, `/api/admin/clients?access_token=${api.token}`)
    assert.equal(query.status, 401)
    const form = { access_token: api.token }
    assert.equal((await send(latchkey.issuer, '/api/admin/clients', { form })).status, 401)
  })

  test('AD-01 does not accept the cookie of an admin session', async () => {
    assert.equal((await owner.get('/api/admin/clients')).status, 401)
  })

  test('AD-01 answers 403 to a token without the scope and names the missing scope', async () => {
    for (const token of [
      await machineToken(latchkey.issuer, 'machine', 'api'),
      await machineToken(latchkey.issuer, 'ci-owner', 'api'),
      await tokenOf(staff.owner, 'openid api'),
    ]) {
      const answer = await apiWith(latchkey.issuer, token).call('GET', '/clients')
      await assertProblem(owner, answer, 403, 'denied')
      assert.match(
        String(answer.headers['www-authenticate']),
        /error="insufficient_scope", scope="latchkey\.admin"/,
      )
    }
  })

  test('AD-01 answers 403 to a token with the scope if its user or client has no role', async () => {
    for (const token of [
      await tokenOf(staff.visitor, 'openid latchkey.admin'),
      await machineToken(latchkey.issuer, 'ci-visitor', 'latchkey.admin'),
    ]) {
      const problem = await assertProblem(
        owner,
        await apiWith(latchkey.issuer, token).call('GET', '/clients'),
        403,
        'denied',
      )
      assert.match(String(problem.detail), /is not an administrator/)
    }
  })

  test('AD-01 the token of an administrator acts with the administrator’s role', async () => {
    const asAuditor = apiWith(latchkey.issuer, await tokenOf(staff.auditor, 'openid latchkey.admin'))
    assert.equal((await asAuditor.call('GET', '/clients')).status, 200)
    await assertProblem(
      owner,
      await asAuditor.call('POST', '/users', { body: { username: 'x' } }),
      403,
      'denied',
    )
  })

  test('AD-01 removing a role takes effect with the next request', async () => {
    const who = await createUser(latchkey.issuer, api, 'demoted')
    await openAdmin(latchkey.server, { role: 'user_support', who, by: owner })
    const { sub } = who
    const asSupport = apiWith(latchkey.issuer, await tokenOf(who, 'openid latchkey.admin'))
    assert.equal((await asSupport.call('GET', '/users')).status, 200)
    assert.equal(
      (await api.call('PUT', `/administrators/${sub}`, { body: { role: 'client_manager' } })).status,
      200,
    )
    await assertProblem(owner, await asSupport.call('GET', '/users'), 403, 'denied')
    assert.equal((await api.call('DELETE', `/administrators/${sub}`)).status, 200)
    await assertProblem(owner, await asSupport.call('GET', '/clients'), 403, 'denied')
  })

  test('AD-01 a caller without permission gets 403 before any check of versions, bodies or ids', async () => {
    for (const [method, path, body] of [
      ['PUT', '/clients/web', undefined],
      ['PUT', '/clients/web', []],
      ['DELETE', '/clients/web', undefined],
      ['PUT', '/clients/nowhere', {}],
      ['DELETE', '/users/unknown', undefined],
    ] as const)
      await assertProblem(owner, await auditorApi.call(method, path, { body }), 403, 'denied')
  })
})

describe('versions: no change is overwritten unnoticed', () => {
  const path = '/clients/versioned'
  before(async () => {
    const body = { kind: 'machine', metadata: { client_name: 'Versioned', client_id: 'versioned' } }
    assert.equal((await api.call('POST', '/clients', { body })).status, 201)
  })
  const read = async () => {
    const answer = await api.call('GET', path)
    const { etag = '' } = answer.headers
    const { metadata, version } = JSON.parse(answer.text)
    assert.equal(etag, `"${version}"`)
    return { etag, metadata, version: Number(version) }
  }
  const put = (name: string, metadata: object, headers: Readonly<Record<string, string>>) =>
    api.call('PUT', path, { body: { metadata: { ...metadata, client_name: name } }, headers })

  test('a change without If-Match is 428, even with a version in the body or the query', async () => {
    const { metadata, version } = await read()
    await assertProblem(owner, await put('Unseen', metadata, {}), 428, 'precondition-required')
    await assertProblem(
      owner,
      await put('Unseen', metadata, { 'if-match': '*' }),
      428,
      'precondition-required',
    )
    const body = { metadata: { ...metadata, client_name: 'Unseen' }, version }
    await assertProblem(owner, await api.call('PUT', path, { body }), 428, 'precondition-required')
    const deleted = await api.call('DELETE', `${path}?version=${version}`)
    await assertProblem(owner, deleted, 428, 'precondition-required')
    assert.equal((await read()).version, version)
  })

  test('a change with the current ETag is 200 with the next one; with an old ETag it is 412 with the current state', async () => {
    const { etag, metadata } = await read()
    const changed = await put('Renamed once', metadata, { 'if-match': etag })
    assert.equal(changed.status, 200, changed.text)
    assert.notEqual(changed.headers.etag, etag)
    assert.equal(changed.headers.etag, (await read()).etag)
    const problem = await assertProblem(
      owner,
      await put('Renamed twice', metadata, { 'if-match': etag }),
      412,
      'conflict',
    )
    assert.match(JSON.stringify(problem.current), /Renamed once/)
    assert.equal((await read()).metadata.client_name, 'Renamed once')
  })

  for (const tag of ['"0"', '"-1"', '"999999"', 'W/"1"', '"x"', '1', '"1', '"1", "2"', '""']) {
    test(`a change with If-Match ${tag} is refused`, async () => {
      const { metadata, version } = await read()
      await assertProblem(owner, await put('Never', metadata, { 'if-match': tag }), 412, 'conflict')
      assert.equal((await read()).version, version)
    })
  }

  test('of twenty concurrent changes exactly one succeeds, and the others get 412', async () => {
    const { etag, metadata, version } = await read()
    // Two digits, so that no name is the beginning of another
    const names = Array.from({ length: 20 }, (_one, index) => `Racer ${index + 10}`)
    const answers = await Promise.all(names.map(name => put(name, metadata, { 'if-match': etag })))
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(
      statuses.filter(status => status !== 412),
      [200],
      String(statuses),
    )
    const winner = names[statuses.indexOf(200)]
    const after = await read()
    assert.deepEqual([after.metadata.client_name, after.version], [winner, version + 1])
    const changes = await owner.get('/admin/changes')
    assert.equal(names.filter(name => changes.text.includes(name)).length, 1, 'one row of audit')
  })

  test('a client that was read can be created under a new ID, and the body of earlier releases is accepted', async () => {
    const { metadata } = (await api.call('GET', '/clients/web')).json()
    const copy = { kind: 'web', metadata: { ...Object(metadata), client_id: 'web-copy' } }
    const copied = await api.call('POST', '/clients', { body: copy })
    assert.equal(copied.status, 201, copied.text)
    const stored = (await api.call('GET', '/clients/web-copy')).json()
    assert.deepEqual(stored.metadata, copy.metadata)
    const flat = { kind: 'machine', client_name: 'Flat', client_id: 'flat', scope: 'api' }
    assert.equal((await api.call('POST', '/clients', { body: flat })).status, 201)
    const { client_name, scope } = Object((await api.call('GET', '/clients/flat')).json().metadata)
    assert.deepEqual([client_name, scope], ['Flat', 'api'])
  })

  test('deleting is 428 without a version, 412 with an old one, 200 with the current one, and then 404', async () => {
    const body = { kind: 'machine', metadata: { client_name: 'Short-lived', client_id: 'short-lived' } }
    assert.equal((await api.call('POST', '/clients', { body })).status, 201)
    const { headers } = await api.call('GET', '/clients/short-lived')
    const remove = (tag?: string) =>
      api.call('DELETE', '/clients/short-lived', tag === undefined ? {} : { headers: { 'if-match': tag } })
    await assertProblem(owner, await remove(), 428, 'precondition-required')
    await assertProblem(owner, await remove('"99"'), 412, 'conflict')
    assert.equal((await remove(headers.etag)).status, 200)
    await assertProblem(owner, await remove(headers.etag), 404, 'not-found')
    await assertProblem(owner, await api.call('GET', '/clients/short-lived'), 404, 'not-found')
  })
})

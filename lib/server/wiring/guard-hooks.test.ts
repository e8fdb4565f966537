import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { testClient } from '#lib/core/testing/registrations.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { Hooks } from '#lib/ports/extensions.ts'
import { guardHooks, hasGuarded, withinRequest } from './guard-hooks.ts'

const asked = { client: testClient(), redirectUri: 'https://app.example/callback', use: 'sign_in' } as const
const context = { client: testClient(), grantType: 'password', scopes: [], subject: null }

function guard(hooks: object): { readonly guarded: Hooks; readonly reports: string[] } {
  const reports: string[] = []
  const report: Parameters<typeof guardHooks>[1] = (error, { hook, requestId = 'none' }) =>
    void reports.push(`${hook} of ${requestId}: ${error}`)
  return { guarded: guardHooks(hooks, report, 50), reports }
}

test('hooks that are not defined stay undefined', () => {
  assert.deepEqual(Object.values(guard({}).guarded).filter(Boolean), [])
})

test('a hook is called as a method of the extensions, so that they may be a class', async () => {
  const extensions = {
    answer: true,
    async validateRedirectUri() {
      return this.answer
    },
  }
  assert.equal(await guard(extensions).guarded.validateRedirectUri?.(asked), true)
})

const failing: ReadonlyArray<readonly [name: string, hook: () => unknown, report: RegExp]> = [
  ['throws', () => assert.fail('no license'), /^validateRedirectUri of none: .*no license/],
  ['rejects', () => Promise.reject(new Error('no database')), /no database/],
  ['answers too late', () => new Promise(() => undefined), /no answer within 50 ms/],
  ['answers nothing', () => undefined, /validateRedirectUri/],
  ['answers with a value that is only truthy', () => 1, /validateRedirectUri/],
]
for (const [name, hook, expected] of failing) {
  test(`a hook that ${name} fails the request and is reported`, async () => {
    const { guarded, reports } = guard({ validateRedirectUri: hook })
    const call = guarded.validateRedirectUri?.(asked) ?? Promise.resolve()
    await assert.rejects(call, error => isOauthError(error) && error.reason === 'extension_failed')
    assert.equal(reports.length, 1)
    assert.match(reports[0] ?? '', expected)
  })
}

test('reports of requests that are answered at the same time have their IDs', async () => {
  const { guarded, reports } = guard({
    validateRedirectUri: async () => {
      await setImmediate()
      throw new Error('no license')
    },
  })
  const request = async () => {
    await setImmediate()
    return guarded.validateRedirectUri?.(asked)
  }
  await Promise.allSettled(['A', 'B', 'C'].map(requestId => withinRequest(requestId, request)))
  assert.deepEqual(
    reports.toSorted(),
    ['A', 'B', 'C'].map(id => `validateRedirectUri of ${id}: Error: no license`),
  )
})

test('requests are tracked only if there is a hook or a custom grant', () => {
  const grant = { grantType: 'urn:example:pin', validate: async () => ({ kind: 'granted' as const }) }
  const { guarded: none } = guard({})
  const { guarded: one } = guard({ signOut: async () => undefined })
  assert.equal(hasGuarded({ hooks: none, customGrants: [] }), false)
  assert.equal(hasGuarded({ hooks: one, customGrants: [] }), true)
  assert.equal(hasGuarded({ hooks: none, customGrants: [grant] }), true)
})

test('no hook can change a registration', async () => {
  const client = testClient()
  const { guarded } = guard({
    validateRedirectUri: async (request: { client: { redirectUris: string[] } }) =>
      request.client.redirectUris.push('https://evil.example') > 0,
  })
  await assert.rejects(guarded.validateRedirectUri?.({ ...asked, client }) ?? Promise.resolve())
  assert.deepEqual(client.redirectUris, testClient().redirectUris)
})

const members: ReadonlyArray<readonly [added: unknown, isAccepted: boolean]> = [
  [{ tenant: 'north', roles: ['a'] }, true],
  [{}, true],
  [{ access_token: 'x' }, false],
  [{ scope: 'admin' }, false],
  [{ refresh_token: null }, false],
  [{ error: 'x' }, false],
  [{ when: new Date() }, false],
  [['tenant'], false],
  [null, false],
]
for (const [added, isAccepted] of members) {
  test(`members of the token response: ${JSON.stringify(added)} ${isAccepted ? 'is accepted' : 'fails the request'}`, async () => {
    const { guarded } = guard({ tokenResponse: async () => added })
    const call = guarded.tokenResponse?.(context) ?? Promise.resolve()
    if (isAccepted) assert.deepEqual(await call, added)
    else await assert.rejects(call)
  })
}

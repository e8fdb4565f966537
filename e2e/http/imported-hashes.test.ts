/** Passwords and secrets whose hashes come from other servers. The fixtures were made by Python. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onTablesOf } from '../fixtures/ageing.ts'
import { canary, clientSecret, testConfiguration } from '../fixtures/configuration.ts'
import { authorize, codeRequest, delivered, newProof } from '../fixtures/flow.ts'
import { newBrowser } from '../fixtures/http-browser.ts'
import { basic, send } from '../fixtures/http-client.ts'
import { importedPasswords } from '../fixtures/imported-hashes.ts'
import { app, latchkeySuite } from '../fixtures/suite.ts'

const imported = importedPasswords.map((row, index) => ({ ...row, username: `imported-${index}` }))

const latchkey = latchkeySuite({
  configuration: addresses => {
    const { users, ...rest } = testConfiguration(addresses)
    return { ...rest, users: [...users, ...imported.map(({ username }) => ({ username, sub: username }))] }
  },
  onceStarted: async server => {
    for (const { username, passwordHash } of imported) await setHash(username, passwordHash, server)
  },
})

function setHash(subject: string, passwordHash: string, server = latchkey.server) {
  return onTablesOf(server, tables => tables.user.update({ where: { subject }, data: { passwordHash } }))
}

async function hashOf(subject: string): Promise<string> {
  const user = await onTablesOf(latchkey.server, tables => tables.user.findUnique({ where: { subject } }))
  return user?.passwordHash ?? ''
}

function passwordGrant(username: string, password: string) {
  return send(latchkey.issuer, '/connect/token', {
    form: { grant_type: 'password', username, password, scope: 'openid api' },
    headers: basic('password', clientSecret),
  })
}

for (const [index, { kind, username, password }] of imported.entries()) {
  const isGrant = index % 2 === 1
  const way = isGrant ? 'the password grant' : 'the sign-in page'
  test(`a user with a hash of ${kind} signs in with the old password at ${way}, and it is replaced`, async () => {
    const signIn = async (typed: string) => {
      if (isGrant) return (await passwordGrant(username, typed)).status === 200
      const visit = await authorize(newBrowser(latchkey.issuer), codeRequest(app, newProof()), {
        username,
        password: typed,
      })
      return visit.location !== null && delivered(visit).get('code') !== null
    }
    assert.equal(await signIn(`${password}!`), false)
    assert.match(await hashOf(username), /^\$pbkdf2-/)
    assert.equal(await signIn(password), true)
    const replaced = await hashOf(username)
    assert.match(replaced, /^\$argon2id\$/)
    assert.equal(await signIn(password), true)
    assert.equal(await hashOf(username), replaced)
  })
}

test('the account page accepts an imported password as the current one', async () => {
  const [{ username, password, passwordHash } = assert.fail()] = imported
  const browser = newBrowser(latchkey.issuer)
  await browser.submit(await browser.follow('/login'), { username, password })
  await setHash(username, passwordHash)
  const own = `${canary} chosen after the move`
  const change = async (current: string) =>
    browser.submit(await browser.follow('/account/password'), { current, password: own, again: own })
  assert.match((await change('wrong')).answer.text, /role="alert"/)
  assert.match(await hashOf(username), /^\$pbkdf2-/)
  assert.equal((await change(password)).target.split('?')[0], '/account')
  assert.match(await hashOf(username), /^\$argon2id\$/)
  assert.equal((await passwordGrant(username, password)).status, 400)
  assert.equal((await passwordGrant(username, own)).status, 200)
})

test('a damaged imported hash is a failed sign-in', async () => {
  const [, { username, password } = assert.fail()] = imported
  for (const damaged of ['$pbkdf2-sha1$i=99999999$AAAA$AAAA', '$pbkdf2-sha1$', 'APsE3LaXDkw9GHPeUf1a']) {
    await setHash(username, damaged)
    const answer = await passwordGrant(username, password)
    assert.deepEqual([answer.status, answer.json().error], [400, 'invalid_grant'], damaged)
  }
})

/**
 * Obtains codes and tokens, sends them and other secrets to the endpoints as values of many parameters, and then searches the
 * log and the data directory for them.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  codeRequest,
  newProof,
  obtainCode,
  obtainTokens,
  redeem,
  refresh,
} from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, canary, clientSecret } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const latchkey = latchkeySuite({ environment: { LOG_LEVEL: 'trace' } })

test('LG-03 CD-01 RT-01 TK-05 SE-01 secrets are not in the log, in other responses, or in plain text in the database', async () => {
  const secrets = await useEverything()
  const log = latchkey.server.output()
  assert.ok(log.length > 1000, 'something was logged')
  for (const secret of secrets) assert.ok(!log.includes(secret), `in the log: ${secret.slice(0, 12)}…`)
  assert.ok(!log.includes(canary), 'a marked secret is in the log')
  for (const file of filesIn(latchkey.server.dataDirectory)) {
    if (file.endsWith('config.json')) continue
    const content = readFileSync(file)
    for (const secret of secrets) assert.ok(!content.includes(secret), `in ${file}: ${secret.slice(0, 12)}…`)
    assert.ok(!content.includes(canary), `a marked secret is in ${file}`)
  }
})

async function useEverything(): Promise<readonly string[]> {
  const browser = newBrowser(latchkey.issuer)
  const tokens = await obtainTokens(latchkey.issuer, app, { client_id: 'web' }, browser)
  const reference = await obtainTokens(latchkey.issuer, app, { client_id: 'reference' }, browser)
  const inHand = await obtainCode(latchkey.issuer, app, {}, browser)
  await redeem(latchkey.issuer, inHand, { code_verifier: newProof().verifier })
  await redeem(latchkey.issuer, inHand)
  await redeem(latchkey.issuer, inHand)
  const refreshed = (await refresh(latchkey.issuer, reference.refresh_token, {}, 'reference')).json()
  const secrets = [
    inHand.code,
    inHand.proof.verifier,
    tokens.access_token,
    tokens.id_token,
    tokens.refresh_token,
    reference.access_token,
    reference.refresh_token,
    String(refreshed.refresh_token),
    String(refreshed.access_token),
    clientSecret,
    alice.password,
    ...browser.cookies.values(),
  ].filter(secret => secret.length > 8)
  await refusals(secrets)
  return secrets
}

async function refusals(secrets: readonly string[]): Promise<void> {
  const names = [
    'token',
    'code',
    'refresh_token',
    'password',
    'client_secret',
    'id_token_hint',
    'login_hint',
    'state',
    'access_token',
    'username',
  ]
  for (const secret of secrets) {
    const form = Object.fromEntries(names.map(name => [name, secret]))
    for (const path of [
      'token',
      'userinfo',
      'introspect',
      'revocation',
      'accesstokenvalidation',
      'identitytokenvalidation',
      'endsession',
      'authorize',
    ]) {
      const answers = [
        await send(latchkey.issuer, `/connect/${path}`, {
          form: { ...form, grant_type: 'refresh_token' },
          headers: basic('trusted', `${clientSecret}x`),
        }),
        await send(latchkey.issuer, withQuery(`/connect/${path}`, form), { headers: bearer(secret) }),
      ]
      for (const answer of answers) {
        if (answer.status >= 400) assert.ok(!answer.text.includes(secret), `${path} echoes what it refused`)
      }
    }
    await send(
      latchkey.issuer,
      withQuery('/connect/authorize', { ...codeRequest(app, newProof()), code: secret, prompt: 'none' }),
    )
    await send(latchkey.issuer, `/nowhere/${encodeURIComponent(secret)}`)
    await send(latchkey.issuer, withQuery('/login', { pending: secret, token: secret }))
  }
}

/** Regular files only, because the socket of the command line cannot be read. */
function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

/** What happened stands in the log: who signed in, what was issued, refused and taken back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { alice, bob, clientSecret } from '../fixtures/configuration.ts'
import {
  allowEverything,
  authorize,
  codeRequest,
  machineToken,
  newProof,
  obtainCode,
  obtainTokens,
  openConsent,
  redeem,
  refresh,
} from '../fixtures/flow.ts'
import { basic, send, withQuery } from '../fixtures/http-client.ts'
import { logged } from '../fixtures/latchkey.ts'
import { newPerson } from '../fixtures/person.ts'
import { app, latchkeySuite } from '../fixtures/suite.ts'

const latchkey = latchkeySuite()
const request = () => codeRequest(app, newProof())

/** What somebody does, and the event that must then be in the log. */
const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
  sign_in_succeeded: () => authorize(newPerson(latchkey.issuer), request()),
  sign_in_failed: () => authorize(newPerson(latchkey.issuer), request(), { ...alice, password: 'wrong' }),
  authorize_refused: () => send(latchkey.issuer, '/connect/authorize?client_id=nobody'),
  consent_granted: async () => {
    const { person, visit } = await openConsent(latchkey.issuer, app)
    await person.submit(visit, allowEverything(visit))
  },
  consent_denied: async () => {
    const { person, visit } = await openConsent(latchkey.issuer, app, bob)
    await person.submit(visit, { decision: 'deny' })
  },
  consent_revoked: async () => {
    const person = newPerson(latchkey.issuer)
    await obtainTokens(latchkey.issuer, app, {}, person)
    await person.post('/account/apps/revoke', { client_id: 'trusted' })
  },
  signed_out: async () => {
    const person = newPerson(latchkey.issuer)
    await authorize(person, request())
    await person.submit(await person.follow('/logout'), {})
  },
  authorize_answered: () => obtainCode(latchkey.issuer, app),
  code_redeemed: () => obtainTokens(latchkey.issuer, app),
  code_replayed: async () => {
    const inHand = await obtainCode(latchkey.issuer, app)
    await redeem(latchkey.issuer, inHand)
    await redeem(latchkey.issuer, inHand)
  },
  tokens_issued: () => machineToken(latchkey.issuer),
  token_refused: () => refresh(latchkey.issuer, `rt_${'a'.repeat(43)}`),
  refresh_reused: async () => {
    const { refresh_token } = await obtainTokens(latchkey.issuer, app)
    const second = (await refresh(latchkey.issuer, refresh_token)).json()
    await refresh(latchkey.issuer, String(second.refresh_token))
    await refresh(latchkey.issuer, refresh_token)
  },
  client_authentication_failed: () =>
    send(latchkey.issuer, '/connect/token', {
      form: { grant_type: 'x' },
      headers: basic('machine', 'wrong'),
    }),
  token_revoked: async () => {
    const form = { token: await machineToken(latchkey.issuer, 'machine-reference') }
    await send(latchkey.issuer, '/connect/revocation', {
      form,
      headers: basic('machine-reference', clientSecret),
    })
  },
  token_rejected: () => send(latchkey.issuer, withQuery('/connect/accesstokenvalidation', { token: 'x' })),
}

describe('LG-01 LG-02 every deed leaves its line, with time, reference and outcome', () => {
  for (const [name, deed] of Object.entries(deeds)) {
    test(name, async () => {
      const before = latchkey.server.output().length
      await deed()
      const line = await logged(latchkey.server, `"${name}"`, before)
      const written = JSON.parse(line)
      assert.match(line, /"[2-9A-Z]{4}-[2-9A-Z]{4}"/)
      assert.match(line, /"(success|failure)"/)
      assert.ok(written.time)
    })
  }
})

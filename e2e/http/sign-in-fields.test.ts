/** Tests additional fields of the sign-in form, with the example extension. */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { codeRequest, delivered, newProof, redeem } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { alice } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const extensions = resolve(import.meta.dirname, '../fixtures/server/sign-in-fields-extensions.ts')
const latchkey = latchkeySuite({ environment: { LATCHKEY_EXTENSIONS: extensions } })

async function openLogin(proof = newProof()) {
  const browser = newBrowser(latchkey.issuer)
  return { browser, visit: await browser.follow(withQuery('/connect/authorize', codeRequest(app, proof))) }
}
const credentials = { username: alice.username, password: alice.password }

/** The HTML tag of the additional field. */
function fieldIn(text: string, name = 'customer'): string {
  return new RegExp(`<input\\b[^>]*name="field_${name}"[^>]*>`).exec(text)?.[0] ?? ''
}

test('the sign-in form has the fields of the extensions, with the label of the language', async () => {
  const { browser, visit } = await openLogin()
  assert.match(visit.answer.text, /<label for="field_customer">Customer number</)
  assert.match(fieldIn(visit.answer.text), /required="".*inputMode="numeric"/)
  const german = await browser.get(visit.target, { 'accept-language': 'de' })
  assert.match(german.text, /<label for="field_customer">Kundennummer</)
})

test('a sign-in without a required field, or with an invalid one, is refused, and the form keeps what was entered', async () => {
  for (const [customer, kept] of [
    ['', ''],
    ['47x1', '47x1'],
  ] as const) {
    const { browser, visit } = await openLogin()
    const { answer } = await browser.submit(visit, { ...credentials, field_customer: customer })
    assert.match(answer.text, /Fill in every required field/)
    assert.match(answer.text, new RegExp(`<input[^>]*name="username"[^>]*value="${alice.username}"`))
    const field = fieldIn(answer.text)
    assert.match(field, /aria-invalid="true"/)
    assert.equal(/ value="([^"]*)"/.exec(field)?.[1] ?? '', kept)
  }
})

test('after a refusal only the fields with a fault are marked, and a password is empty', async () => {
  const { browser, visit } = await openLogin()
  const typed = { field_customer: '47 11', field_branch: 'Harbor', field_pin: '0815' }
  const { text } = (await browser.submit(visit, { ...credentials, ...typed })).answer
  const marked = (name: string) => fieldIn(text, name).includes('aria-invalid="true"')
  assert.deepEqual(['customer', 'branch', 'pin'].map(marked), [true, false, false])
  assert.match(fieldIn(text, 'branch'), /value="Harbor"/)
  assert.doesNotMatch(text, /0815/)
  assert.match(text, /<button[^>]*data-shows="field_pin"/)
})

test('a password with a fault is marked', async () => {
  const { browser, visit } = await openLogin()
  const typed = { field_customer: '4711', field_pin: '08\u000715' }
  const { text } = (await browser.submit(visit, { ...credentials, ...typed })).answer
  const marked = (name: string) => fieldIn(text, name).includes('aria-invalid="true"')
  assert.deepEqual(['customer', 'branch', 'pin'].map(marked), [false, false, true])
})

test('a wrong value is refused like a wrong password, and the form keeps it', async () => {
  const { browser, visit } = await openLogin()
  const { answer } = await browser.submit(visit, { ...credentials, field_customer: '99' })
  assert.match(answer.text, /Incorrect email, user name or password/)
  assert.match(fieldIn(answer.text), /value="99"/)
})

test('the user service and the hooks receive the value, without surrounding spaces', async () => {
  const proof = newProof()
  const { browser, visit } = await openLogin(proof)
  const done = await browser.submit(visit, { ...credentials, field_customer: ' 4711 ', field_other: 'x' })
  const code = delivered(done).get('code') ?? ''
  const inHand = { code, proof, clientId: 'trusted', redirectUri: `${app}/callback` }
  const { access_token } = (await redeem(latchkey.issuer, inHand)).json()
  assert.equal(decode(String(access_token)).payload.customer, '4711')
})

/** Tests a sign-in in which an authenticator app is set up, and which an extension then interrupts. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { codesOf, recoveryCodesIn } from '../fixtures/requests/authenticator.ts'
import { authorize, codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { alice, pagesConfiguration } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const folder = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
after(() => rm(folder, { recursive: true, force: true }))
const extensions = join(folder, 'extensions.mjs')
await writeFile(
  extensions,
  `export default {
    postAuthenticate: async ({ returnedFrom }) =>
      returnedFrom === null ? { kind: 'partial', path: '/contract' } : { kind: 'accepted' },
  }`,
)
const latchkey = latchkeySuite({
  configuration: pagesConfiguration,
  environment: { LATCHKEY_EXTENSIONS: extensions },
})

test('MF-02 the recovery codes of an app that was set up before the page of an extension are shown after it, and then the app continues', async () => {
  const browser = newBrowser(latchkey.issuer)
  const enrolling = await authorize(browser, codeRequest(app, newProof(), { client_id: 'careful' }), alice)
  assert.match(enrolling.target, /^\/login\/enroll\?/)
  const handles = handlesIn(enrolling.target)
  const enrolled = await browser.post('/login/enroll', { ...handles, code: codesOf(enrolling)() })
  const contract = enrolled.headers.location ?? ''
  assert.match(contract, /^\/contract\?partial=/)
  const shown = await browser.follow(withQuery('/login/return', handlesIn(contract)))
  assert.match(shown.target, /^\/account\/recovery-codes\?pending=/)
  assert.equal(recoveryCodesIn(shown).length, 10)
  assert.match(delivered(await browser.submit(shown, {})).get('code') ?? '', /^code_/)
})

function handlesIn(target: string) {
  const { partial = '', pending = '' } = Object.fromEntries(new URL(target, latchkey.issuer).searchParams)
  return { partial, pending }
}

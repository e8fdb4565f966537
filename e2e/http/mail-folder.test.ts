/** Tests mail without a mail server: on a local server mails are files, which a page shows to this machine only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Admin, openAdmin } from '../fixtures/dashboard/administrator.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { send } from '../fixtures/requests/http-client.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

let owner: Admin
const latchkey = latchkeySuite({
  onceStarted: async server => {
    owner = await openAdmin(server)
  },
})

const page = '/playground/mail'

test('a mail can be read on the page of mails, which another host name does not show', async () => {
  const browser = newBrowser(latchkey.issuer)
  assert.match((await browser.get(page)).text, /No mail yet/)
  await owner.post('mail.send_test', { to: 'alice@example.org' }, '/admin/mail')
  let link = ''
  for (let waited = 0; waited < 100 && link === ''; waited += 1) {
    await delay(50)
    const [, found = ''] =
      /href="(\/playground\/mail\?mail=[^"]+)"/.exec((await browser.get(page)).text) ?? []
    link = found
  }
  const { status, text } = await browser.get(link)
  assert.equal(status, 200)
  assert.match(text, /can reach this address/)
  for (const host of ['evil.example', `evil.example:${new URL(latchkey.issuer).port}`]) {
    const answer = await send(latchkey.issuer, page, { headers: { host } })
    assert.equal(answer.status, 404, host)
    assert.doesNotMatch(answer.text, /alice@example\.org/)
  }
})

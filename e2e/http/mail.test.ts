/** Tests mail with a real SMTP server: the test mail of the dashboard, refusals, and messages that are sent again. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Admin, openAdmin } from '../fixtures/dashboard/administrator.ts'
import { startSmtp, type TestSmtp } from '../fixtures/outside/smtp-server.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

const canary = 'canary-of-the-mail-server'
let refusal: { readonly message: string; readonly responseCode: number } | null = null
const smtp: TestSmtp = await startSmtp({
  authOptional: false,
  allowInsecureAuth: true,
  onAuth: ({ password }, _session, done) =>
    password === canary ? done(null, { user: 'harbor' }) : done(new Error('wrong password')),
  onRcptTo: (_address, _session, done) =>
    done(refusal === null ? null : Object.assign(new Error(refusal.message), refusal)),
})
after(() => smtp.close())

let owner: Admin
const latchkey = latchkeySuite({
  environment: {
    SMTP_URL: `smtp://harbor:${canary}@127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'Harbor <noreply@example.org>',
  },
  onceStarted: async server => {
    owner = await openAdmin(server)
  },
})

/** Waits until the only message to this address is in this state, and returns its row. */
async function messageTo(target: string, state: string) {
  for (let waited = 0; waited < 200; waited += 1) {
    const rows = await onTablesOf(latchkey.server, tables => tables.delivery.findMany({ where: { target } }))
    const [row] = rows
    assert.ok(row !== undefined && rows.length === 1)
    if (row.state === state) return row
    await delay(50)
  }
  assert.fail(`the message to ${target} is not ${state}`)
}

const sendTest = (to: string) => owner.post('mail.send_test', { to }, '/admin/mail')

test('the test mail of the dashboard arrives, and the page shows the answer of the mail server', async () => {
  assert.equal((await sendTest('alice@example.org')).status, 303)
  const { sealedBody, attempts } = await messageTo('alice@example.org', 'delivered')
  assert.deepEqual([sealedBody, attempts], [null, 1])
  const [mail, ...others] = smtp.received
  assert.deepEqual(others, [])
  assert.deepEqual(mail?.to, ['alice@example.org'])
  assert.match(mail?.source ?? '', /^From: Harbor <noreply@example\.org>\r$/m)
  assert.match(mail?.source ?? '', /can reach this address/)
  const { text } = await owner.get('/admin/mail')
  assert.match(text, /alice@example\.org/)
  assert.match(text, />Accepted</)
  assert.ok(!text.includes(canary))
})

test('a message that is refused is given up with an event, and is sent again once, however often the button is pressed', async () => {
  refusal = { message: 'no such mailbox', responseCode: 550 }
  await sendTest('bob@example.org')
  const { id, lastStatus } = await messageTo('bob@example.org', 'failed')
  assert.equal(lastStatus, 550)
  assert.match((await owner.get('/admin/mail')).text, /no such mailbox/)
  assert.match((await owner.get('/admin/events?name=delivery_failed')).text, /could not be delivered/)
  refusal = null
  const sendAgain = () => owner.post('mail.send_again', { delivery_id: id }, '/admin/mail')
  for (const { status } of await Promise.all([sendAgain(), sendAgain()])) assert.equal(status, 303)
  await messageTo('bob@example.org', 'delivered')
  await sendAgain()
  await delay(1500)
  assert.equal(smtp.received.filter(({ to }) => to.includes('bob@example.org')).length, 1)
})

test('EV-01 a mail server that says to try later delays no page, and the message waits for its next attempt', async () => {
  refusal = { message: 'greylisted', responseCode: 451 }
  await sendTest('carol@example.org')
  const { lastStatus, nextAt } = await waitForAttempt('carol@example.org')
  assert.equal(lastStatus, 451)
  assert.ok(nextAt !== null && nextAt > new Date())
  refusal = null
  await messageTo('carol@example.org', 'delivered')
})

async function waitForAttempt(target: string) {
  for (let waited = 0; waited < 200; waited += 1) {
    const row = await messageTo(target, 'waiting')
    if (row.lastStatus !== null) return row
    await delay(20)
  }
  return assert.fail('no attempt was made')
}

test('an address that is not one, or is several, is refused at its field', async () => {
  for (const to of ['alice', 'a@example.org,b@example.org', 'a@example.org\r\nBcc: b@example.org']) {
    const { headers } = await sendTest(to)
    assert.match((await owner.get(headers.location ?? '')).text, /1 problem to fix/)
  }
})

test('the files of the playground do not exist when mail is sent', async () => {
  assert.equal((await newBrowser(latchkey.issuer).get('/playground/mail')).status, 404)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { outbox } from '#lib/config/limits.ts'
import type { SmtpServer } from '#lib/config/mail-settings.ts'
import { startEndlessSmtp, startRudeSmtp, startSmtp } from '../../../e2e/fixtures/outside/smtp-server.ts'
import { readMailFolder } from './mail-folder.ts'
import { createMailer, type WrittenMail } from './mailer.ts'

const parts = { siteName: 'Harbor', issuer: 'https://id.example.org' }
const written: WrittenMail = {
  id: 'mb1x2y3z-abc',
  to: 'alice@example.org',
  subject: 'A test mail from Harbor – ä',
  text: 'Mail works.\n',
  html: '<p>Mail works.</p>',
}

function mailerAt(port: number, changes: Partial<SmtpServer> = {}, of = parts) {
  const server: SmtpServer = { host: '127.0.0.1', port, tls: 'none', login: null, ...changes }
  const sender = { name: null, address: 'noreply@example.org' }
  const mailer = createMailer({ kind: 'smtp', server, sender }, of) ?? assert.fail()
  return (mail: WrittenMail, signal = AbortSignal.timeout(outbox.attemptMs)) => mailer(mail, signal)
}

test('a mail arrives with both parts, the name of the site as sender, and the same message ID each time', async t => {
  const smtp = await startSmtp()
  t.after(smtp.close)
  const mailer = mailerAt(smtp.port)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const sent = await mailer(written)
    assert.equal(sent.kind, 'delivered')
    assert.equal(sent.status, 250)
  }
  assert.equal(smtp.received.length, 2)
  for (const { from, to, source } of smtp.received) {
    assert.deepEqual([from, to], ['noreply@example.org', ['alice@example.org']])
    assert.match(source, /^From: Harbor <noreply@example\.org>\r$/m)
    assert.match(source, /^Message-ID: <mb1x2y3z-abc@id\.example\.org>\r$/im)
    assert.match(source, /^Auto-Submitted: auto-generated\r$/im)
    assert.match(source, /text\/plain/)
    assert.match(source, /text\/html/)
  }
})

const refusals: readonly (readonly [what: string, code: number, kind: string])[] = [
  ['an unknown mailbox ends the attempts', 550, 'refused'],
  ['a busy mailbox is tried again', 450, 'not_now'],
]
for (const [what, code, kind] of refusals)
  test(`${what} (${code})`, async t => {
    const smtp = await startSmtp({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('not this one'), { responseCode: code })),
    })
    t.after(smtp.close)
    const sent = await mailerAt(smtp.port)(written)
    assert.deepEqual([sent.kind, sent.status], [kind, code])
    assert.match(sent.answer, /not this one/)
  })

test('a refused account of this server is tried again, because the operator can correct it', async t => {
  const smtp = await startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error('wrong password')),
  })
  t.after(smtp.close)
  const sent = await mailerAt(smtp.port, { login: { user: 'harbor', secret: 'canary-password' } })(written)
  assert.equal(sent.kind, 'not_now')
  assert.equal(sent.status, 535)
  assert.doesNotMatch(sent.answer, /canary/)
})

test('a refused sender, and a missing account, are tried again, because the operator can correct them', async t => {
  for (const responseCode of [550, 530, 503]) {
    const smtp = await startSmtp({
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error('not you'), { responseCode })),
    })
    t.after(smtp.close)
    const sent = await mailerAt(smtp.port)(written)
    assert.deepEqual([sent.kind, sent.status], ['not_now', responseCode])
  }
})

const inBase64 = (text: string) => Buffer.from(text).toString('base64')
const repeated: readonly (readonly [what: string, repeats: (password: string) => string])[] = [
  ['the password', password => password],
  ['the command with the password', password => inBase64(`\0harbor\0${password}`)],
  ['the line with the password', inBase64],
]
for (const [what, repeats] of repeated)
  test(`LG-03 ${what} that the server repeats is not stored with its answer`, async t => {
    const smtp = await startSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) =>
        done(Object.assign(new Error(`unknown command ${repeats(password ?? '')}`), { responseCode: 535 })),
    })
    t.after(smtp.close)
    const sent = await mailerAt(smtp.port, { login: { user: 'harbor', secret: 'canary-password' } })(written)
    assert.match(sent.answer, /unknown command \[redacted\]=*$/)
  })

test('a status that SMTP does not have is not stored', async t => {
  const smtp = await startRudeSmtp('99999999999999999999 go away')
  t.after(smtp.close)
  assert.deepEqual((await mailerAt(smtp.port)(written)).status, null)
})

test('a server that answers 421 is tried again', async t => {
  const smtp = await startRudeSmtp('421 too busy')
  t.after(smtp.close)
  const sent = await mailerAt(smtp.port)(written)
  assert.deepEqual([sent.kind, sent.status], ['not_now', 421])
})

test('a server that never answers ends the attempt in time', async t => {
  const smtp = await startRudeSmtp(null)
  t.after(smtp.close)
  const startedAt = performance.now()
  const sent = await mailerAt(smtp.port)(written)
  assert.deepEqual([sent.kind, sent.status], ['not_now', null])
  assert.ok(performance.now() - startedAt < outbox.attemptMs)
})

test('an answer that never ends does not keep the attempt from ending', async t => {
  const smtp = await startEndlessSmtp()
  t.after(smtp.close)
  const sent = await mailerAt(smtp.port)(written, AbortSignal.timeout(300))
  assert.deepEqual(sent, { kind: 'not_now', status: null, answer: 'The mail server did not finish in time.' })
})

test('a mail server with OAuth gets an access token, and a new one after it has refused one', async t => {
  const accepted = new Set(['token-1'])
  const smtp = await startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    authMethods: ['XOAUTH2'],
    onAuth: ({ username, accessToken }, _session, done) =>
      username === 'harbor' && accepted.has(String(accessToken))
        ? done(null, { user: username })
        : done(new Error('token refused')),
  })
  t.after(smtp.close)
  const asked: string[] = []
  const issuing = createServer((request, response) => {
    void text(request).then(form => {
      asked.push(form)
      const body = { access_token: `token-${asked.length}`, token_type: 'Bearer', expires_in: 3600 }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(issuing, 'listening')
  t.after(() => issuing.close())
  const { port } = issuing.address() as AddressInfo
  const oauth = {
    tokenUrl: `http://127.0.0.1:${port}/token`,
    ...{ clientId: 'harbor-client', clientSecret: 'canary', scope: 'mail.send', refreshToken: null },
  }
  const login = { user: 'harbor', secret: oauth }
  const mailer = mailerAt(smtp.port, { login }, { ...parts, issuer: 'http://localhost:3000' })
  for (let count = 0; count < 2; count += 1) assert.equal((await mailer(written)).kind, 'delivered')
  assert.deepEqual(
    asked.map(form => Object.fromEntries(new URLSearchParams(form))),
    [
      {
        ...{ grant_type: 'client_credentials', client_id: 'harbor-client', client_secret: 'canary' },
        scope: 'mail.send',
      },
    ],
  )
  accepted.clear()
  assert.equal((await mailer(written)).kind, 'not_now')
  accepted.add('token-2')
  assert.equal((await mailer(written)).kind, 'delivered')
  assert.equal(asked.length, 2)
})

test('a server that is not there is tried again', async () => {
  const smtp = await startRudeSmtp(null)
  await smtp.close()
  const sent = await mailerAt(smtp.port)(written)
  assert.deepEqual([sent.kind, sent.status], ['not_now', null])
})

test('a server without TLS gets neither mail nor password if TLS is required', async t => {
  const smtp = await startSmtp({ allowInsecureAuth: true })
  t.after(smtp.close)
  const sent = await mailerAt(smtp.port, {
    tls: 'starttls',
    login: { user: 'harbor', secret: 'secret' },
  })(written)
  assert.equal(sent.kind, 'not_now')
  assert.deepEqual(smtp.received, [])
})

test('a receiver with a line break cannot add a header or a receiver', async t => {
  const smtp = await startSmtp()
  t.after(smtp.close)
  const subject = 'Hello\r\nBcc: mallory@example.org'
  await mailerAt(smtp.port)({ ...written, subject, to: 'alice@example.org,mallory@example.org' })
  for (const { to, source } of smtp.received) {
    assert.ok(!to.includes('mallory@example.org'))
    assert.doesNotMatch(source, /^Bcc:/im)
  }
})

test('without a mail server, mails are files that can be read', async t => {
  const folder = join(mkdtempSync(join(tmpdir(), 'latchkey-mail-')), 'mail')
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const sender = { name: null, address: 'noreply@localhost' }
  const mailer = createMailer({ kind: 'folder', folder, sender }, parts) ?? assert.fail()
  assert.deepEqual(await readMailFolder(folder), [])
  const { signal } = new AbortController()
  for (const id of ['a-1', 'b-2']) assert.equal((await mailer({ ...written, id }, signal)).kind, 'delivered')
  assert.deepEqual(
    (await readMailFolder(folder)).map(({ id, to }) => [id, to]),
    [
      ['b-2', 'alice@example.org'],
      ['a-1', 'alice@example.org'],
    ],
  )
})

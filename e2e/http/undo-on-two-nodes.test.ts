/** Tests the link “This wasn’t me” on two nodes, also while an attacker changes the account through the other node. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAuthenticator } from '#lib/identity/passkeys/testing/authenticator.ts'
import { mailsTo, plainText } from '../fixtures/outside/received-mail.ts'
import { startSmtp, type TestSmtp } from '../fixtures/outside/smtp-server.ts'
import { type HttpBrowser, newBrowser, readForm } from '../fixtures/requests/http-browser.ts'
import { type Answer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { canary, testConfiguration } from '../fixtures/server/configuration.ts'
import { openPostgresDatabases, type PostgresDatabases } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, newMasterKey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { app } from '../fixtures/server/suite.ts'

const rounds = [1, 2, 3]
const kinds = ['twice', 'password', 'passkey', 'address'] as const
type Kind = (typeof kinds)[number]

const stolen = `${canary} known to the thief`
const chosen = `${canary} chosen by the thief`
const latest = `${canary} chosen by the thief again`
const addressOf = (username: string) => `${username}@example.org`

let databases: PostgresDatabases
let smtp: TestSmtp
let one: Latchkey
let other: Latchkey

before(async () => {
  databases = await openPostgresDatabases()
  smtp = await startSmtp()
  const databaseUrl = await databases.create()
  const ports = [await freePort(), await freePort()]
  const environment = {
    ISSUER: `http://localhost:${ports[0]}`,
    MASTER_KEY: newMasterKey(),
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'Harbor <noreply@example.org>',
  }
  const users = kinds.flatMap(kind => rounds.map(round => user(`${kind}-${round}`)))
  const configuration = { ...testConfiguration({ app }), users }
  const nodes = await Promise.all(
    ports.map(port => startLatchkey({ port, databaseUrl, environment, configuration })),
  )
  ;[one = assert.fail(), other = assert.fail()] = nodes
  // From now on these users are like those whom an administrator has created, who can change their addresses
  await onTablesOf(one, tables => tables.meta.deleteMany({ where: { name: 'configuration_names' } }))
})
after(async () => {
  await Promise.all([one.stop(), other.stop()])
  await smtp.close()
  await databases.close()
})

function user(username: string) {
  const claims = { email: addressOf(username), email_verified: true }
  return { username, password: stolen, sub: `sub-${username}`, claims }
}

type Form = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

/** Sends a form to this node, as a load balancer does. */
function postAt(node: Latchkey, target: string, form: Form, cookies: HttpBrowser['cookies'] = new Map()) {
  const { issuer } = one
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const sent = { host: new URL(issuer).host, origin: issuer, 'sec-fetch-site': 'same-origin' }
  const page = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' }
  return send(node.origin, target, { form, headers: { ...sent, ...page, ...(cookie && { cookie }) } })
}

/** Waits for a mail with a link to this page, and returns the path of the link. */
async function linkIn(address: string, page: string): Promise<string> {
  const pattern = new RegExp(`https?://\\S+${page}\\?link=\\S+`)
  for (let count = 1; ; count += 1) {
    const texts = (await mailsTo(smtp, address, count)).map(plainText)
    const [found] = texts.flatMap(text => pattern.exec(text)?.[0] ?? [])
    if (found !== undefined) return found.slice(new URL(found).origin.length)
    count = texts.length
  }
}

const linkOf = (path: string) => new URL(path, one.issuer).searchParams.get('link') ?? ''

async function enter(username: string, password: string) {
  const browser = newBrowser(one.issuer)
  const visit = await browser.submit(await browser.follow('/login'), { username, password })
  return { browser, visit }
}

/** A thief with the password changes it. Returns the browser of the thief, and the link that the user gets. */
async function attacked(username: string) {
  const { browser } = await enter(username, stolen)
  const page = await browser.follow('/account/password')
  const changed = await browser.submit(page, { current: stolen, password: chosen, again: chosen })
  assert.match(changed.target, /^\/account\?done=password/)
  return { browser, undo: linkOf(await linkIn(addressOf(username), '/login/not-me')) }
}

/** Sends a change to the other node. */
type Change = () => Promise<Answer>

/** Prepares the next change of the thief, and returns the function that sends it to the other node. */
const nextChange: Readonly<
  Record<Exclude<Kind, 'twice'>, (browser: HttpBrowser, name: string) => Promise<Change>>
> = {
  password: async browser => {
    const { hidden } = readForm((await browser.follow('/account/password')).answer.text)
    const fields = Object.entries({ current: chosen, password: latest, again: latest })
    return () => postAt(other, '/account/password', [...hidden, ...fields], browser.cookies)
  },
  passkey: async browser => {
    const begun = (await browser.post('/account/passkeys/add/options', {})).json()
    const authenticator = createAuthenticator({ origin: one.issuer })
    const form = { ceremony: String(begun.ceremony), response: authenticator.create(Object(begun.options)) }
    return () => postAt(other, '/account/passkeys/add', form, browser.cookies)
  },
  address: async (browser, name) => {
    const thief = `thief-${name}@example.com`
    await browser.submit(await browser.follow('/account/email'), { email: thief })
    const link = linkOf(await linkIn(thief, '/account/email/confirm'))
    return () => postAt(other, '/account/email/confirm', { link }, browser.cookies)
  },
}

/** Whether the browser is signed in at both nodes, with its cookies and those of a further answer. */
async function isSignedIn(
  { cookies }: HttpBrowser,
  { cookies: set }: Pick<Answer, 'cookies'>,
): Promise<boolean> {
  const jar = [...cookies].map(([name, value]) => `${name}=${value}`)
  const later = set.map(line => line.split(';')[0] ?? '')
  const answers = [jar, later].flatMap(values =>
    [one, other].map(node => {
      const headers = { host: new URL(one.issuer).host, cookie: values.join('; '), 'sec-fetch-site': 'none' }
      return send(node.origin, '/account', { headers })
    }),
  )
  return (await Promise.all(answers)).some(({ status }) => status === 200)
}

async function assertRestored(username: string): Promise<void> {
  const mail = await linkIn(addressOf(username), '/login/forgot/password')
  for (const password of [stolen, chosen, latest])
    assert.match((await enter(username, password)).visit.target, /error=credentials/)
  const browser = newBrowser(one.issuer)
  const password = `${canary} chosen by the user`
  const done = await browser.submit(await browser.follow(mail), { password, again: password })
  const account = await browser.submit(done, { username, password })
  assert.ok(account.answer.text.includes(addressOf(username)), account.target)
  const where = { subject: `sub-${username}` }
  assert.equal(await onTablesOf(one, tables => tables.passkey.count({ where })), 0)
}

describe('“This wasn’t me” on two nodes', () => {
  test('AU-16 a link that is opened on both nodes at the same moment works once', async () => {
    for (const round of rounds) {
      const username = `twice-${round}`
      const { browser, undo } = await attacked(username)
      const answers = await Promise.all(
        [one, other, one, other].map(node => postAt(node, '/login/not-me', { link: undo })),
      )
      const places = answers.map(({ status, headers }) => `${status} ${headers.location}`)
      const expired = '303 /login/not-me'
      assert.deepEqual(places.toSorted(), [expired, expired, expired, '303 /login/not-me/done?mail=true'])
      const page = withQuery('/login/not-me', { link: undo })
      const headers = { host: new URL(one.issuer).host }
      for (const node of [one, other]) assert.equal((await send(node.origin, page, { headers })).status, 410)
      assert.equal(await isSignedIn(browser, { cookies: [] }), false)
      await assertRestored(username)
      const mails = await mailsTo(smtp, addressOf(username), 2)
      const replacing = mails.filter(mail => plainText(mail).includes('/login/forgot/password?link='))
      assert.equal(replacing.length, 1, 'one mail to choose a new password')
    }
  })

  for (const kind of kinds) {
    if (kind === 'twice') continue
    test(`AU-16 a further change through the other node, before or at the same moment, does not remain: ${kind}`, async () => {
      for (const round of rounds) {
        const username = `${kind}-${round}`
        const { browser, undo } = await attacked(username)
        const change: Change = await nextChange[kind](browser, username)
        const takeBack = () => postAt(one, '/login/not-me', { link: undo })
        // First one after the other, to show that the change itself works
        const before = round === 1 ? await change() : null
        if (before !== null) assert.match(before.headers.location ?? '', /[?&]done=/)
        const [undone, changed] = await Promise.all([takeBack(), before ?? change()])
        assert.equal(undone.headers.location, '/login/not-me/done?mail=true')
        assert.equal(await isSignedIn(browser, changed), false)
        await assertRestored(username)
      }
    })
  }
})

/** Tests the policies in the dashboard, and invitations from the form of an administrator to the account of the invited user. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Admin, openAdmin, shownSecret } from '../fixtures/dashboard/administrator.ts'
import { mailsTo, plainText } from '../fixtures/outside/received-mail.ts'
import { startSmtp, type TestSmtp } from '../fixtures/outside/smtp-server.ts'
import { attribute, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { canary, testConfiguration } from '../fixtures/server/configuration.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

const smtp: TestSmtp = await startSmtp()
after(() => smtp.close())

let owner: Admin
const latchkey = latchkeySuite({
  configuration: testConfiguration,
  environment: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'Harbor <noreply@example.org>' },
  onceStarted: async server => {
    owner = await openAdmin(server)
    await savePolicies({ registration: 'invited' })
  },
})

const policiesPath = '/admin/policies'
const listPath = '/admin/users/invitations'
const severalPath = `${listPath}/several`
const password = `${canary} nine quiet harbors`

/** The fields of the form of policies that are not empty. */
const usual = {
  registration: 'invited',
  offer_passkeys: 'true',
  mail_about_new_devices: 'true',
  users_delete_accounts: 'true',
}

function reviewPolicies(changes: Readonly<Record<string, string>>): Promise<Visit> {
  return owner.submit('policies.preview', { ...usual, ...changes }, policiesPath)
}

/** Sends the form of a page that posts to this use case, with its hidden fields. */
function sendForm({ answer: { text } }: Visit, useCase: string, back: string): Promise<Visit> {
  const [form = ''] = new RegExp(`<form[^>]*action="/admin/do/${useCase}"[^]*?</form>`).exec(text) ?? []
  const fields = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].flatMap(([input]) => {
    const name = attribute(input, 'name')
    return name.startsWith('_') ? [] : [[name, attribute(input, 'value')] as const]
  })
  assert.ok(fields.length > 0, text.slice(-3000))
  return owner.submit(useCase, fields, back)
}

/** Reviews a change of the policies and saves it. */
async function savePolicies(changes: Readonly<Record<string, string>>): Promise<Visit> {
  const review = await reviewPolicies(changes)
  assert.match(review.answer.text, /Nothing is saved yet/)
  return sendForm(review, 'policies.update', policiesPath)
}

const invite = (fields: Readonly<Record<string, string>>) =>
  owner.submit('user_invitations.create', { way: 'mail', ...fields, _next: listPath }, `${listPath}/new`)

/** The page without the marks that React writes between texts. */
const textOf = ({ answer }: Visit) => answer.text.replaceAll('<!-- -->', '')

/** The path of the link in the newest mail to an address. */
async function mailedLink(address: string, count = 1): Promise<string> {
  const mail = (await mailsTo(smtp, address, count)).at(-1) ?? assert.fail()
  return pathOf(/https?:\/\/\S+\/login\/register\?invitation=ivt_\S+/.exec(plainText(mail))?.[0] ?? '')
}

function pathOf(link: string): string {
  assert.ok(link.startsWith(latchkey.issuer), link)
  return link.slice(latchkey.issuer.length)
}

const formOf = (username: string) => ({ username, password, again: password })

function storedUser(username: string) {
  return onTablesOf(latchkey.server, tables => tables.user.findFirst({ where: { username } }))
}

describe('the policies in the dashboard', () => {
  test('are reviewed with their consequences, saved, and in force for the next request', async () => {
    const review = await reviewPolicies({ minimum_password_length: '20' })
    assert.match(review.answer.text, /The new length applies when a password is chosen/)
    const saved = await sendForm(review, 'policies.update', policiesPath)
    assert.match(saved.answer.text, /Policies saved/)
    const { text } = await owner.get('/admin/policies/history')
    assert.match(text, /minimum_password_length/)
    await savePolicies({})
  })

  test('AD-02 are not overwritten by a review of an earlier version', async () => {
    const review = await reviewPolicies({ account_deletion_days: '20' })
    await savePolicies({ account_deletion_days: '30' })
    const late = await sendForm(review, 'policies.update', policiesPath)
    assert.match(late.answer.text, /Another admin changed this while you edited it/)
    const { text } = await owner.get(policiesPath)
    const [days = ''] = /<input[^>]*name="account_deletion_days"[^>]*>/.exec(text) ?? []
    assert.equal(attribute(days, 'value'), '30')
  })

  test('report all errors at their fields', async () => {
    const { answer } = await reviewPolicies({ minimum_password_length: '3', terms_uri: 'nowhere' })
    assert.match(answer.text, /2 problems to fix/)
    assert.match(answer.text, /href="#minimum_password_length"/)
    assert.match(answer.text, /href="#terms_uri"/)
  })
})

describe('an invited user', () => {
  test('UXC-01 opens the link of the mail and has an account with a verified address, groups and name', async () => {
    const email = 'nadia@example.org'
    const visit = await invite({ email, name: 'Nadia New', groups: 'staff\neditors', locale: 'de' })
    assert.match(textOf(visit), /An invitation to nadia@example\.org is on the way/)
    const path = await mailedLink(email)
    const browser = newBrowser(latchkey.issuer)
    await browser.submit(await browser.follow(path), formOf('nadia'))
    const user = await storedUser('nadia')
    assert.ok(user)
    const claims = JSON.parse(user.claims)
    assert.deepEqual(claims.groups, ['staff', 'editors'])
    assert.deepEqual([claims.name, claims.email, claims.email_verified], ['Nadia New', email, true])
    const again = await newBrowser(latchkey.issuer).follow(path)
    assert.doesNotMatch(again.answer.text, /name="password"/)
    const { text } = await owner.get(listPath)
    assert.match(text, new RegExp(`Used[^]*/admin/users/${user.subject}`))
  })

  test('AU-13 cannot use a link that was withdrawn or replaced', async () => {
    const email = 'late@example.org'
    await invite({ email })
    const first = await mailedLink(email)
    const id = await onTablesOf(latchkey.server, async tables => {
      const row = await tables.userInvitation.findFirst({ where: { email } })
      return row?.id ?? assert.fail()
    })
    await owner.submit('user_invitations.send_again', { invitation_id: id, way: 'mail' }, listPath)
    const second = await mailedLink(email, 2)
    const hasForm = async (path: string) =>
      /name="password"/.test((await newBrowser(latchkey.issuer).follow(path)).answer.text)
    assert.deepEqual([await hasForm(first), await hasForm(second)], [false, true])
    await owner.submit('user_invitations.withdraw', { invitation_id: id }, listPath)
    assert.equal(await hasForm(second), false)
  })

  test('AU-18 has no verified address if the link was given out by hand', async () => {
    const visit = await invite({ email: 'hand@example.org', way: 'link' })
    const browser = newBrowser(latchkey.issuer)
    await browser.submit(await browser.follow(pathOf(shownSecret(visit))), formOf('hand'))
    const user = await storedUser('hand')
    const isVerified = user !== null && JSON.parse(user.claims).email_verified === true
    assert.equal(isVerified, false)
  })
})

describe('invitations by CSV', () => {
  test('are listed first, then sent, and skip users who were invited', async () => {
    await invite({ email: 'known@example.org' })
    const csv = 'email,name,groups\na@example.org,Ada,staff|editors\nknown@example.org,,\n'
    const preview = await owner.submit('user_invitations.preview', { csv, way: 'mail' }, severalPath)
    assert.match(textOf(preview), /1 user to invite/)
    assert.match(textOf(preview), /groups: staff, editors/)
    assert.match(textOf(preview), /Was invited/)
    const sent = await sendForm(preview, 'user_invitations.create_several', listPath)
    assert.match(textOf(sent), /One invitation is on the way; 1 skipped/)
    assert.ok(await mailedLink('a@example.org'))
  })

  test('report every error with its line', async () => {
    const csv = 'email\nnobody\nb@example.org\nB@example.org'
    const { answer } = await owner.submit('user_invitations.preview', { csv, way: 'mail' }, severalPath)
    assert.match(answer.text, /List, line 2: /)
    assert.match(answer.text, /List, line 4: /)
    assert.match(answer.text, /2 problems to fix/)
  })
})

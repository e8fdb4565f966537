/** Tests users of an old system, whom the hook `legacyVerify` brings at their first sign-in. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { AdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { unknownCaller } from '#lib/ports/check-caller.ts'
import type { LegacyUser } from '#lib/ports/legacy-users.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { guardLegacyVerify } from '#lib/server/wiring/guard-hooks.ts'
import { createLegacyUsers } from './legacy-users.ts'
import { standardUserService } from './standard-user-service.ts'

const limitMs = 200
const hints = { client: null, tenant: null, acrValues: [] }

let t: AdminTestPorts
before(async () => {
  t = await openAdminTestPorts()
})
after(() => t.close())

/** Answers of the old system by user name. */
let answers: Record<string, (password: string) => Promise<unknown>>
let calls: string[]
let reports: string[]
beforeEach(() => {
  answers = {}
  calls = []
  reports = []
})

function openService() {
  const { ports } = t
  const legacyVerify = async ({ username, password }: { username: string; password: string }) => {
    calls.push(username)
    return ((await answers[username]?.(password)) ?? null) as LegacyUser | null
  }
  const verify = guardLegacyVerify({ legacyVerify }, error => reports.push(String(error)), limitMs)
  assert.ok(verify)
  const isAdministrator = async (subject: Parameters<typeof ports.administrators.find>[0]) =>
    (await ports.administrators.find(subject)) !== null
  const service = standardUserService(ports, createLegacyUsers({ ...ports, verify, isAdministrator }))
  return (username: string, password = old) => service.authenticate({ username, password }, hints)
}

const old = 'old pw'
const accepts = (answer: unknown) => async (password: string) => (password === old ? answer : null)
const stored = (username: string) => t.ports.users.findByUsername(username)

test('a user of the old system is stored at the first sign-in, and the old system is not asked again', async () => {
  const signIn = openService()
  answers.ada = accepts({
    subject: 'old-ada',
    claims: { name: 'Ada', email: 'ada@example.org', email_verified: true },
  })
  const first = await signIn('ada')
  assert.ok(first.kind === 'full' && first.provenHash)
  assert.deepEqual([first.subject, first.name], ['old-ada', 'Ada'])
  const user = (await stored('ada')) ?? assert.fail()
  assert.match(user.passwordHash ?? '', /^\$argon2id\$/)
  assert.deepEqual(
    [(await signIn('ada')).kind, (await signIn('ada@example.org')).kind, (await signIn('ADA', 'wrong')).kind],
    ['full', 'full', 'refused'],
  )
  assert.deepEqual(calls, ['ada'])
})

test('AU-05 an unknown name and a wrong password there are refused like a wrong password here', async () => {
  const signIn = openService()
  answers.bea = accepts({})
  await t.addUser('known', { password: 'a password of this server' })
  for (const [username, password] of [
    ['unknown', old],
    ['bea', 'wrong'],
    ['known', 'wrong'],
  ] as const) {
    const { cause: _cause, ...shown } = { cause: null, ...(await signIn(username, password)) }
    assert.deepEqual(shown, { kind: 'refused', message: null }, username)
  }
  assert.equal(await stored('bea'), null)
})

test('AU-05 AU-09 a wrong password of a known name takes as long as the last refusals of the old system, and a failure is one', async () => {
  const signIn = openService()
  const slowly = async () => new Promise<null>(resolve => setTimeout(resolve, 120, null))
  answers.slow = slowly
  await t.addUser('quick', { password: 'a password of this server' })
  await signIn('slow', 'wrong')
  const start = performance.now()
  assert.equal((await signIn('quick', 'wrong')).kind, 'refused')
  assert.ok(performance.now() - start >= 100)
  assert.deepEqual(calls, ['slow'], 'the old system is not asked about a known name')
  const failing = openService()
  answers.down = () => Promise.reject(new Error('down'))
  assert.equal((await failing('down')).kind, 'refused')
  assert.equal((await failing('quick', 'wrong')).kind, 'refused')
  assert.equal((await failing('quick', 'a password of this server')).kind, 'full')
})

test('one of many sign-ins at the same time creates the user, and all succeed', async () => {
  const signIn = openService()
  answers.cleo = accepts({})
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => signIn('cleo')))
  const subjects = outcomes.map(outcome => (outcome.kind === 'full' ? outcome.subject : outcome.kind))
  assert.deepEqual(new Set(subjects), new Set([(await stored('cleo'))?.subject]))
})

test('a different name of the old system leads to one user, and a later password of this server counts', async () => {
  const signIn = openService()
  answers['dana@old.example'] = accepts({ subject: 'old-dana', username: 'dana' })
  assert.equal((await signIn('dana@old.example')).kind, 'full')
  assert.equal((await signIn('dana@old.example')).kind, 'full')
  const { subject, passwordHash } = (await stored('dana')) ?? assert.fail()
  const successor = await t.ports.passwords.hash('chosen here instead')
  const change = { now: t.ports.clock.now(), notices: [] }
  await t.ports.users.choosePassword(subject, { replaced: passwordHash ?? '', successor }, change)
  assert.equal((await signIn('dana@old.example')).kind, 'refused')
})

test('a password that cannot be stored is not sent to the old system', async () => {
  const signIn = openService()
  answers.long = async () => ({})
  assert.equal((await signIn('long', 'x'.repeat(1025))).kind, 'refused')
  assert.equal((await signIn('long', 'lone\ud800surrogate')).kind, 'refused')
  assert.deepEqual(calls, [])
})

test('a user who has to choose a new password there has to choose one here', async () => {
  const signIn = openService()
  answers.fay = accepts({ mustChangePassword: true })
  assert.equal((await signIn('fay')).kind, 'full')
  assert.equal((await stored('fay'))?.mustChangePassword, true)
})

describe('a stored user without a password', () => {
  test('gets the one of the old system only if it means the same subject', async () => {
    const signIn = openService()
    const { subject } = await t.addUser('gil')
    answers.gil = accepts({ subject })
    assert.equal((await signIn('gil', 'wrong')).kind, 'refused')
    assert.equal((await signIn('gil')).kind, 'full')
    await t.addUser('hal')
    for (const answer of [{}, { subject: 'another' }, { subject, username: 'gil' }]) {
      answers.hal = accepts(answer)
      await assert.rejects(signIn('hal'), isOauthError)
    }
    assert.equal((await stored('hal'))?.passwordHash, null)
    assert.equal(reports.length, 3)
  })

  test('gets none if it is locked or an administrator, and the old system is not asked', async () => {
    const signIn = openService()
    const { subject } = await t.addUser('ina', { enabled: false })
    const { subject: admin } = await t.actor('auditor')
    const name = (await t.ports.users.findBySubject(admin))?.username ?? assert.fail()
    answers.ina = accepts({ subject })
    answers[name] = accepts({ subject: admin })
    assert.equal((await signIn('ina')).kind, 'refused')
    assert.equal((await signIn(name)).kind, 'refused')
    assert.deepEqual(calls, [])
  })
})

const lies = [
  ['the subject of another user', { subject: 'victim' }],
  ['the name of another user with a different subject', { subject: 'mine', username: 'victim' }],
  ['a reserved claim', { claims: { iss: 'x' } }],
  ['a name that is not valid', { username: ' mallory ' }],
  ['no object', true],
  ['no answer in time', new Promise(() => {})],
] as const
for (const [what, answer] of lies) {
  test(`an answer with ${what} fails the sign-in and changes no user`, async () => {
    const signIn = openService()
    const before = (await stored('victim')) ?? (await t.addUser('victim', { password: 'of the victim' }))
    const subject = subjectIdSchema.parse(before.subject)
    const unchanged = await t.ports.users.findBySubject(subject)
    const given = 'subject' in Object(answer) && Object(answer).subject === 'victim' ? { subject } : answer
    answers.mallory = accepts(given)
    const refused = { kind: 'refused' } as const
    const outcome = await signIn('mallory').catch(error =>
      isOauthError(error) ? refused : Promise.reject(error),
    )
    assert.equal(outcome.kind, 'refused')
    assert.equal(reports.length, 1)
    assert.equal(await stored('mallory'), null)
    assert.deepEqual(await t.ports.users.findBySubject(subject), unchanged)
  })
}

test('the name of another user without a subject is signed in only with the password of that user here', async () => {
  const signIn = openService()
  await t.addUser('jo', { password: 'the password of jo' })
  answers.jim = async () => ({ username: 'jo' })
  assert.equal((await signIn('jim')).kind, 'refused')
})

test('LIM-05 the password of a user of the old system is hashed with the priority of the sign-in', async test => {
  const signIn = openService()
  answers.kim = accepts({})
  const { passwords } = t.ports
  const { hash } = passwords
  const callers: unknown[] = []
  test.mock.method(passwords, 'hash', (...[password, caller]: Parameters<typeof hash>) => {
    callers.push(caller)
    return hash(password, caller)
  })
  assert.equal((await signIn('kim')).kind, 'full')
  assert.deepEqual(callers, [unknownCaller])
})

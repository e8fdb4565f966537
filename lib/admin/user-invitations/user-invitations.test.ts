import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { userInvitation as limits } from '#lib/config/limits.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { defaultPolicies, type Policies } from '#lib/protocol/registration/policies.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { inviteSeveral, previewInvitations } from './invite-by-csv.ts'
import { listInvitations } from './read-invitations.ts'
import { inviteUser, sendInvitationAgain, withdrawUserInvitation } from './write-invitations.ts'

let opened: AdminTestPorts
let ports: AdminPorts
let support: Caller
before(async () => {
  opened = await openAdminTestPorts()
  ports = opened.ports
  const caller = await opened.caller('user_support')
  // A client that acts for itself needs no fresh sign-in, however far the clock is moved
  support = { ...caller, actor: { ...caller.actor, authenticatedAt: null } }
  await setPolicies({ registration: 'invited' })
})
after(() => opened.close())

async function setPolicies(changes: Partial<Policies>) {
  const policies = { ...defaultPolicies, ...changes }
  await ports.configuration.apply({ put: { policies: [policies] }, remove: {} }, ports.clock.now())
}

let count = 0
const newAddress = () => `user-${count++}@example.org`
const invite = async (given: object = {}, way: 'mail' | 'link' = 'link') => {
  const result = await callUntyped(inviteUser, ports, { email: newAddress(), way, ...given }, support)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return inviteUser.output.parse(result.value) as { id: string; email: string | null; link: string | null }
}
const errorsOf = async (raw: object) => {
  const result = await callUntyped(inviteUser, ports, raw, support)
  assert.ok(result.kind === 'invalid', JSON.stringify(result))
  return result.errors
}
const findBy = async (link: string | null) => {
  const handle = parseHandle('userInvitation', link?.split('invitation=')[1])
  return handle && ports.userInvitations.find(ports.hashing.digest(handle), ports.clock.now())
}
const mailsTo = async (email: string | null) =>
  (await ports.outbox.newest(1000)).filter(({ target }) => target === email).map(({ content }) => content)

describe('one invitation', () => {
  test('by mail: only the mail has the link, and who uses it has proved the address', async () => {
    const { id, email, link } = await invite(
      { claims: { name: 'Alice', groups: ['staff'] }, locale: 'de' },
      'mail',
    )
    assert.equal(link, null)
    assert.deepEqual(await mailsTo(email), ['user_invitation'])
    const stored = await ports.adminLists.userInvitation(id)
    assert.ok(stored?.isMailed)
    assert.deepEqual(stored.claims, { name: 'Alice', groups: ['staff'] })
    assert.equal(stored.locale, 'de')
  })

  test('as a link: nothing is mailed, and its use proves no address', async () => {
    const { email, link } = await invite()
    assert.deepEqual(await mailsTo(email), [])
    assert.equal((await findBy(link))?.isMailed, false)
  })

  test('without an address is possible only as a link', async () => {
    const { link } = await invite({ email: null })
    assert.equal((await findBy(link))?.email, null)
    assert.deepEqual(
      (await errorsOf({ email: null, way: 'mail' })).map(({ path }) => path),
      ['email'],
    )
  })

  test('the audit log names the address and has no link', async () => {
    const { email, link } = await invite()
    const [row] = await ports.adminStore.audit.list({ targetKind: 'user_invitation' }, null, 1)
    assert.equal(row?.targetId, email)
    assert.ok(link !== null && !JSON.stringify(row).includes(link.slice(-43)))
  })

  test('no one can be invited while registration is closed', async () => {
    await setPolicies({ registration: 'closed' })
    const errors = await errorsOf({ email: newAddress(), way: 'link' })
    await setPolicies({ registration: 'invited' })
    assert.match(errors[0]?.message ?? '', /Registration is closed/)
  })

  test('no one can be invited if the user service cannot create accounts', async () => {
    const { registration: _none, ...userService } = ports.userService
    const without = { ...ports, userService }
    const result = await callUntyped(inviteUser, without, { email: newAddress(), way: 'link' }, support)
    assert.match(JSON.stringify(result), /lacks registration/)
  })

  test('a mail cannot be sent while mail is off, and a link can be made', async () => {
    const off = { ...ports, mail: { kind: 'off' } } as const
    const raw = { email: newAddress() }
    assert.equal((await callUntyped(inviteUser, off, { ...raw, way: 'mail' }, support)).kind, 'invalid')
    assert.equal((await callUntyped(inviteUser, off, { ...raw, way: 'link' }, support)).kind, 'ok')
  })

  test('a user with this verified address, and one who was invited, are not invited again', async () => {
    const { email } = await invite()
    assert.match(
      (await errorsOf({ email: email?.toUpperCase(), way: 'link' }))[0]?.message ?? '',
      /invitation was sent/,
    )
    const taken = newAddress()
    const { subject } = await opened.addUser('has-mail')
    const stored = await ports.adminLists.user(subject)
    assert.ok(stored)
    const claims = { email: taken, email_verified: true }
    await ports.configuration.apply(
      { put: { users: [{ ...stored, claims }] }, remove: {} },
      ports.clock.now(),
    )
    assert.match(
      (await errorsOf({ email: taken, way: 'link' }))[0]?.message ?? '',
      /user with this verified address/,
    )
  })

  test('AU-18 the claims of an invitation contain no address and no invalid value', async () => {
    const errors = await errorsOf({
      email: newAddress(),
      way: 'link',
      claims: { email: 'other@example.org', email_verified: true, name: '' },
    })
    assert.deepEqual(errors.map(({ path }) => path).toSorted(), ['claims', 'claims.name'])
  })

  test('AU-17 an address that a mail server could read as several is refused', async () => {
    for (const email of ['a@x.example,b@y.example', 'a@x.example\r\nbcc: b@y.example', 'a＠x.example', 'x'])
      assert.equal((await errorsOf({ email, way: 'link' }))[0]?.path, 'email', email)
  })
})

describe('an invitation that exists', () => {
  test('gets a new link, which ends the earlier one and lasts as long as a new one', async () => {
    const { id, link } = await invite()
    opened.advance(limits.lifetimeSeconds + 1)
    assert.equal(await findBy(link), null)
    const again = await callUntyped(sendInvitationAgain, ports, { invitation_id: id, way: 'link' }, support)
    assert.ok(again.kind === 'ok')
    const renewed = sendInvitationAgain.output.parse(again.value) as { link: string }
    assert.equal((await findBy(renewed.link))?.id, id)
    assert.equal(await findBy(link), null)
  })

  test('that was given as a link can be mailed later, and then proves the address', async () => {
    const { id, email } = await invite()
    const sent = await callUntyped(sendInvitationAgain, ports, { invitation_id: id }, support)
    assert.equal(sent.kind, 'ok')
    assert.deepEqual(await mailsTo(email), ['user_invitation'])
    assert.ok((await ports.adminLists.userInvitation(id))?.isMailed)
  })

  test('can be withdrawn, and not if it was used', async () => {
    const { id, link } = await invite()
    assert.equal(
      (await callUntyped(withdrawUserInvitation, ports, { invitation_id: id }, support)).kind,
      'ok',
    )
    assert.equal(await findBy(link), null)
    assert.equal(
      (await callUntyped(withdrawUserInvitation, ports, { invitation_id: id }, support)).kind,
      'not_found',
    )
    const used = await invite()
    const found = await findBy(used.link)
    const { subject } = await opened.addUser('invited-user')
    assert.ok(found && (await ports.userInvitations.take(found.digest, subject, ports.clock.now())))
    for (const useCase of [withdrawUserInvitation, sendInvitationAgain])
      assert.notEqual((await callUntyped(useCase, ports, { invitation_id: used.id }, support)).kind, 'ok')
    const listed = await callUntyped(listInvitations, ports, { state: 'used' }, support)
    assert.ok(listed.kind === 'ok')
    assert.match(JSON.stringify(listed.value), new RegExp(subject))
  })
})

describe('invitations by CSV', () => {
  const preview = (csv: string, more: object = {}) =>
    callUntyped(previewInvitations, ports, { csv, way: 'mail', ...more }, support)
  const send = (csv: string, more: object = {}) =>
    callUntyped(inviteSeveral, ports, { csv, way: 'mail', ...more }, support)

  test('a preview lists the users and sends nothing', async () => {
    const [first, second] = [newAddress(), newAddress()]
    const csv = `Email;Name;Groups;Role;Language\n${first};Alice A.;staff | editors;;de\n\n${second};;;admin;\n`
    const result = await preview(csv, { locale: 'en' })
    assert.ok(result.kind === 'ok', JSON.stringify(result))
    const { rows } = result.value as { rows: unknown }
    assert.deepEqual(rows, [
      {
        ...{ line: 2, email: first, locale: 'de', presence: 'new' },
        claims: { name: 'Alice A.', groups: ['staff', 'editors'] },
      },
      { line: 4, email: second, locale: 'en', presence: 'new', claims: { role: ['admin'] } },
    ])
    assert.deepEqual(await mailsTo(first), [])
    assert.equal((await ports.adminLists.invitedAddresses([first, second], ports.clock.now())).size, 0)
  })

  test('each user gets one mail, and those with an invitation are skipped', async () => {
    const known = await invite({}, 'mail')
    const added = newAddress()
    const result = await send(`email\n${known.email}\n${added}`)
    assert.ok(result.kind === 'ok', JSON.stringify(result))
    assert.deepEqual(result.value, { invited: [{ email: added, link: null }], skipped: 1 })
    assert.deepEqual(await mailsTo(added), ['user_invitation'])
    assert.deepEqual(await mailsTo(known.email), ['user_invitation'])
    assert.equal((await send(`email\n${added}`)).kind, 'invalid')
  })

  test('links are in the answer if no mails are sent', async () => {
    const email = newAddress()
    const result = await send(`email\n${email}`, { way: 'link' })
    assert.ok(result.kind === 'ok')
    const { invited } = result.value as { invited: { link: string }[] }
    assert.equal((await findBy(invited[0]?.link ?? null))?.email, email)
  })

  test('all errors are reported with their lines, and nothing is stored', async () => {
    const email = newAddress()
    const csv = `email,name,language\n${email},A,\nnot an address,,\n${email.toUpperCase()},,\nx@example.org,,xx-!\ny@example.org,B,de,more\n`
    for (const call of [preview, send]) {
      const result = await call(csv)
      assert.ok(result.kind === 'invalid')
      assert.deepEqual(
        result.errors.map(({ path }) => path),
        ['csv.2', 'csv.3', 'csv.4', 'csv.5'],
      )
    }
    assert.equal((await ports.adminLists.invitedAddresses([email], ports.clock.now())).size, 0)
  })

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['an empty text', '', /line of headings/],
    ['only headings', 'email,name', /line for each user/],
    ['an unknown heading', 'e-mail,name\na@example.org,A', /e-mail/],
    ['two equal headings', 'email,email\na@example.org,b@example.org', /two columns "email"/],
    ['unmatched quotes', 'email\n"a@example.org', /quotes/],
    ['too many users', `email\n${'a@example.org\n'.repeat(limits.mostRows + 1)}`, /at most/],
  ]
  for (const [what, csv, message] of refused)
    test(`${what} is refused`, async () => {
      const result = await preview(csv)
      assert.ok(result.kind === 'invalid')
      assert.match(result.errors.map(error => error.message).join('\n'), message)
    })

  test('the longest list is stored as a whole', async () => {
    const addresses = Array.from({ length: limits.mostRows }, newAddress)
    const result = await send(`email\n${addresses.join('\n')}`)
    assert.ok(result.kind === 'ok', JSON.stringify(result))
    assert.equal(
      (await ports.adminLists.invitedAddresses(addresses, ports.clock.now())).size,
      limits.mostRows,
    )
  })
})

test('AD-01 auditors list invitations and make none', async () => {
  const auditor = await opened.caller('auditor')
  assert.equal((await callUntyped(listInvitations, ports, {}, auditor)).kind, 'ok')
  assert.equal((await callUntyped(inviteUser, ports, { email: newAddress() }, auditor)).kind, 'denied')
})

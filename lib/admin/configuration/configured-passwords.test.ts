import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { another, carol, file, ofTheFile, own, passwords, withCarol } from '../testing/carol.ts'
import { installation, load, now } from '../testing/installation.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { demoConfiguration } from './demo.ts'
import { usersWithConfiguredPassword } from './user-records.ts'

describe('AU-03 a start with an unchanged password in the file', () => {
  test('keeps the password that the user chose since then, and writes nothing', async () => {
    const here = await withCarol()
    await here.chooses(own)
    assert.deepEqual(await here.apply(file), { written: 0, removed: 0 })
    assert.deepEqual([await here.opens(own), await here.opens(ofTheFile)], [true, false])
  })

  test('keeps a temporary password temporary', async () => {
    const here = await withCarol()
    await here.isReset(another)
    for (const start of [1, 2]) {
      await here.apply(file)
      assert.ok(await here.opens(another), `start ${start}`)
      assert.equal((await here.carol()).mustChangePassword, true)
    }
  })

  test('keeps a temporary password when other fields of the user change in the file', async () => {
    const here = await withCarol()
    await here.isReset(another)
    await here.apply({ users: [{ ...carol, claims: { name: 'Carol' } }] })
    const { claims, mustChangePassword } = await here.carol()
    assert.deepEqual([claims, mustChangePassword], [{ name: 'Carol' }, true])
    assert.ok(await here.opens(another))
  })

  test('keeps the password of an account that was created again with the same name', async () => {
    const here = await withCarol()
    const before = await here.carol()
    await here.remove()
    const subject = subjectIdSchema.parse('made-again')
    const passwordHash = await passwords.hash(another)
    const users = [{ ...before, subject, passwordHash, mustChangePassword: true }]
    await here.storage.configuration.apply({ put: { users }, remove: {} }, now)
    for (const start of [1, 2]) {
      await here.apply(file)
      assert.ok(await here.opens(another), `start ${start}`)
      assert.equal((await here.carol()).mustChangePassword, true)
    }
  })

  test('lists only passwords that are still valid in the summary of the start', async () => {
    const { apply, storage } = await installation()
    const demo = demoConfiguration('http://localhost:3000')
    const users = load(demo, 'demo').configuration.users
    const listed = async () =>
      (await usersWithConfiguredPassword(storage, users)).map(({ username }) => username)
    await apply(demo, 'demo')
    assert.deepEqual(await listed(), ['alice', 'bob'])
    const bob = await storage.users.findByUsername('bob')
    assert.ok(bob)
    const changed = [{ ...bob, passwordHash: await passwords.hash(own) }]
    await storage.configuration.apply({ put: { users: changed }, remove: {} }, now)
    await apply(demo, 'demo')
    assert.deepEqual(await listed(), ['alice'])
  })

  test('keeps a password that the user changes between the starts of two nodes with a new file', async () => {
    const here = await withCarol()
    const { configuration } = here.storage
    const newFile = { users: [{ ...carol, password: another }] }
    let isFirst = true
    const apply: typeof configuration.apply = async (changes, at) => {
      if (isFirst) {
        isFirst = false
        await here.apply(newFile)
        await here.chooses(own)
      }
      return configuration.apply(changes, at)
    }
    const storage = { ...here.storage, configuration: { ...configuration, apply } }
    await applyConfiguration({ ...here.parts, storage }, load(newFile, 'file'))
    assert.deepEqual([await here.opens(own), await here.opens(another)], [true, false])
  })

  test('keeps changed passwords of the demo, and after starts without the file', async () => {
    const { apply, storage } = await installation()
    const demo = demoConfiguration('http://localhost:3000')
    await apply(demo, 'demo')
    const alice = await storage.users.findByUsername('alice')
    assert.ok(alice?.passwordHash)
    const hashes = { replaced: alice.passwordHash, successor: await passwords.hash(own) }
    assert.ok(await storage.users.choosePassword(alice.subject, hashes, { now, notices: [] }))
    await apply(demo, 'demo')
    const { passwordHash = null } = (await storage.users.findByUsername('alice')) ?? {}
    assert.ok(await passwords.verify(own, passwordHash))

    const here = await withCarol()
    await here.chooses(own)
    await here.apply({}, 'none')
    await here.apply(file)
    assert.ok(await here.opens(own))
  })
})

describe('a start with a new password in the file', () => {
  test('replaces a password that was chosen, or a temporary one', async () => {
    const here = await withCarol()
    await here.isReset(own)
    await here.apply({ users: [{ ...carol, password: another }] })
    assert.ok(await here.opens(another))
    assert.equal((await here.carol()).mustChangePassword, false)
    await here.chooses(own)
    await here.apply(file)
    assert.ok(await here.opens(ofTheFile), 'also one that it contained before')
  })

  test('replaces the password of a user of the dashboard when the file names the user', async () => {
    const { apply, storage } = await installation()
    const subject = subjectIdSchema.parse('of-the-dashboard')
    const passwordHash = await passwords.hash(own)
    const user = {
      subject,
      username: 'carol',
      passwordHash,
      mustChangePassword: true,
      enabled: true,
      claims: {},
    }
    await storage.configuration.apply({ put: { users: [user] }, remove: {} }, now)
    await apply(file)
    const made = await storage.users.findBySubject(subject)
    assert.equal(made?.mustChangePassword, false)
    assert.ok(await passwords.verify(ofTheFile, made.passwordHash))
  })

  test('writes nothing when the user already has this password', async () => {
    const here = await withCarol()
    await here.chooses(another)
    const changed = { users: [{ ...carol, password: another }] }
    assert.deepEqual(await here.apply(changed), { written: 0, removed: 0 })
    await here.chooses(own)
    await here.apply(changed)
    assert.ok(await here.opens(own), 'not set again at the next start')
  })

  test('removes the password when the file has none, and sets a later one', async () => {
    const here = await withCarol()
    await here.chooses(own)
    await here.apply({ users: [{ username: 'carol' }] })
    assert.equal((await here.carol()).passwordHash, null)
    await here.apply(file)
    assert.ok(await here.opens(ofTheFile))
  })

  test('creates a deleted user again with the password of the file', async () => {
    const here = await withCarol()
    await here.remove()
    await here.apply(file)
    assert.ok(await here.opens(ofTheFile))
  })
})

describe('a start that fails', () => {
  const changed = { users: [{ ...carol, password: another }] }
  for (const [when, isApplied] of [
    ['before the change', false],
    ['after it', true],
  ] as const)
    test(`${when} makes the next start apply the new password, once`, async () => {
      const here = await withCarol()
      const { storage } = here
      const apply: typeof storage.configuration.apply = async (changes, at) => {
        if (isApplied) await storage.configuration.apply(changes, at)
        throw new Error('interrupted')
      }
      const breaking = { ...storage, configuration: { ...storage.configuration, apply } }
      const start = applyConfiguration({ ...here.parts, storage: breaking }, load(changed, 'file'))
      await assert.rejects(start, /interrupted/)
      assert.deepEqual(await here.apply(changed), { written: isApplied ? 0 : 1, removed: 0 })
      assert.ok(await here.opens(another))
      await here.chooses(own)
      await here.apply(changed)
      assert.ok(await here.opens(own))
    })

  test('keeps the password that the user chose before', async () => {
    const here = await withCarol()
    await here.chooses(own)
    const apply = () => Promise.reject(new Error('interrupted'))
    const breaking = { ...here.storage, configuration: { ...here.storage.configuration, apply } }
    await assert.rejects(applyConfiguration({ ...here.parts, storage: breaking }, load(file, 'file')))
    await here.apply(file)
    assert.ok(await here.opens(own))
  })

  test('does not set the password of the earlier file again when it is refused', async () => {
    const here = await withCarol()
    await here.isReset(own)
    const taken = { ...(await here.carol()), subject: subjectIdSchema.parse('dave'), username: 'dave' }
    await here.storage.configuration.apply({ put: { users: [taken] }, remove: {} }, now)
    const dave = { username: 'dave', sub: 'another-dave' }
    await assert.rejects(here.apply({ users: [{ ...carol, password: another }, dave] }), /dave/)
    await here.apply(file)
    assert.deepEqual([await here.opens(own), (await here.carol()).mustChangePassword], [true, true])
  })
})

describe('a user who is missing from one configuration', () => {
  for (const [what, source] of [
    ['in a file', 'file'],
    ['with the demo', 'demo'],
  ] as const)
    test(`${what} is enabled again with the earlier password`, async () => {
      const here = await withCarol()
      await here.isReset(own)
      await here.apply(source === 'demo' ? demoConfiguration('http://localhost:3000') : {}, source)
      assert.equal((await here.carol()).enabled, false)
      await here.apply(file)
      const { enabled, mustChangePassword } = await here.carol()
      assert.deepEqual([enabled, mustChangePassword, await here.opens(own)], [true, true, true])
    })
})

describe('a database of a release that stored no hashes of the file', () => {
  test('keeps what differs from the file, and takes the next change of the file', async () => {
    const here = await withCarol()
    await here.isReset(own)
    assert.deepEqual(await here.applyAfterUpdate(file), { written: 0, removed: 0 })
    await here.apply(file)
    assert.deepEqual([await here.opens(own), (await here.carol()).mustChangePassword], [true, true])
    await here.apply({ users: [{ ...carol, password: another }] })
    assert.ok(await here.opens(another))
  })

  test('stores the passwords of the file from then on', async () => {
    const here = await withCarol()
    await here.applyAfterUpdate(file)
    await here.chooses(own)
    await here.apply(file)
    assert.ok(await here.opens(own))
  })

  test('sets the password of a user without one', async () => {
    const here = await withCarol()
    await here.apply({ users: [{ username: 'carol' }] })
    await here.applyAfterUpdate(file)
    assert.ok(await here.opens(ofTheFile))
  })
})
